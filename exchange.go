package hygeia

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/proxy/coding"
	"hygeia/proxy/endpoint"
)

// defaultMaxBody is the size of the largest body in bytes.
const defaultMaxBody = 64 << 20

// exchange is one request on its way through a Transport.
type exchange struct {
	Exchange
	t        *Transport
	in       *http.Request
	next     func(*http.Request) (*http.Response, error)
	endpoint endpoint.Endpoint

	raw  []byte // the body as it came
	body []byte // unpacked
	sent []byte // what went out

	learn func() // remembers a clean body, nil for none
}

func (x *exchange) run() (*http.Response, error) {
	if err := x.read(); err != nil {
		x.Outcome = Refused
		return nil, err
	}
	start := time.Now()
	out, err := x.decide()
	if err != nil {
		x.Outcome = Refused
		return nil, err
	}
	r := x.request(out)
	x.Overhead = time.Since(start)
	answer, err := x.sendAndLearn(r)
	if err != nil {
		return nil, err
	}
	answer = x.again(answer)
	x.Status = answer.StatusCode
	x.mark(answer.Header)
	return answer, nil
}

// sendAndLearn sends a request and meanwhile remembers its body.
func (x *exchange) sendAndLearn(r *http.Request) (*http.Response, error) {
	if x.learn == nil {
		return x.next(r)
	}
	learned := make(chan struct{})
	go func() {
		defer close(learned)
		x.learn()
	}()
	defer func() { <-learned }()
	return x.next(r)
}

// read reads the body and unpacks it.
func (x *exchange) read() error {
	defer x.in.Body.Close()
	limit := x.t.MaxBody
	if limit == 0 {
		limit = defaultMaxBody
	}
	if x.in.ContentLength > limit {
		return &RefusedError{http.StatusRequestEntityTooLarge, fmt.Errorf("the body is larger than %d bytes", limit)}
	}
	var err error
	x.raw, err = readAll(x.in.Body, x.in.ContentLength, limit)
	if err == nil {
		x.body, err = coding.Decode(x.in.Header.Get("Content-Encoding"), x.raw, limit)
	}
	var refused *RefusedError
	switch {
	case err == nil, errors.As(err, &refused):
		return err
	case errors.Is(err, coding.ErrUnknown):
		x.Why = WhyEncoding
		return nil
	case errors.Is(err, coding.ErrTooLarge):
		return &RefusedError{http.StatusRequestEntityTooLarge, fmt.Errorf("the body is larger than %d bytes", limit)}
	}
	return &RefusedError{http.StatusBadRequest, fmt.Errorf("the body cannot be read: %w", err)}
}

// readAll reads a body whose size may be known, or said to be.
func readAll(r io.Reader, size, limit int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(min(max(size, 0), trustedSize)) + bytes.MinRead)
	_, err := b.ReadFrom(io.LimitReader(r, limit+1))
	if err == nil && int64(b.Len()) > limit {
		err = coding.ErrTooLarge
	}
	return b.Bytes(), err
}

// trustedSize is how many bytes are set aside for a body of which nothing has
// come yet.
const trustedSize = 1 << 20

// decide returns the body that goes out, nil for the one that came in as it was.
func (x *exchange) decide() ([]byte, error) {
	x.Outcome = Unchanged
	if x.Why != "" {
		return nil, nil
	}
	x.BytesIn = len(x.body)
	s, err := x.sanitize(x.body, nil)
	switch {
	case tooDeep(err):
		return nil, &RefusedError{http.StatusBadRequest, err}
	case errors.Is(err, payload.ErrNothingToSend):
		x.Why = WhyNothing
		return nil, nil
	case err != nil:
		x.Why = WhyUnreadable
		return nil, nil
	case !s.Changed():
		x.Outcome = Clean
		return nil, nil
	}
	x.Report = s.Report
	switch {
	case x.t.DryRun:
		x.Why = WhyDryRun
	case signed(x.in):
		x.Why = WhySignature
	default:
		x.Outcome = Changed
		return s.Body, nil
	}
	return nil, nil
}

// tooDeep reports whether a body is nested deeper than the scanner goes. No
// provider reads such a body, and many a parser dies of it.
func tooDeep(err error) bool {
	var syntax *jsonline.SyntaxError
	return errors.As(err, &syntax) && strings.HasPrefix(syntax.Reason, "nested deeper")
}

// sanitize runs the engine on the request in a body.
func (x *exchange) sanitize(body []byte, remedy *Remedy) (*Sanitized, error) {
	request := x.endpoint.Request(body)
	res, err := x.t.memo.resolve(x.target(request), x.t.Replay.Policy)
	if err != nil {
		return nil, err
	}
	x.Target, x.Count = res.Target, x.endpoint.Count
	own := owner{callerOf(x.in), res.Target}
	fresh := remedy == nil && !x.Count
	if fresh {
		if s := x.t.memo.recall(own, request, res, x.t.Replay); s != nil {
			return s, nil
		}
	}
	s, err := sanitizeBody(request, res, SanitizeOptions{Replay: x.t.Replay, Count: x.endpoint.Count, Remedy: remedy})
	if err != nil {
		return nil, err
	}
	if fresh && (s.Changed() || len(s.Findings) == 0) {
		made := *s
		x.learn = func() { x.t.memo.learn(own, request, &made) }
	}
	if s.Changed() {
		s.Body = x.endpoint.Wrap(body, s.Body)
	}
	return s, nil
}

// target returns where a request goes.
func (x *exchange) target(request []byte) Target {
	t := Target{Provider: x.endpoint.Provider, API: x.endpoint.API, Model: x.t.To.Model}
	if t.Model == "" {
		t.Model = x.endpoint.Model
	}
	if t.Model == "" {
		t.Model = modelOf(request)
	}
	return t
}

// headSize is how many bytes at the front of a body are searched for its model
// before all of it is.
const headSize = 2048

// modelOf returns the model that a request names.
func modelOf(request []byte) string {
	var s jsonline.Scanner
	head := request[:min(headSize, len(request))]
	_, _ = s.Scan(head, jsonline.Options{Depth: 1, InvalidUTF8: true}) // cut off in the middle
	for i := 1; i < len(s.Nodes); i++ {
		if n := s.Nodes[i]; n.Kind == jsonline.String && string(head[n.NameStart:n.NameEnd]) == "model" {
			return s.Value(i, head).String()
		}
	}
	return jsonline.ParseObject(request).Get("model").String()
}

// request returns the request that goes out with a body, nil for the one that
// came in.
func (x *exchange) request(body []byte) *http.Request {
	r := x.in.Clone(x.in.Context())
	x.sent = body
	if body == nil {
		body = x.raw
	} else {
		r.Header.Del("Content-Encoding")
	}
	r.ContentLength, r.TransferEncoding = int64(len(body)), nil
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	return r
}

// signed reports whether a request carries a signature that covers its body.
func signed(r *http.Request) bool {
	return strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-") || r.URL.Query().Has("X-Amz-Signature")
}

// The bounds of Hygeia-Changes.
const (
	maxChangesHeader = 1024
	moreChanges      = ", ..."
)

// mark says in the header of the answer what was done.
func (x *exchange) mark(h http.Header) {
	for _, name := range []string{"Hygeia-Changes", "Hygeia-Unchanged"} {
		h.Del(name)
	}
	h.Set("Hygeia-Overhead", fmt.Sprintf("%.3fms", float64(x.Overhead)/float64(time.Millisecond)))
	if x.Why != "" {
		h.Set("Hygeia-Unchanged", x.Why)
	}
	if text := x.changes(); text != "" {
		h.Set("Hygeia-Changes", text)
	}
}

// Counts returns the number of changes per rule, of those that went out or would
// have (D-28).
func (x *Exchange) Counts() map[string]int {
	counts := map[string]int{}
	if x.Report != nil {
		for i := range x.Report.Changes {
			counts[x.Report.Changes[i].Rule]++
		}
	}
	return counts
}

// changes lists the rules of the changes with their counts, at most a kilobyte.
func (x *exchange) changes() string {
	var parts []string
	for rule, n := range x.Counts() {
		parts = append(parts, fmt.Sprintf("%s=%d", rule, n))
	}
	slices.Sort(parts)
	if x.Remedy != "" {
		parts = slices.Insert(parts, 0, x.Remedy+"=1")
	}
	text := strings.Join(parts, ", ")
	if len(text) > maxChangesHeader {
		text = text[:maxChangesHeader-len(moreChanges)]
		text = text[:strings.LastIndexByte(text, ',')] + moreChanges
	}
	return text
}
