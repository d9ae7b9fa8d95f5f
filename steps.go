package hygeia

import (
	"context"
	"fmt"

	"hygeia/hygiene"
	"hygeia/payload"
	"hygeia/transcript"
)

// steps are what a replay does to a list of messages once it is known for whom: the
// passes, and the body of what they leave.
type steps struct {
	ctx     context.Context
	context *transcript.Context // its messages are those of the whole
	passes  []*hygiene.Pass
	past    *Past
	build   func(*payload.Input) ([]byte, error) // nil: no body
	input   payload.Input                        // without messages, report and names
	name    string
	key     key
}

// outcome is what the steps make of a list.
type outcome struct {
	clean    []*transcript.Message // as the passes leave them
	messages []*transcript.Message // as they go out
	changes  []hygiene.Change      // of the passes, and what Past puts in
	hidden   map[string]int
	notes    []string
	built    hygiene.Report // of the converter
	names    payload.Names
	body     []byte
}

// run carries the steps out. The error is that of the context or of the converter.
func (s *steps) run(list []*transcript.Message) (*outcome, error) {
	c := *s.context
	c.Messages = list
	run := hygiene.Sanitize(&c, s.input.Target, s.input.Policy, s.passes)
	if s.ctx.Err() != nil {
		return nil, s.ctx.Err()
	}
	out := &outcome{clean: run.Messages}
	s.past.stamp(&c, run)
	out.messages, out.changes, out.hidden, out.notes = run.Messages, run.Report.Changes, run.Report.Hidden, run.Report.Notes
	if s.build == nil {
		return out, nil
	}
	in := s.input
	in.Messages, in.Report, in.Names = out.messages, &out.built, &out.names
	var err error
	if out.body, err = s.build(&in); err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	return out, nil
}
