package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"hygeia"
	"hygeia/internal/jsonline"
	"hygeia/policy"
	"hygeia/runner/model"
	"hygeia/session"
	"hygeia/transcript"
)

// recovery is what a run has learnt from providers that refused its requests.
type recovery struct {
	revise []func(*policy.Policy)
	tried  map[string]bool // remedies of this run, by rule
	// rejected is the id of the last turn whose thinking was refused, until that is
	// stored.
	rejected string
}

// ask sends the next request, and gives the answer, whole or not. The writer
// pauses from then on. There is no answer where no request could be built.
//
// A request that was refused goes out again at most once for what the rulebook
// knows of the refusal (W-903), and once more after a compaction.
func (s *run) ask(ctx context.Context) (*model.Answer, error) {
	r, err := s.request(ctx)
	if err != nil {
		return nil, err
	}
	resent, compacted := false, false
	for {
		if err := s.pause(); err != nil {
			return nil, err
		}
		a, err := s.stream(ctx, r)
		var e *model.Error
		if err == nil || !errors.As(err, &e) || e.Began || ctx.Err() != nil {
			return a, err
		}
		var next *hygeia.Replay
		var why error
		switch {
		case e.Kind == model.Overflow && !compacted && !s.o.NoCompaction:
			compacted = true
			next, why = s.smaller(ctx)
		case (e.Kind == model.Shape || e.Kind == model.Rejected) && !resent:
			resent = true
			next, why = s.otherwise(ctx, e, r)
		case e.Kind == model.Malformed:
			s.keepAnswer(e)
		}
		if next == nil {
			return a, errors.Join(err, why)
		}
		r = next
	}
}

// request builds the next request from what is stored.
func (s *run) request(ctx context.Context) (*hygeia.Replay, error) {
	t := &s.asked
	t.Name, t.Format, t.Context = s.path, hygeia.FormatSession, s.outgoing()
	o := s.o.Replay
	o.Context = ctx
	o.Prompt, o.MessagesOnly, o.Payload.Tools = "", false, s.tools
	o.Payload.System = paragraphs(o.Payload.System, s.prompt.System)
	if len(s.revise) > 0 {
		o.Revise = func(p *policy.Policy) {
			for _, f := range s.revise {
				f(p)
			}
		}
	}
	r, err := t.Replay(s.o.Target, o)
	if err == nil {
		s.result.Requests++
		s.result.Report = r.Report
	}
	return r, err
}

// outgoing returns the context with what goes out around the turn that is being
// answered, and only with it.
func (s *run) outgoing() *transcript.Context {
	c := *s.context
	i := s.last()
	for i >= 0 && c.Messages[i].Origin.Entry != s.active {
		i--
	}
	if i < 0 { // a compaction has summed it up
		return &c
	}
	m, carrier := s.prompt.outgoing(c.Messages[i]), s.prompt.carrier()
	if m == c.Messages[i] && carrier == nil {
		return &c
	}
	c.Messages = slices.Clone(c.Messages)
	c.Messages[i] = m
	if carrier != nil {
		for j := len(c.Messages) - 1; j > i; j-- {
			if c.Messages[j].Is(transcript.User) { // it was sent while the run was active
				i = j
				break
			}
		}
		c.Messages = slices.Insert(c.Messages, i, carrier)
	}
	return &c
}

// stream sends a request and counts what it took.
func (s *run) stream(ctx context.Context, r *hygeia.Replay) (*model.Answer, error) {
	a, err := s.o.Model.Stream(ctx, model.Call{
		Target: r.Resolution.Target, Body: r.Body, BaseURL: r.Resolution.Policy.Model.BaseURL, SessionID: s.context.SessionID,
		ToolName: r.ToolName,
	}, func(e model.Event) { s.on(Event{Kind: Said, Model: e}) })
	err = withoutSecrets(err)
	if a != nil {
		u := &s.result.Usage
		u.Input, u.Output = u.Input+a.Usage.Input, u.Output+a.Usage.Output
		u.CacheRead, u.CacheWrite = u.CacheRead+a.Usage.CacheRead, u.CacheWrite+a.Usage.CacheWrite
	}
	return a, err
}

// otherwise builds the request that a refusal asks for, nil where the rulebook does
// not know it, where nothing can be done about it, or where that would be the same
// request again (W-904).
func (s *run) otherwise(ctx context.Context, e *model.Error, refused *hygeia.Replay) (*hygeia.Replay, error) {
	remedy, known := hygeia.FindRemedy(e.Text + " " + e.Code)
	if !known {
		s.keepAnswer(e)
	}
	if remedy == nil || s.tried[remedy.Rule] {
		return nil, nil
	}
	if s.tried == nil {
		s.tried = map[string]bool{}
	}
	s.tried[remedy.Rule] = true
	s.revise = append(s.revise, remedy.Revise)
	if remedy.Thinking {
		s.reject()
	}
	next, err := s.request(ctx)
	if err != nil || bytes.Equal(next.Body, refused.Body) {
		return nil, err
	}
	why := fmt.Sprintf("%s: %s", remedy.Rule, remedy.Title)
	next.Report.Note("refused before: " + why)
	s.result.Resent = append(s.result.Resent, why)
	s.on(Event{Kind: Resent, Text: why})
	return next, nil
}

// keepAnswer keeps an answer that nobody knows for the operator, and says so.
func (s *run) keepAnswer(e *model.Error) {
	if s.o.Unknown == nil {
		return
	}
	note := "the answer of the provider, which no rule knows, is kept in " + s.o.Unknown.path
	if err := s.o.Unknown.keep(s.o.Now(), e); err != nil {
		note = "the answer of the provider, which no rule knows, could not be kept: " + err.Error()
	}
	s.result.Notes = append(s.result.Notes, note)
}

// reject takes the thinking of all turns so far for refused.
func (s *run) reject() {
	for i := s.last(); i >= 0; i-- {
		if m := s.context.Messages[i]; m.Is(transcript.Assistant) && m.HasThinking() {
			s.context.RejectedThinking, s.rejected = m.Origin.Position, m.Origin.Entry
			return
		}
	}
}

// confirm stores that thinking was refused, once a request without it was accepted
// (R-112, D-22).
func (s *run) confirm(failed error) error {
	if s.rejected == "" || failed != nil {
		return nil
	}
	data := jsonline.Object{}.With("entryId", jsonline.Text(s.rejected))
	s.rejected = ""
	_, err := s.w.Append(transcript.NewEntry(transcript.EntryCustom).
		With("customType", jsonline.Text(session.RejectedThinking)).With("data", data.Value()))
	return err
}

// smaller compacts the session and builds the request anew.
func (s *run) smaller(ctx context.Context) (*hygeia.Replay, error) {
	if err := s.resume(ctx); err != nil {
		return nil, err
	}
	if err := s.compact(ctx, session.CompactedOnOverflow, "the request was too large for the model"); err != nil {
		return nil, fmt.Errorf("compaction: %w", err)
	}
	return s.request(ctx)
}

// withoutSecrets takes secrets out of what a provider says in an error: it may
// repeat what was sent to it.
func withoutSecrets(err error) error {
	e, ok := err.(*model.Error)
	if !ok {
		return err
	}
	safe := *e
	r := redactor()
	safe.Text, safe.Code = r.Text(e.Text), r.Text(e.Code)
	if e.Body != nil {
		safe.Body = []byte(r.Text(strings.ToValidUTF8(string(e.Body), "\uFFFD")))
	}
	return &safe
}

// redactor is the built-in one, whose patterns are tested.
var redactor = sync.OnceValue(func() *session.Redactor {
	r, _ := session.NewRedactor()
	return r
})
