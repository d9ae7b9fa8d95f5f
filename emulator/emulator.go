package emulator

import (
	"net/http"
	"strconv"
	"sync"

	"hygeia/check"
	"hygeia/policy"
)

// Options says how an emulator behaves. The zero value is strict and echoes.
type Options struct {
	// Respond is asked for the answer to each request that is accepted, one
	// after the other or at the same time. Where it is nil or returns nil the
	// answer is an echo of the prompt.
	Respond Responder
	// Known is asked about signatures, encrypted content and ids of items and
	// responses that this emulator did not issue. True takes them for genuine
	// wherever they stand. Nil refuses all of them.
	Known func(token string) bool
	// Rules switches single rules of the rulebook on or off by their public
	// name, those that only a server knows included.
	Rules map[string]bool
	// Key is the secret behind signatures and ids. Emulators with the same key
	// accept each other's, as one organisation does; nil is a key that all have.
	Key []byte
	// RequireHeaders refuses requests without the headers that the provider
	// demands: credentials, which may be any, and the version at Anthropic.
	RequireHeaders bool
	// MaxBody is the size of the largest request body in bytes, 0 means 64 MiB.
	MaxBody int64
	// Hosts are names besides those of the loopback under which requests may
	// come. A request with another Host is refused, so that no web page can
	// reach the emulator under a name of its own.
	Hosts []string
	// Public takes requests under any IP address.
	Public bool
	// Observe is told of each request when its answer begins, of several at the same
	// time.
	Observe func(Request)
}

// Responder chooses the answer to a request that was accepted. Nil leaves it to
// the echo.
type Responder func(*Request) *Answer

// Request is a request that an emulator has seen.
type Request struct {
	Target       policy.Target // where it went
	Method, Path string        // the path without its query
	Header       http.Header
	Body         []byte // as it came
	Stream       bool   // the answer is asked for as a stream
	// Prompt is what users said behind the newest answer, or the results there
	// if they said nothing.
	Prompt string
	// Findings are those of the rulebook, in the order of evaluation.
	Findings []check.Finding
	// Rule names the rule of the rulebook by which the request was refused, ""
	// if it was not. A refusal has a status of 400 or more.
	Rule   string
	Status int // HTTP status of the answer
}

// Emulator is an http.Handler with the paths of all providers. It is safe for
// concurrent use.
type Emulator struct {
	o     Options
	mux   *http.ServeMux
	store store

	mu       sync.Mutex
	served   int // requests so far, for their ids
	requests []Request
	bytes    int // of the bodies in requests
}

// New returns an emulator that is ready to serve.
func New(o Options) *Emulator {
	if o.Key == nil {
		o.Key = []byte("hygeia emulator")
	}
	if o.MaxBody == 0 {
		o.MaxBody = 64 << 20
	}
	e := &Emulator{o: o}
	e.mux = e.routes()
	return e
}

// The bounds of what is remembered of requests: the newest stay.
const (
	maxRequests      = 1000
	maxRequestsBytes = 64 << 20
)

// Requests returns the requests so far, the newest thousand of them with at most
// 64 MiB of bodies, in the order in which they were answered. It may be called
// while requests are served.
func (e *Emulator) Requests() []Request {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]Request(nil), e.requests...)
}

func (e *Emulator) record(r Request) {
	e.mu.Lock()
	e.requests = append(e.requests, r)
	e.bytes += len(r.Body)
	for len(e.requests) > maxRequests || e.bytes > maxRequestsBytes && len(e.requests) > 1 {
		e.bytes -= len(e.requests[0].Body)
		e.requests[0] = Request{}
		e.requests = e.requests[1:]
	}
	e.mu.Unlock()
	if e.o.Observe != nil {
		e.o.Observe(r)
	}
}

// nextID returns the id of a request: the same in every run that sends the same
// number of requests before.
func (e *Emulator) nextID() string {
	e.mu.Lock()
	e.served++
	n := e.served
	e.mu.Unlock()
	return letters(24, string(e.key("request").key), strconv.Itoa(n))
}

// key returns the issuer of a vendor.
func (e *Emulator) key(vendor string) issuer { return newIssuer(e.o.Key, vendor) }

func (e *Emulator) known(token string) bool { return e.o.Known != nil && e.o.Known(token) }

// checks reports whether a rule is on that only a server can hold.
func (e *Emulator) checks(rule string) bool {
	on, ok := e.o.Rules[rule]
	return on || !ok
}
