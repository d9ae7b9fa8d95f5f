package acceptance_test

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"hygeia"
	"hygeia/hygiene"
	"hygeia/transcript"
)

// outcome is everything that assertions look at.
type outcome struct {
	in   *view // the messages that were read
	out  *view // the messages that go out
	body *view // the request, nil with messages only

	// input is what was read, as it was.
	input []byte

	report *hygiene.Report
	// printed is the report as JSON.
	printed []byte
	// file is what was read about a session file, nil for a message list.
	file *sessionFile

	// again reads and replays the same input once more.
	again func() (*outcome, error)
	// settled replays the messages that go out.
	settled func() (*outcome, error)
	// cut replays the first n messages of what was read.
	cut func(n int) (*outcome, error)
}

// views returns what goes out: the messages, and the body if there is one.
func (o *outcome) views() []*view {
	if o.body == nil {
		return []*view{o.out}
	}
	return []*view{o.out, o.body}
}

// wire returns the body, or the messages where there is none.
func (o *outcome) wire() *view {
	if o.body == nil {
		return o.out
	}
	return o.body
}

// replay reads the input of a case and replays it to a target.
func (c *caseFile) replay(t target) (*outcome, error) {
	read, err := hygeia.Read(bytes.NewReader(c.input), c.name, hygeia.OpenOptions{Format: c.format})
	if err != nil {
		return nil, err
	}
	before := join(read.Context.Messages)
	o, err := replay(read, t)
	if err != nil {
		return nil, err
	}
	if after := join(read.Context.Messages); !bytes.Equal(before, after) {
		return nil, fmt.Errorf("the replay changed what was read (G-3)")
	}
	if read.Session != nil {
		o.file = readFile(read)
	}
	o.input = c.input
	o.again = func() (*outcome, error) { return c.replay(t) }
	return o, nil
}

// replay replays what was read.
func replay(read *hygeia.Transcript, t target) (*outcome, error) {
	r, err := read.Replay(t.Target, hygeia.ReplayOptions{MessagesOnly: t.messagesOnly})
	if err != nil {
		return nil, err
	}
	o := &outcome{report: r.Report}
	if o.printed, err = read.ReportJSON(r); err != nil {
		return nil, err
	}
	if !jsontext.Value(o.printed).IsValid() {
		return nil, fmt.Errorf("the report is no JSON: %s", o.printed)
	}
	if o.in, err = readMessages("input", join(read.Context.Messages)); err != nil {
		return nil, err
	}
	if o.out, err = readMessages("messages", r.MessagesJSON()); err != nil {
		return nil, err
	}
	if r.Body != nil {
		if o.body, err = viewBody(r.Resolution.Target.API, r.Body); err != nil {
			return nil, err
		}
	}
	o.settled = func() (*outcome, error) {
		return replay(with(read, r.Messages), t)
	}
	o.cut = func(n int) (*outcome, error) {
		return replay(with(read, read.Context.Messages[:n]), t)
	}
	return o, nil
}

// with returns what was read with other messages.
func with(read *hygeia.Transcript, messages []*transcript.Message) *hygeia.Transcript {
	c := *read.Context
	c.Messages = messages
	return &hygeia.Transcript{Name: read.Name, Format: read.Format, Context: &c, Session: read.Session, Request: read.Request}
}

// join writes messages as a JSON array.
func join(messages []*transcript.Message) []byte {
	b := []byte{'['}
	for i, m := range messages {
		if i > 0 {
			b = append(b, ',')
		}
		b = m.AppendJSON(b)
	}
	return append(b, ']')
}
