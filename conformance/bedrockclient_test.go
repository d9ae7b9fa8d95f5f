package conformance_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

type bedrockTalk struct {
	client *bedrockruntime.Client
	in     bedrockruntime.ConverseInput
	open   *string // id of the newest call
}

func newBedrockTalk(url string) talk {
	tool := types.ToolSpecification{Name: aws.String("weather"), InputSchema: &types.ToolInputSchemaMemberJson{Value: document.NewLazyDocument(weatherSchema)}}
	return &bedrockTalk{client: bedrockClient(url, http.DefaultClient), in: bedrockruntime.ConverseInput{
		ModelId: aws.String("anthropic.claude-sonnet-4-5-20250929-v1:0"), InferenceConfig: &types.InferenceConfiguration{MaxTokens: aws.Int32(4096)},
		ToolConfig:                   &types.ToolConfiguration{Tools: []types.Tool{&types.ToolMemberToolSpec{Value: tool}}},
		AdditionalModelRequestFields: document.NewLazyDocument(map[string]any{"thinking": map[string]any{"type": "enabled", "budget_tokens": 1024}}),
	}}
}

func (c *bedrockTalk) add(b types.ContentBlock) {
	c.in.Messages = append(c.in.Messages, types.Message{Role: types.ConversationRoleUser, Content: []types.ContentBlock{b}})
}

func (c *bedrockTalk) say(text string) { c.add(&types.ContentBlockMemberText{Value: text}) }

func (c *bedrockTalk) result(text string) {
	c.add(&types.ContentBlockMemberToolResult{Value: types.ToolResultBlock{
		ToolUseId: c.open, Content: []types.ToolResultContentBlock{&types.ToolResultContentBlockMemberText{Value: text}},
	}})
}

func (c *bedrockTalk) ask(stream bool) (answer, error) {
	send := c.converse
	if stream {
		send = c.converseStream
	}
	m, a, err := send()
	if err != nil {
		return answer{}, err
	}
	c.in.Messages = append(c.in.Messages, *m)
	for _, b := range m.Content {
		switch b := b.(type) {
		case *types.ContentBlockMemberText:
			a.text += b.Value
		case *types.ContentBlockMemberReasoningContent:
			a.thinking += *b.Value.(*types.ReasoningContentBlockMemberReasoningText).Value.Text
		case *types.ContentBlockMemberToolUse:
			arguments, err := b.Value.Input.MarshalSmithyDocument()
			if err != nil {
				return answer{}, err
			}
			a.call, a.arguments, c.open = *b.Value.Name, string(arguments), b.Value.ToolUseId
		}
	}
	return a, nil
}

func (c *bedrockTalk) converse() (*types.Message, answer, error) {
	out, err := c.client.Converse(context.Background(), &c.in)
	if err != nil {
		return nil, answer{}, err
	}
	a := answer{stop: string(out.StopReason), input: int(*out.Usage.InputTokens), output: int(*out.Usage.OutputTokens)}
	return &out.Output.(*types.ConverseOutputMemberMessage).Value, a, nil
}

// converseStream puts the answer together, for which the SDK has nothing.
func (c *bedrockTalk) converseStream() (*types.Message, answer, error) {
	out, err := c.client.ConverseStream(context.Background(), &bedrockruntime.ConverseStreamInput{
		ModelId: c.in.ModelId, InferenceConfig: c.in.InferenceConfig, ToolConfig: c.in.ToolConfig, Messages: c.in.Messages,
		AdditionalModelRequestFields: c.in.AdditionalModelRequestFields,
	})
	if err != nil {
		return nil, answer{}, err
	}
	s := out.GetStream()
	defer s.Close()
	var a answer
	var said gathered
	for e := range s.Events() {
		switch e := e.(type) {
		case *types.ConverseStreamOutputMemberContentBlockStart:
			said.start(e.Value)
		case *types.ConverseStreamOutputMemberContentBlockDelta:
			said.delta(e.Value)
		case *types.ConverseStreamOutputMemberMessageStop:
			a.stop = string(e.Value.StopReason)
		case *types.ConverseStreamOutputMemberMetadata:
			a.input, a.output = int(*e.Value.Usage.InputTokens), int(*e.Value.Usage.OutputTokens)
		}
	}
	if err := s.Err(); err != nil {
		return nil, answer{}, err
	}
	if a.stop == "" {
		return nil, answer{}, errNoEnd
	}
	m, err := said.message()
	return m, a, err
}

// gathered is a streamed message, by the index of its blocks.
type gathered []struct {
	text, thinking, signature, arguments string
	call                                 *types.ToolUseBlockStart
}

func (g *gathered) grow(i int32) {
	for len(*g) <= int(i) {
		*g = append(*g, gathered{{}}...)
	}
}

func (g *gathered) start(e types.ContentBlockStartEvent) {
	g.grow(*e.ContentBlockIndex)
	if call, ok := e.Start.(*types.ContentBlockStartMemberToolUse); ok {
		(*g)[*e.ContentBlockIndex].call = &call.Value
	}
}

func (g *gathered) delta(e types.ContentBlockDeltaEvent) {
	g.grow(*e.ContentBlockIndex)
	b := &(*g)[*e.ContentBlockIndex]
	switch d := e.Delta.(type) {
	case *types.ContentBlockDeltaMemberText:
		b.text += d.Value
	case *types.ContentBlockDeltaMemberToolUse:
		b.arguments += *d.Value.Input
	case *types.ContentBlockDeltaMemberReasoningContent:
		switch d := d.Value.(type) {
		case *types.ReasoningContentBlockDeltaMemberText:
			b.thinking += d.Value
		case *types.ReasoningContentBlockDeltaMemberSignature:
			b.signature += d.Value
		}
	}
}

func (g *gathered) message() (*types.Message, error) {
	m := &types.Message{Role: types.ConversationRoleAssistant}
	for i := range *g {
		var block types.ContentBlock
		switch b := &(*g)[i]; {
		case b.call != nil:
			var arguments map[string]any
			if err := json.Unmarshal([]byte(b.arguments), &arguments); err != nil {
				return nil, err
			}
			block = &types.ContentBlockMemberToolUse{Value: types.ToolUseBlock{
				Name: b.call.Name, ToolUseId: b.call.ToolUseId, Input: document.NewLazyDocument(arguments),
			}}
		case b.signature != "":
			block = &types.ContentBlockMemberReasoningContent{Value: &types.ReasoningContentBlockMemberReasoningText{
				Value: types.ReasoningTextBlock{Text: &b.thinking, Signature: &b.signature},
			}}
		default:
			block = &types.ContentBlockMemberText{Value: b.text}
		}
		m.Content = append(m.Content, block)
	}
	return m, nil
}

func (c *bedrockTalk) count() (int, error) {
	out, err := c.client.CountTokens(context.Background(), &bedrockruntime.CountTokensInput{
		ModelId: c.in.ModelId, Input: &types.CountTokensInputMemberConverse{Value: types.ConverseTokensRequest{
			Messages: c.in.Messages, ToolConfig: c.in.ToolConfig, AdditionalModelRequestFields: c.in.AdditionalModelRequestFields,
		}},
	})
	if err != nil {
		return 0, err
	}
	return int(*out.InputTokens), nil
}

func (c *bedrockTalk) status(err error) int {
	var e *smithyhttp.ResponseError
	if errors.As(err, &e) {
		return e.HTTPStatusCode()
	}
	return 0
}
