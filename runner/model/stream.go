package model

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"mime"
	"net/http"
	"time"
)

// sending is one call with all its attempts.
type sending struct {
	client   *Client
	call     *Call
	ctx      context.Context // of the caller
	attempt  context.Context // of the request under way
	on       func(Event)
	road     road
	secrets  secrets
	attempts int
	turn     *turn
}

// The limits on time.
var (
	errFirstByte = errors.New("the provider did not begin to answer in time")
	errIdle      = errors.New("the provider stopped in the middle of the answer")
)

// Stream sends the request, passes on what happens (on may be nil) and returns
// the answer. The error is an *[Error] or nil. The answer is never nil: with an
// error its stop reason is [Failed] or [Cancelled] and it holds what was
// received, which may be nothing.
//
// An overloaded provider is asked again, and one that limits the rate if it says
// how long to wait: only while nothing was passed on, and never longer than
// [Limits.Wait].
func (c *Client) Stream(ctx context.Context, call Call, on func(Event)) (*Answer, error) {
	s := &sending{client: c, call: &call, ctx: ctx, on: on}
	for {
		s.turn = &turn{call: &call, emit: on}
		s.attempts++
		e := s.once()
		if e == nil {
			s.turn.event(Event{Kind: Stopped, Text: s.turn.stop})
			return s.turn.answer(c.config.Now(), nil), nil
		}
		if wait, again := s.wait(e); again {
			if s.pause(wait) {
				continue
			}
			e = s.error(ctx.Err())
		}
		return s.turn.answer(c.config.Now(), e), e
	}
}

// wait decides whether the request is sent again, and when.
func (s *sending) wait(e *Error) (time.Duration, bool) {
	l := &s.client.config.Limits
	switch {
	case e.Began, s.attempts > s.client.config.Retries, e.RetryAfter > l.Wait:
		return 0, false
	case e.RetryAfter > 0 && (e.Kind == Overloaded || e.Kind == RateLimit):
		return e.RetryAfter, true
	case e.Kind != Overloaded:
		return 0, false
	}
	d := l.Backoff
	for range s.attempts - 1 {
		if d < l.Wait {
			d *= 2
		}
	}
	d = min(d, l.Wait)
	return d/2 + rand.N(d/2+1), true // not all callers at once
}

// pause lets time pass and reports whether the caller still waits.
func (s *sending) pause(d time.Duration) bool {
	s.turn.event(Event{Kind: Retrying, Wait: d})
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.ctx.Done():
		return false
	}
}

// once sends the request once.
func (s *sending) once() *Error {
	l := &s.client.config.Limits
	attempt, end := context.WithCancelCause(s.ctx)
	defer end(nil)
	s.attempt = attempt
	w := &watched{
		bytes: l.Bytes, wait: l.Idle,
		first: time.AfterFunc(l.FirstByte, func() { end(errFirstByte) }),
		idle:  time.AfterFunc(l.Idle, func() { end(errIdle) }),
	}
	w.idle.Stop()
	defer w.first.Stop()
	err := s.send(w)
	if err == nil {
		return nil
	}
	return s.error(err)
}

// cause is why the request under way was ended, nil if it was not.
func (s *sending) cause() error { return context.Cause(s.attempt) }

func (s *sending) send(body *watched) error {
	var known bool
	if s.road, known = roadOf(s.call.Target.Provider, s.call.Target.API); !known {
		return notReady("there is no client for API %q", s.call.Target.API)
	}
	r, err := s.request()
	if err != nil {
		return err
	}
	answer, err := s.client.http.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	body.r, answer.Body = answer.Body, struct {
		io.Reader
		io.Closer
	}{body, answer.Body}
	if err := s.acceptable(answer); err != nil {
		return err
	}
	decode := s.road.decode(s.turn)
	err = s.road.frame(body, s.client.config.Limits.Event, func(name string, data []byte) error {
		if err := s.ctx.Err(); err != nil {
			return err // what was received already is not passed on any more
		}
		return decode(name, data)
	})
	if err != nil && !errors.Is(err, errDone) {
		return err
	}
	if err := s.turn.finish(); err != nil {
		return err
	}
	if s.turn.stop == Failed {
		return &ended{s.turn.code, s.turn.why}
	}
	return nil
}

// acceptable looks at status and type of an answer.
func (s *sending) acceptable(r *http.Response) error {
	now := s.client.config.Now()
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch {
	case r.StatusCode >= 300 && r.StatusCode < 400:
		return &fault{status: r.StatusCode, text: "the provider redirects to another address, which is not followed"}
	case r.StatusCode != http.StatusOK:
		return faultOf(r, r.StatusCode, now)
	case kind == "application/json" && s.road.accept != linesType:
		if e := faultOf(r, 0, now); e.told {
			return e
		}
		return bad("the answer is no stream")
	case kind == "text/html":
		return bad("the answer is a page of HTML")
	}
	return nil
}

// ended is an answer that ended for a reason which is none of the model's own.
type ended struct{ code, why string }

func (e *ended) Error() string { return e.why }

// watched counts the bytes of an answer and notes when they come. Time passes for
// the provider only while somebody waits for it.
type watched struct {
	r           io.Reader
	bytes       int // that an answer may have
	n           int
	first, idle *time.Timer
	wait        time.Duration // for the next byte
}

func (w *watched) Read(p []byte) (int, error) {
	if w.n > 0 {
		w.idle.Reset(w.wait)
		defer w.idle.Stop()
	}
	n, err := w.r.Read(p)
	if n > 0 {
		w.first.Stop()
	}
	if w.n += n; w.n > w.bytes {
		return 0, bad("the answer is larger than %d bytes", w.bytes)
	}
	return n, err
}
