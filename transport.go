package hygeia

import (
	"net/http"
	"time"

	"hygeia/hygiene"
	"hygeia/proxy/endpoint"
)

// Transport is an http.RoundTripper that makes requests to model providers
// acceptable on their way out: the body of a request with a transcript in it is
// held against the rulebook of the provider, and only where that finds something
// the engine changes it. Everything else goes on as it is, to the byte. An answer
// with status 400 or 422 that the rulebook knows leads to that rule's change and
// one more request (W-901 to W-903). Where tools went out under other names, the
// answer names them as the caller does (W-176); answers are not read otherwise, and
// streams run through.
//
// The zero value is ready: it takes API, provider and model from path and body.
//
//	client := &http.Client{Transport: &hygeia.Transport{}}
//
// A Transport comes after the signature of a request to Bedrock, which covers the
// body: such a request goes on unchanged, and the answer says so. For the AWS SDK
// see [Transport.SanitizeRequest].
//
// Answers carry two headers more: Hygeia-Overhead, the time that was spent before
// the request went out, and, where something was changed, Hygeia-Changes: rule ids
// and counts. Hygeia-Unchanged names why a request went on with its faults, one of
// the Why constants; Hygeia-Changes then ends in "(not made)".
type Transport struct {
	// Base sends the requests, nil for http.DefaultTransport.
	Base http.RoundTripper
	// To names the provider, and the model, whose rules hold. An empty Provider
	// is read from the path, an empty Model from path or body. API is not used:
	// the path says it.
	To Target
	// Replay holds the user's profiles and limits on pictures, and how requests
	// name themselves where access to Anthropic is by token: then the headers of
	// that go along (W-231).
	Replay ReplayOptions
	// MaxBody is the size of the largest body in bytes, unpacked, 0 for 64 MiB.
	// A larger one is not sent; the error is a [*RefusedError].
	MaxBody int64
	// DryRun changes nothing and only says what would be changed.
	DryRun bool
	// Observe is told of each request with a transcript when its answer begins
	// or it fails, of several at the same time. It must not keep r.
	Observe func(r *http.Request, x *Exchange)

	memo memo
}

// Exchange is what a [Transport] did with one request. It holds nothing of the
// content but for the report.
type Exchange struct {
	// Target is where the request went.
	Target Target
	// Count says that tokens were counted.
	Count bool
	// Outcome is what became of the body.
	Outcome Outcome
	// Why says why a body with faults went out as it was, "" if none did.
	Why string
	// Report lists the changes, nil where the engine did not run. With a resend
	// it is that of the second request.
	Report *hygiene.Report
	// Remedy is the rule of the rulebook that the provider's answer named, ""
	// without a resend.
	Remedy string
	// Status is that of the answer, 0 if there was none.
	Status int
	// Err is why there was no answer.
	Err error
	// BytesIn is the size of the body that came in, unpacked.
	BytesIn int
	// Overhead is the time from the whole body to the request that goes out,
	// resends included.
	Overhead time.Duration
}

// Outcome is what became of the body of a request.
type Outcome string

// The outcomes.
const (
	Clean     Outcome = "clean"     // nothing was to be changed
	Changed   Outcome = "changed"   // another body went out
	Unchanged Outcome = "unchanged" // the body went out as it was, faults and all
	Refused   Outcome = "refused"   // nothing went out
)

// Reasons why a body goes out with its faults.
const (
	WhyDryRun     = "dry-run"      // only a report was asked for
	WhySignature  = "signature"    // the signature covers the body
	WhyEncoding   = "encoding"     // the content encoding is unknown
	WhyUnreadable = "unreadable"   // the body is no request of its API
	WhyNothing    = "nothing-left" // nothing would be left to send
)

// RefusedError is why a request was not sent.
type RefusedError struct {
	Status int // HTTP status that fits
	Err    error
}

func (e *RefusedError) Error() string { return "request not sent: " + e.Err.Error() }

// Unwrap returns the reason.
func (e *RefusedError) Unwrap() error { return e.Err }

// RoundTrip makes a Transport an http.RoundTripper: it sends a request as [Transport]
// tells. The errors are those of Base and *RefusedError.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	base := t.Base
	if base == nil {
		base = http.DefaultTransport
	}
	return t.Middleware(r, base.RoundTrip)
}

// Middleware sends a request through next. It is a value of the option types of
// SDKs that take a function, such as option.WithMiddleware of anthropic-sdk-go
// and openai-go. The errors are those of next and *RefusedError.
func (t *Transport) Middleware(r *http.Request, next func(*http.Request) (*http.Response, error)) (*http.Response, error) {
	e, ok := endpoint.Find(r.Method, r.URL.EscapedPath())
	if !ok || r.Body == nil || r.Body == http.NoBody {
		return next(r)
	}
	x := &exchange{t: t, in: r, next: next, endpoint: e.As(t.To.Provider)}
	x.Target, x.Count = Target{Provider: x.endpoint.Provider, API: x.endpoint.API}, e.Count
	answer, err := x.run()
	x.Err = err
	if t.Observe != nil {
		t.Observe(r, &x.Exchange)
	}
	return answer, err
}

// SanitizeRequest makes the body of a request to an escaped path acceptable. It is
// for clients that sign the body and must do so afterwards, such as the AWS SDK
// in a Smithy middleware. The result is nil for a path that takes no transcript; its
// ToolName maps the names of tools in the answer back. The errors are those of
// [SanitizeBody].
func (t *Transport) SanitizeRequest(path string, body []byte) (*Sanitized, error) {
	e, ok := endpoint.Find(http.MethodPost, path)
	if !ok {
		return nil, nil
	}
	x := &exchange{t: t, endpoint: e.As(t.To.Provider)}
	return x.sanitize(body, nil)
}
