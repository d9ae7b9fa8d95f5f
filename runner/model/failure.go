package model

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"hygeia/internal/jsonline"
)

// fault is what a provider says is wrong, by status and body or in the middle of
// a stream.
type fault struct {
	status int // 0 in a stream
	code   string
	text   string
	body   []byte
	after  time.Duration
	told   bool // the provider gives a reason
}

func (f *fault) Error() string { return f.text }

// The longest texts that are kept, in bytes.
const (
	maxText = 4 << 10
	maxBody = 64 << 10
	maxCode = 128
)

// faultIn returns the fault that an event of a stream tells.
func faultIn(data []byte) error {
	f := &fault{body: data}
	f.read()
	return f
}

// faultOf returns the fault of an answer with an error status, 0 where only the
// body may know of one.
func faultOf(r *http.Response, status int, now time.Time) *fault {
	body, _ := io.ReadAll(io.LimitReader(r.Body, maxBody)) // what came of it is what there is
	f := &fault{status: status, body: body, after: retryAfter(r.Header, now)}
	f.read()
	if code := r.Header.Get("X-Amzn-Errortype"); code != "" {
		f.code, _, _ = strings.Cut(code, ":")
	}
	return f
}

// read finds code and text in the body.
func (f *fault) read() {
	f.find(jsonline.Parse(f.body), 0)
	f.told = f.text != ""
	f.after = cmp.Or(f.after, retryDelay(f.body))
	f.text = f.text[:min(len(f.text), maxBody)] // more is neither read nor shown
	if f.text == "" && jsonline.Parse(f.body).Kind != jsonline.ObjectKind {
		f.text = strings.TrimSpace(string(f.body)) // proxies answer in words
	}
	if f.text == "" {
		f.text = strings.TrimSpace("the provider gives no reason. " + http.StatusText(f.status))
	}
}

// wrappings is how many objects, lists and texts may stand in each other. The
// message in a list of errors that a router quotes is the sixth.
const wrappings = 8

// inside are the members in which an error stands in another: the text that the
// provider behind a router sent goes before what the router says itself (W-524).
var inside = [][]string{{"metadata", "raw"}, {"error"}, {"response", "error"}, {"detail"}, {"message"}, {"msg"}}

// find takes code and text out of an error of any shape (file 90 §0).
func (f *fault) find(v jsonline.Value, depth int) {
	if depth > wrappings || !v.Exists() {
		return
	}
	if v.Kind == jsonline.Array {
		for e := range v.Elements() {
			f.find(e, depth+1)
			return
		}
	}
	if v.IsString() {
		text := strings.TrimSpace(v.String())
		if nested := jsonline.Parse([]byte(text)); nested.Kind == jsonline.ObjectKind || nested.Kind == jsonline.Array {
			f.find(nested, depth+1)
		}
		if f.text == "" {
			f.text = text
		}
		return
	}
	o := v.Object()
	for _, path := range inside {
		if f.text == "" {
			f.find(under(o, path...), depth+1)
		}
	}
	for _, name := range []string{"code", "status", "type", "__type"} {
		switch c := o.Get(name); {
		case c.Kind == jsonline.Number && f.status == 0:
			if n, ok := c.Number(); ok && n >= 400 && n < 600 {
				f.status = int(n)
			}
		case f.code != "" || c.String() == "error":
		default:
			f.code = c.String()
		}
	}
}

// retryAfter is how long a provider asks to wait: seconds, milliseconds, or a
// date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 && ms < float64(maxDelay/time.Millisecond) {
		return time.Duration(ms * float64(time.Millisecond))
	}
	v := h.Get("Retry-After")
	if s, err := strconv.ParseFloat(v, 64); err == nil {
		if s > 0 {
			return time.Duration(min(s, maxDelay.Seconds()) * float64(time.Second))
		}
		return 0
	}
	if at, err := http.ParseTime(v); err == nil {
		return min(max(0, at.Sub(now)), maxDelay)
	}
	return 0
}

// retryDelay is the same where it stands in the body, as Google has it.
func retryDelay(body []byte) time.Duration {
	v := jsonline.Parse(body)
	for e := range v.Elements() {
		v = e // an error may come in a list
		break
	}
	for detail := range under(v.Object(), "error", "details").Elements() {
		if d, err := time.ParseDuration(detail.Object().Get("retryDelay").String()); err == nil {
			return min(max(0, d), maxDelay)
		}
	}
	return 0
}

// maxDelay is the longest time that a provider is believed to ask for.
const maxDelay = 24 * time.Hour

// error makes the error of a call out of what happened. Secrets are taken out of
// all texts. A cause stays only where its text is known: others may hold a URL.
func (s *sending) error(err error) *Error {
	e := &Error{Target: s.call.Target.Provider + "/" + s.call.Target.Model, Began: s.turn.began, Attempts: s.attempts}
	var f *fault
	var m *malformed
	var stopped *ended
	var u *unready
	switch {
	case s.ctx.Err() != nil:
		e.Kind, e.Text, e.err = Aborted, "the caller ended the call", s.ctx.Err()
	case errors.Is(s.cause(), errFirstByte), errors.Is(s.cause(), errIdle):
		e.Kind, e.Text, e.err = Timeout, s.cause().Error(), s.cause()
	case errors.As(err, &f):
		e.Kind, e.Status, e.Code, e.Text, e.RetryAfter = f.kind(), f.status, f.code, f.text, f.after
		if e.Body = []byte(s.secrets.hide(string(f.body))); len(e.Body) > maxBody {
			e.Body = e.Body[:maxBody]
		}
	case errors.As(err, &stopped):
		e.Kind, e.Code, e.Text = cmp.Or(stopKinds[stopped.code], Refused), stopped.code, stopped.why
	case errors.As(err, &m):
		e.Kind, e.Text = Malformed, m.why
	case errors.As(err, &u):
		e.Kind, e.Text = Unready, u.why
	default:
		e.Kind, e.Text = Network, networkText(err)
	}
	e.Text, e.Code = bounded(s.secrets.hide(e.Text), maxText), bounded(s.secrets.hide(e.Code), maxCode)
	return e
}

// unready is an error about what is not configured.
type unready struct{ why string }

func (u *unready) Error() string { return u.why }

func notReady(format string, args ...any) error { return &unready{fmt.Sprintf(format, args...)} }

func bounded(s string, n int) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
