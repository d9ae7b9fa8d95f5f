package conformance_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"
)

var chatSDK = sdk{
	name: "openai-go chat",
	decode: func(text []byte) (any, error) {
		p := new(openai.ChatCompletionNewParams)
		return p, json.Unmarshal(text, p)
	},
	send: func(request any, b body, h *http.Client) error {
		p, c := *request.(*openai.ChatCompletionNewParams), openaiClient(home+"/v1", h)
		if b.streams() {
			return c.Chat.Completions.NewStreaming(context.Background(), p).Err()
		}
		_, err := c.Chat.Completions.New(context.Background(), p)
		return err
	},
}

var responsesSDK = sdk{
	name:   "openai-go responses",
	decode: decodeResponses,
	send: func(request any, b body, h *http.Client) error {
		p, c := *request.(*responses.ResponseNewParams), openaiClient(home+"/v1", h)
		if b.streams() {
			return c.Responses.NewStreaming(context.Background(), p).Err()
		}
		_, err := c.Responses.New(context.Background(), p)
		return err
	},
}

// decodeResponses reads the assistant's messages as what they are: the SDK takes
// every message for the short form, which has neither id nor status. It has an id
// in these and in reasoning, and must be told that there is none (W-310, D-36).
func decodeResponses(text []byte) (any, error) {
	p := new(responses.ResponseNewParams)
	var raw struct{ Input []json.RawMessage }
	if err := errors.Join(json.Unmarshal(text, p), json.Unmarshal(text, &raw)); err != nil {
		return nil, err
	}
	for i, item := range raw.Input {
		var head struct{ Type, Role, ID string }
		if err := json.Unmarshal(item, &head); err != nil {
			return nil, err
		}
		u := &p.Input.OfInputItemList[i]
		if head.Type == "message" && head.Role == "assistant" {
			*u = responses.ResponseInputItemUnionParam{OfOutputMessage: new(responses.ResponseOutputMessageParam)}
			if err := json.Unmarshal(item, u.OfOutputMessage); err != nil {
				return nil, err
			}
		}
		none := map[string]any{"id": param.Omit}
		switch {
		case head.ID != "":
		case u.OfOutputMessage != nil:
			u.OfOutputMessage.SetExtraFields(none)
		case u.OfReasoning != nil:
			u.OfReasoning.SetExtraFields(none)
		}
	}
	return p, nil
}

// openaiClient does not try again.
func openaiClient(url string, h *http.Client) openai.Client {
	return openai.NewClient(option.WithBaseURL(url), option.WithHTTPClient(h), option.WithAPIKey("any"), option.WithMaxRetries(0))
}
