package model

import (
	"cmp"
	"net/http"
	"os"
	"time"

	"hygeia/payload"
	"hygeia/policy"
)

// Config says where requests go and how long they may take. The zero value takes
// keys from the environment and goes to the providers themselves.
type Config struct {
	// Transport carries the requests, nil for http.DefaultTransport.
	Transport http.RoundTripper
	// Endpoints are the endpoints that the user configured, by provider. What a
	// field leaves empty comes from the environment or is the provider's own.
	Endpoints map[string]Endpoint
	// Env looks a variable of the environment up, nil for os.Getenv.
	Env func(name string) string
	// Emulator is the URL of a server of package emulator. Every request goes to
	// it, to the paths of its provider, without credentials. "" for none.
	Emulator string
	// Limits bound every answer.
	Limits Limits
	// Retries is how often an overloaded provider is asked again: 0 means 3, below
	// 0 never.
	Retries int
	// Now is the clock of the turns, nil for time.Now.
	Now func() time.Time
}

// Endpoint is where a provider is and how it is entered.
type Endpoint struct {
	// BaseURL is the address without the path of the API.
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
	// Identity is how requests name themselves where the Key is an access token
	// (W-231), nil for none; see [Client.Identity].
	Identity *payload.Identity
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
	// Backoff is about how long it is before the second request, and doubles with
	// each further one, 1 second. A provider that says how long to wait goes first.
	Backoff time.Duration
}

// defaults are the limits where the configuration names none.
var defaults = Limits{
	FirstByte: 5 * time.Minute, Idle: 2 * time.Minute, Bytes: 64 << 20, Event: 16 << 20, Wait: time.Minute, Backoff: time.Second,
}

const defaultRetries = 3

// Client asks models. It is safe for concurrent use.
type Client struct {
	config Config
	http   http.Client
}

// New returns a client.
func New(c Config) *Client {
	l, d := &c.Limits, &defaults
	l.FirstByte, l.Idle, l.Wait, l.Backoff = cmp.Or(l.FirstByte, d.FirstByte), cmp.Or(l.Idle, d.Idle), cmp.Or(l.Wait, d.Wait), cmp.Or(l.Backoff, d.Backoff)
	l.Bytes, l.Event = cmp.Or(l.Bytes, d.Bytes), cmp.Or(l.Event, d.Event)
	c.Retries = cmp.Or(c.Retries, defaultRetries)
	if c.Env == nil {
		c.Env = os.Getenv
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	endpoints := make(map[string]Endpoint, len(c.Endpoints))
	for provider, e := range c.Endpoints {
		endpoints[policy.Fold(provider)] = e
	}
	c.Endpoints = endpoints
	return &Client{config: c, http: http.Client{
		Transport: c.Transport,
		// Go leaves out Authorization on another host, but no x-api-key.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}
