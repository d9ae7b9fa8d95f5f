package runner

import (
	"context"
	"errors"
	"time"

	"hygeia/runner/model"
	"hygeia/runner/tools"
)

// grace is how long tools may take to end once the run was told to.
const grace = 5 * time.Second

// callTools carries calls out, some of them at the same time, and stores the
// results in the order of the calls. A call that does not end has a stand-in for
// its result (F-46).
func (s *run) callTools(ctx context.Context, calls []model.ToolCall) error {
	if err := s.pause(); err != nil {
		return err
	}
	results := s.gather(withOrigin(ctx, s.prompt.Origin), calls)
	if err := s.resume(ctx); err != nil {
		return err
	}
	for i, r := range results {
		if r == nil {
			continue
		}
		if _, err := s.guard.Append(r.Message(s.call(calls[i]))); err != nil {
			return err
		}
	}
	if err := s.guard.Settle(); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return errors.Join(&model.Error{Kind: model.Aborted, Target: s.Target().Model, Text: "the run was ended"}, context.Cause(ctx))
	}
	return nil
}

func (s *run) call(c model.ToolCall) tools.Call {
	return tools.Call{ID: c.ID, Name: c.Name, Arguments: c.Arguments, Session: s.path, Turn: s.result.Entry}
}

// gather returns the results of calls, nil for those that did not end in time.
func (s *run) gather(ctx context.Context, calls []model.ToolCall) []*tools.Result {
	type done struct {
		i int
		r tools.Result
	}
	ended := make(chan done, len(calls)) // takes all of them: one that comes too late does not wait for ever
	slots := make(chan struct{}, s.o.Parallel)
	list := make([]tools.Call, len(calls)) // of its own: one that begins too late does not look at the run
	for i, c := range calls {
		list[i] = s.call(c)
	}
	go func() {
		for i, c := range list {
			select {
			case slots <- struct{}{}:
			case <-ctx.Done():
			}
			if ctx.Err() != nil {
				ended <- done{i, tools.Result{Text: "the run was ended before this call began", Failed: true}}
				continue
			}
			go func() {
				defer func() { <-slots }()
				ended <- done{i, s.o.Tools.Call(ctx, c)}
			}()
		}
	}()
	results := make([]*tools.Result, len(calls))
	stop, late := ctx.Done(), (<-chan time.Time)(nil)
	for n := 0; n < len(calls); {
		select {
		case d := <-ended:
			n++
			results[d.i] = &d.r
			s.on(Event{Kind: Called, Call: list[d.i], Result: d.r})
		case <-stop:
			stop, late = nil, time.After(grace)
		case <-late:
			return results
		}
	}
	return results
}
