package conformance_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
	"github.com/openai/openai-go/v3/shared"
)

var weatherSchema = map[string]any{"type": "object", "properties": map[string]any{"city": map[string]any{"type": "string"}}}

func openaiStatus(err error) int {
	var e *openai.Error
	if errors.As(err, &e) {
		return e.StatusCode
	}
	return 0
}

type responsesTalk struct {
	client openai.Client
	p      responses.ResponseNewParams
	open   string // id of the newest call
}

func newResponsesTalk(path, model string, store bool) func(url string) talk {
	return func(url string) talk {
		return &responsesTalk{client: openaiClient(url+path, http.DefaultClient), p: responses.ResponseNewParams{
			Model: model, Store: openai.Bool(store), Include: []responses.ResponseIncludable{responses.ResponseIncludableReasoningEncryptedContent},
			Reasoning: shared.ReasoningParam{Effort: shared.ReasoningEffortMedium, Summary: shared.ReasoningSummaryAuto},
			Tools:     []responses.ToolUnionParam{{OfFunction: &responses.FunctionToolParam{Name: "weather", Parameters: weatherSchema}}},
		}}
	}
}

func (c *responsesTalk) add(item responses.ResponseInputItemUnionParam) {
	c.p.Input.OfInputItemList = append(c.p.Input.OfInputItemList, item)
}

func (c *responsesTalk) say(text string) {
	c.add(responses.ResponseInputItemParamOfMessage(text, responses.EasyInputMessageRoleUser))
}

func (c *responsesTalk) result(text string) {
	out := responses.ResponseInputItemFunctionCallOutputParam{CallID: openai.String(c.open)}
	out.Output.OfString = openai.String(text)
	c.add(responses.ResponseInputItemUnionParam{OfFunctionCallOutput: &out})
}

func (c *responsesTalk) ask(stream bool) (answer, error) {
	r, err := c.send(stream)
	if err != nil {
		return answer{}, err
	}
	a := answer{stop: string(r.Status), input: int(r.Usage.InputTokens), output: int(r.Usage.OutputTokens), text: r.OutputText()}
	for _, item := range r.Output {
		switch item := item.AsAny().(type) {
		case responses.ResponseReasoningItem:
			for _, s := range item.Summary {
				a.thinking += s.Text
			}
			p := item.ToParam()
			c.add(responses.ResponseInputItemUnionParam{OfReasoning: &p})
		case responses.ResponseOutputMessage:
			p := item.ToParam()
			c.add(responses.ResponseInputItemUnionParam{OfOutputMessage: &p})
		case responses.ResponseFunctionToolCall:
			a.call, a.arguments, c.open = item.Name, item.Arguments, item.CallID
			p := item.ToParam()
			c.add(responses.ResponseInputItemUnionParam{OfFunctionCall: &p})
		}
	}
	return a, nil
}

// send reads the whole answer, which a stream has in its last event.
func (c *responsesTalk) send(stream bool) (*responses.Response, error) {
	if !stream {
		return c.client.Responses.New(context.Background(), c.p)
	}
	s := c.client.Responses.NewStreaming(context.Background(), c.p)
	err := errNoEnd
	var r responses.Response
	deltas := ""
	for s.Next() {
		switch e := s.Current().AsAny().(type) {
		case responses.ResponseTextDeltaEvent:
			deltas += e.Delta
		case responses.ResponseCompletedEvent:
			r, err = e.Response, nil
		case responses.ResponseErrorEvent:
			err = errors.New(e.Message)
		}
	}
	if err = cmp.Or(s.Err(), err); err == nil && deltas != r.OutputText() {
		err = fmt.Errorf("the pieces are %q, the whole is %q", deltas, r.OutputText())
	}
	return &r, err
}

// count is not asked for stored items: the request cannot say that they are
// stored (AZ-01).
func (c *responsesTalk) count() (int, error) {
	if c.p.Store.Value {
		return 0, errNoCount
	}
	p := responses.InputTokenCountParams{Model: openai.String(c.p.Model), Tools: c.p.Tools}
	p.Input.OfResponseInputItemArray = c.p.Input.OfInputItemList
	n, err := c.client.Responses.InputTokens.Count(context.Background(), p)
	if err != nil {
		return 0, err
	}
	return int(n.InputTokens), nil
}

func (c *responsesTalk) status(err error) int { return openaiStatus(err) }
