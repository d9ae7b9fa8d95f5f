package conformance_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/responses"
)

var chatSDK = sdk{
	name: "openai-go chat",
	decode: func(text []byte) (any, error) {
		p := new(openai.ChatCompletionNewParams)
		return p, json.Unmarshal(text, p)
	},
	send: func(request any, b body, h *http.Client) error {
		p, c := *request.(*openai.ChatCompletionNewParams), openaiClient("http://127.0.0.1", h)
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
		p, c := *request.(*responses.ResponseNewParams), openaiClient("http://127.0.0.1", h)
		if b.streams() {
			return c.Responses.NewStreaming(context.Background(), p).Err()
		}
		_, err := c.Responses.New(context.Background(), p)
		return err
	},
}

// decodeResponses reads the assistant's messages as what they are: the SDK takes
// every message for the short form, which has neither id nor status.
func decodeResponses(text []byte) (any, error) {
	p := new(responses.ResponseNewParams)
	var raw struct{ Input []json.RawMessage }
	if err := errors.Join(json.Unmarshal(text, p), json.Unmarshal(text, &raw)); err != nil {
		return nil, err
	}
	for i, item := range raw.Input {
		var kind struct{ Type, Role string }
		if err := json.Unmarshal(item, &kind); err != nil {
			return nil, err
		}
		if kind.Type == "message" && kind.Role == "assistant" {
			m := new(responses.ResponseOutputMessageParam)
			if err := json.Unmarshal(item, m); err != nil {
				return nil, err
			}
			p.Input.OfInputItemList[i] = responses.ResponseInputItemUnionParam{OfOutputMessage: m}
		}
	}
	return p, nil
}

// openaiClient does not try again.
func openaiClient(url string, h *http.Client) openai.Client {
	return openai.NewClient(option.WithBaseURL(url), option.WithHTTPClient(h), option.WithAPIKey("any"), option.WithMaxRetries(0))
}
