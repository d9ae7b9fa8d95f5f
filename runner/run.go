package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"hygeia"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/runner/model"
	"hygeia/session"
	"hygeia/transcript"
)

// run is a run under way.
type run struct {
	*Runner
	live
	path   string
	prompt Prompt
	on     func(Event)
	result *Result

	w      *session.Writer
	guard  *session.Guard
	paused bool              // the writer has given up the lock
	active string            // id of the entry of the turn that is being answered
	asked  hygeia.Transcript // of the last request, which the next one begins with
	recovery
}

func (s *run) run(ctx context.Context) (err error) {
	o := s.o.Write
	o.Added = s.added
	if s.w, err = session.OpenWriter(ctx, s.path, o); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.w.Close()) }()
	s.guard = session.NewGuard(s.w, s.o.Guard)
	defer s.tellGuard()
	s.tellRepair()
	if err := s.load(s.w.Session(), ""); err != nil {
		return err
	}
	done, err := s.begin()
	if err != nil || done {
		return err
	}
	err = s.answer(ctx)
	if !s.paused { // calls that were not carried out have stand-ins for their results (F-46)
		err = errors.Join(err, s.guard.Settle())
	}
	if err != nil {
		return err
	}
	if s.due() {
		// What the model said is stored; a compaction that fails is tried again by
		// the next run.
		if err := s.compact(ctx, session.CompactedAtLimit, "the context window is nearly full"); err != nil {
			s.result.Notes = append(s.result.Notes, "compaction: "+err.Error())
		}
	}
	return nil
}

func (s *run) tellRepair() {
	r := s.w.Repair()
	if r == nil || r.Changes == 0 {
		return
	}
	s.result.Repair = r
	s.on(Event{Kind: Repaired, Text: fmt.Sprintf("%d changes to the session file", r.Changes)})
}

func (s *run) tellGuard() {
	for _, p := range s.guard.Report() {
		s.result.Notes = append(s.result.Notes, noteOf(p))
	}
}

// answer lets the model answer until it calls no more tools and nothing more was
// sent to the session.
func (s *run) answer(ctx context.Context) error {
	for n := 0; ; n++ {
		if n == s.o.MaxCalls {
			return fmt.Errorf("%w: %d requests", ErrTooManyCalls, n)
		}
		a, err := s.ask(ctx)
		if a == nil {
			return err
		}
		calls, stored := s.store(ctx, a, err)
		if err != nil || stored != nil {
			return errors.Join(err, stored)
		}
		if len(calls) > 0 {
			if err := s.callTools(ctx, calls); err != nil {
				return err
			}
		}
		more, err := s.receive()
		if err != nil || len(calls) == 0 && !more {
			return err
		}
	}
}

// store adds what the model said, whole or not, and returns the calls that are to
// be carried out. Of an answer without anything only that it failed is kept
// (F-51, Q-04), and nothing where no request went out.
func (s *run) store(ctx context.Context, a *model.Answer, failed error) (calls []model.ToolCall, err error) {
	s.result.Text, s.result.StopReason = a.Text, a.StopReason
	var e *model.Error
	if errors.As(failed, &e) && e.Kind == model.Unready {
		return nil, s.resume(ctx)
	}
	if err := s.resume(ctx); err != nil {
		return nil, err
	}
	if err := s.confirm(failed); err != nil {
		return nil, err
	}
	m, err := s.reader.Message(a.Message)
	if err != nil {
		return nil, fmt.Errorf("the answer of %s: %w", s.Target().Model, err)
	}
	if m.StopReason() == transcript.StopAborted {
		m = m.With("openclawAbort", s.stopped())
	}
	if m.StopReason() == transcript.StopError && len(m.Blocks()) == 0 {
		m = m.WithBlocks([]*transcript.Block{transcript.NewTextBlock(texts.FailedTurn)})
	}
	id, err := s.guard.Append(m)
	if err != nil || id == "" {
		return nil, err
	}
	s.result.Entry = id
	if failed != nil || a.StopReason != model.ToolUse {
		return nil, nil
	}
	kept := map[string]bool{} // the guard leaves out what cannot be a call
	for _, b := range s.context.Messages[s.last()].Blocks() {
		if b.IsToolCall() {
			kept[b.ID()] = true
		}
	}
	for _, c := range a.Calls {
		if kept[c.ID] {
			calls = append(calls, c)
		}
	}
	return calls, nil
}

// stopped says that somebody ended the run, for readers that look for it (F-32).
func (s *run) stopped() jsonline.Value {
	o := jsonline.Object{}.With("aborted", jsonline.Bool(true)).With("origin", jsonline.Text("run"))
	if id := strings.TrimSuffix(s.prompt.Key, ":user"); id != "" { // H-22
		o = o.With("runId", jsonline.Text(id))
	}
	return o.Value()
}

// pause gives the lock up.
func (s *run) pause() error {
	if s.paused {
		return nil
	}
	s.paused = true
	return s.w.Pause()
}

// resume takes the lock again, also where the run was told to end: what was said
// is to be stored.
func (s *run) resume(ctx context.Context) error {
	if !s.paused {
		return nil
	}
	const patience = 30 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	err := s.w.Resume(ctx)
	s.paused = err != nil
	return err
}

// due reports whether the session is to be compacted (C-04).
func (s *run) due() bool {
	if s.o.NoCompaction {
		return false
	}
	size := int64(0)
	if info, err := os.Stat(s.path); err == nil {
		size = info.Size()
	}
	return s.o.Limits.Due(s.context, size)
}
