package model

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// Config says where requests go and how long they may take. The zero value takes
// keys from the environment and goes to the providers themselves.
type Config struct {
	// Transport carries the requests, nil for one like http.DefaultTransport.
	Transport http.RoundTripper
	// Endpoints are the endpoints that the user configured, by provider as
	// policy.Fold names it. What a field leaves empty comes from the environment
	// or is the provider's own.
	Endpoints map[string]Endpoint
	// Env looks a variable of the environment up, nil for os.Getenv.
	Env func(name string) string
	// Emulator is the URL of a server of package emulator. Every request goes to
	// it, to the paths of its provider, without credentials. "" for none.
	Emulator string
	Limits   Limits
	// Retries is how often an overloaded provider is asked again: 0 means 3, below
	// 0 never.
	Retries int
	// Now is the clock of the turns, nil for time.Now.
	Now func() time.Time
}

// Endpoint is where a provider is and how it is entered.
type Endpoint struct {
	BaseURL string
	// Key is the API key or access token.
	Key string
	// Header goes along with each request. Its values count as secrets.
	Header map[string]string
	// Region is that of Amazon Bedrock, Location and Project those of Google's
	// clouds.
	Region, Location, Project string
	// AccessKey, SecretKey and SessionToken sign requests to Amazon Bedrock where
	// there is no Key.
	AccessKey, SecretKey, SessionToken string
}

// Limits bound an answer. A zero field stands for its default.
type Limits struct {
	FirstByte time.Duration // from the request to the first byte of the answer, 5 minutes
	Idle      time.Duration // between two bytes, 2 minutes
	Bytes     int           // of a whole answer, 64 MiB
	Event     int           // of one event, 16 MiB
	// Wait is the longest time that passes before a provider is asked again; one
	// that asks for more gets no other request. 1 minute.
	Wait time.Duration
}

// Client asks models. It is safe for concurrent use.
type Client struct {
	config Config
}

// New returns a client.
func New(c Config) *Client { return &Client{config: c} }

// Stream sends the request, passes on what happens (on may be nil) and returns
// the answer. The error is an *[Error] or nil. The answer is never nil: with an
// error its stop reason is [Failed] or [Cancelled] and it holds what was
// received, which may be nothing.
func (c *Client) Stream(ctx context.Context, call Call, on func(Event)) (*Answer, error) {
	return &Answer{StopReason: Failed}, &Error{Kind: Unready, Text: "not built", err: errors.ErrUnsupported}
}
