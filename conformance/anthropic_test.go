package conformance_test

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
)

var anthropicSDK = sdk{
	name: "anthropic-sdk-go",
	decode: func(text []byte) (any, error) {
		p := new(anthropic.MessageNewParams)
		return p, json.Unmarshal(text, p)
	},
	send: func(request any, b body, h *http.Client) error {
		p, c := *request.(*anthropic.MessageNewParams), anthropicClient(home, h)
		if b.streams() {
			return c.Messages.NewStreaming(context.Background(), p).Err()
		}
		_, err := c.Messages.New(context.Background(), p)
		return err
	},
}

// anthropicClient ignores the environment and does not try again. The SDK wants
// a time limit for large answers without a stream.
func anthropicClient(url string, h *http.Client) anthropic.Client {
	return anthropic.NewClient(option.WithoutEnvironmentDefaults(), option.WithBaseURL(url), option.WithHTTPClient(h),
		option.WithAPIKey("any"), option.WithMaxRetries(0), option.WithRequestTimeout(time.Minute))
}
