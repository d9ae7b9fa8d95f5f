package conformance_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/respjson"
	"github.com/openai/openai-go/v3/shared"
)

type chatTalk struct {
	client openai.Client
	p      openai.ChatCompletionNewParams
	open   string // id of the newest call
}

func newChatTalk(path, model string) func(url string) talk {
	return func(url string) talk {
		return &chatTalk{client: openaiClient(url+path, http.DefaultClient), p: openai.ChatCompletionNewParams{
			Model: model,
			Tools: []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{Name: "weather", Parameters: weatherSchema})},
		}}
	}
}

func (c *chatTalk) say(text string) { c.p.Messages = append(c.p.Messages, openai.UserMessage(text)) }

func (c *chatTalk) result(text string) {
	c.p.Messages = append(c.p.Messages, openai.ToolMessage(text, c.open))
}

func (c *chatTalk) ask(stream bool) (answer, error) {
	r, thinking, err := c.send(stream)
	if err != nil {
		return answer{}, err
	}
	m := r.Choices[0].Message
	p := m.ToAssistantMessageParam()
	if thinking != "" { // some want it back, and the SDK has no member for it
		p.SetExtraFields(map[string]any{reasoningContent: thinking})
	}
	c.p.Messages = append(c.p.Messages, openai.ChatCompletionMessageParamUnion{OfAssistant: &p})
	a := answer{
		thinking: thinking, text: m.Content, stop: r.Choices[0].FinishReason,
		input: int(r.Usage.PromptTokens), output: int(r.Usage.CompletionTokens),
	}
	for _, call := range m.ToolCalls {
		a.call, a.arguments, c.open = call.Function.Name, call.Function.Arguments, call.ID
	}
	return a, nil
}

// reasoningContent is where DeepSeek and others show reasoning (W-424).
const reasoningContent = "reasoning_content"

func extra(fields map[string]respjson.Field) string {
	var text string
	_ = json.Unmarshal([]byte(fields[reasoningContent].Raw()), &text) // nothing where it is absent
	return text
}

func (c *chatTalk) send(stream bool) (*openai.ChatCompletion, string, error) {
	if !stream {
		r, err := c.client.Chat.Completions.New(context.Background(), c.p)
		if err != nil {
			return nil, "", err
		}
		return r, extra(r.Choices[0].Message.JSON.ExtraFields), nil
	}
	p := c.p
	p.StreamOptions.IncludeUsage = openai.Bool(true)
	s := c.client.Chat.Completions.NewStreaming(context.Background(), p)
	var acc openai.ChatCompletionAccumulator
	thinking := ""
	for s.Next() {
		chunk := s.Current()
		if !acc.AddChunk(chunk) {
			return nil, "", errors.New("the chunks do not fit each other")
		}
		for _, choice := range chunk.Choices {
			thinking += extra(choice.Delta.JSON.ExtraFields)
		}
	}
	if err := s.Err(); err != nil {
		return nil, "", err
	}
	if len(acc.Choices) == 0 || acc.Choices[0].FinishReason == "" {
		return nil, "", errNoEnd
	}
	return &acc.ChatCompletion, thinking, nil
}

func (c *chatTalk) count() (int, error) { return 0, errNoCount }

func (c *chatTalk) status(err error) int { return openaiStatus(err) }
