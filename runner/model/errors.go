package model

import (
	"fmt"
	"time"
)

// Kind classifies why there is no whole answer.
type Kind string

// The kinds of errors.
const (
	Overloaded Kind = "overloaded" // the provider has too much to do
	RateLimit  Kind = "rate limit" // the caller asked too often
	Overflow   Kind = "overflow"   // the request is larger than the context window or the size limit
	Shape      Kind = "shape"      // the transcript has a bad shape; the same body fails again (W-904)
	Rejected   Kind = "rejected"   // another fault of the request
	Auth       Kind = "auth"       // the credentials are missing or not accepted
	Billing    Kind = "billing"    // the account has no credit
	Refused    Kind = "refused"    // a content filter or the model itself ended the answer
	Server     Kind = "server"     // the provider failed
	Malformed  Kind = "malformed"  // the answer is not one in the format, or ends too early
	Network    Kind = "network"    // no connection, or it broke
	Timeout    Kind = "timeout"    // no byte came in time
	Aborted    Kind = "aborted"    // the caller ended the call
	Unready    Kind = "unready"    // an endpoint is not configured; nothing was sent
)

// Error says why there is no whole answer. It holds no credentials, no URL and
// no header.
type Error struct {
	// Kind is what callers act on.
	Kind Kind
	// Target is "provider/model".
	Target string
	// Status is the HTTP status, 0 where there was none.
	Status int
	// Code is the provider's own word for the error, "" if it has none.
	Code string
	// Text is what the provider says, at most 4 KiB, or a sentence of the product.
	// Errors that a router wraps are taken out of their wrapping (W-524).
	Text string
	// RetryAfter is how long the provider asks to wait, 0 if it does not say.
	RetryAfter time.Duration
	// Began reports that events of the answer were passed on before the error, so
	// that the call must not be repeated unseen (W-901).
	Began bool
	// Attempts is how often the request was sent, 0 where it was not.
	Attempts int
	// Body is the provider's answer, redacted, at most 64 KiB, for whoever has to
	// look into it; nil where there was none.
	Body []byte

	err error
}

// Error says what, who and how.
func (e *Error) Error() string {
	s := e.Target + ": " + string(e.Kind)
	if e.Status != 0 {
		s += fmt.Sprintf(" (%d)", e.Status)
	}
	return s + ": " + e.Text
}

// Unwrap returns the cause where there is one: context.Canceled of a call that
// its caller ended, for instance.
func (e *Error) Unwrap() error { return e.err }
