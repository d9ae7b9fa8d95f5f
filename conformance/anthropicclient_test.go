package conformance_test

import (
	"context"
	"errors"
	"net/http"

	"github.com/anthropics/anthropic-sdk-go"
)

type anthropicTalk struct {
	client anthropic.Client
	p      anthropic.MessageNewParams
	open   string // id of the newest call
}

func newAnthropicTalk(url string) talk {
	tool := anthropic.ToolUnionParamOfTool(anthropic.ToolInputSchemaParam{Properties: map[string]any{"city": map[string]any{"type": "string"}}}, "weather")
	return &anthropicTalk{client: anthropicClient(url, http.DefaultClient), p: anthropic.MessageNewParams{
		Model: anthropic.ModelClaudeSonnet4_5, MaxTokens: 4096, Thinking: anthropic.ThinkingConfigParamOfEnabled(1024),
		Tools: []anthropic.ToolUnionParam{tool},
	}}
}

func (c *anthropicTalk) say(text string) {
	c.p.Messages = append(c.p.Messages, anthropic.NewUserMessage(anthropic.NewTextBlock(text)))
}

func (c *anthropicTalk) result(text string) {
	c.p.Messages = append(c.p.Messages, anthropic.NewUserMessage(anthropic.NewToolResultBlock(c.open, text, false)))
}

func (c *anthropicTalk) ask(stream bool) (answer, error) {
	m, err := c.send(stream)
	if err != nil {
		return answer{}, err
	}
	c.p.Messages = append(c.p.Messages, m.ToParam())
	a := answer{stop: string(m.StopReason), input: int(m.Usage.InputTokens), output: int(m.Usage.OutputTokens)}
	for _, b := range m.Content {
		switch b := b.AsAny().(type) {
		case anthropic.ThinkingBlock:
			a.thinking += b.Thinking
		case anthropic.TextBlock:
			a.text += b.Text
		case anthropic.ToolUseBlock:
			a.call, a.arguments, c.open = b.Name, string(b.Input), b.ID
		}
	}
	return a, nil
}

func (c *anthropicTalk) send(stream bool) (*anthropic.Message, error) {
	if !stream {
		return c.client.Messages.New(context.Background(), c.p)
	}
	m := new(anthropic.Message)
	s := c.client.Messages.NewStreaming(context.Background(), c.p)
	for s.Next() {
		if err := m.Accumulate(s.Current()); err != nil {
			return nil, err
		}
	}
	return m, s.Err()
}

func (c *anthropicTalk) count() (int, error) {
	n, err := c.client.Messages.CountTokens(context.Background(), anthropic.MessageCountTokensParams{
		Model: c.p.Model, Messages: c.p.Messages, Thinking: c.p.Thinking,
		Tools: []anthropic.MessageCountTokensToolUnionParam{{OfTool: c.p.Tools[0].OfTool}},
	})
	if err != nil {
		return 0, err
	}
	return int(n.InputTokens), nil
}

func (c *anthropicTalk) status(err error) int {
	var e *anthropic.Error
	if errors.As(err, &e) {
		return e.StatusCode
	}
	return 0
}
