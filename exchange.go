package hygeia

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
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

	// names are those of tools by the ones under which they went out, nil where
	// none went out as another one (W-176, W-231).
	names map[string]string

	learn func() // remembers what became of the body, nil for nothing
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
	if x.learn != nil {
		x.t.memo.meanwhile(x.learn)
	}
	answer, err := x.next(r)
	if err != nil {
		return nil, err
	}
	answer = x.again(answer)
	if err := x.rename(answer); err != nil {
		return nil, err
	}
	x.Status = answer.StatusCode
	x.mark(answer.Header)
	return answer, nil
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
	in := io.LimitReader(r, limit+1)
	part := min(max(size, 0), trustedSize)
	b.Grow(int(part) + bytes.MinRead)
	for part < size {
		if _, err := b.ReadFrom(io.LimitReader(in, part-int64(b.Len()))); err != nil || int64(b.Len()) < part {
			return b.Bytes(), err
		}
		part = min(size, trustedGrowth*part)
		b.Grow(int(part) - b.Len() + bytes.MinRead)
	}
	_, err := b.ReadFrom(in)
	if err == nil && int64(b.Len()) > limit {
		err = coding.ErrTooLarge
	}
	return b.Bytes(), err
}

// trustedSize is how many bytes are set aside for a body of which nothing has
// come yet, trustedGrowth how many times what has come.
const (
	trustedSize   = 1 << 20
	trustedGrowth = 8
)

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
		x.names = s.names
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

// request returns the request that goes out with a body, nil for the one that
// came in.
func (x *exchange) request(body []byte) *http.Request {
	r := x.in.WithContext(x.in.Context()) // a copy that shares the headers
	x.sent = body
	switch {
	case body == nil:
		body = x.raw
	case r.Header.Get("Content-Encoding") != "":
		r.Header = r.Header.Clone()
		r.Header.Del("Content-Encoding")
	}
	if !x.t.DryRun && x.t.Replay.identified(x.Target.API) {
		r.Header = r.Header.Clone()
		identify(r.Header)
	}
	if x.names != nil {
		r.Header = r.Header.Clone()
		r.Header.Set("Accept-Encoding", "identity") // names in the answer are mapped back
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
