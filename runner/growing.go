package runner

import (
	"strings"

	"hygeia/runner/model"
)

// Growing is the turn that a model is saying, for who shows it before it is stored.
// The zero value is one that has not begun. It is not safe for concurrent use.
type Growing struct {
	text, thinking strings.Builder
	calls          []*growingCall
}

type growingCall struct {
	block     int
	name      string
	arguments strings.Builder
}

// GrowingCall is a call that a model is making.
type GrowingCall struct {
	Name string `json:"name"`
	// Arguments are the beginning of its arguments, JSON that may have no end.
	Arguments string `json:"arguments,omitempty"`
}

// longestArguments is how much of the arguments of a growing call is kept, in bytes.
const longestArguments = 1 << 10

// Hear takes an event of the run. The text stays until a tool has given its result or a
// message has come, since it is stored then; thinking and calls go when the turn is
// complete.
func (g *Growing) Hear(e Event) {
	switch {
	case e.Kind == Called, e.Kind == Received:
		*g = Growing{}
	case e.Kind != Said:
	case e.Model.Kind == model.Text:
		g.text.WriteString(e.Model.Text)
	case e.Model.Kind == model.Thinking:
		g.thinking.WriteString(e.Model.Text)
	case e.Model.Kind == model.ToolStart:
		g.calls = append(g.calls, &growingCall{block: e.Model.Block, name: e.Model.Name})
	case e.Model.Kind == model.ToolDelta:
		g.argue(e.Model)
	case e.Model.Kind == model.ToolEnd: // not every provider sends arguments in pieces
		if c := g.call(e.Model.Block); c != nil && c.arguments.Len() == 0 {
			g.argue(e.Model)
		}
	case e.Model.Kind == model.Stopped:
		g.thinking.Reset()
		g.calls = nil
	}
}

func (g *Growing) call(block int) *growingCall {
	for _, c := range g.calls {
		if c.block == block {
			return c
		}
	}
	return nil
}

// argue adds to the arguments of a call as far as they are kept.
func (g *Growing) argue(e model.Event) {
	if c := g.call(e.Block); c != nil {
		c.arguments.WriteString(e.Text[:max(0, min(longestArguments-c.arguments.Len(), len(e.Text)))])
	}
}

// Text is what the model says so far.
func (g *Growing) Text() string { return g.text.String() }

// Thinking is what it thinks.
func (g *Growing) Thinking() string { return g.thinking.String() }

// Calls are the calls that it is making, in order.
func (g *Growing) Calls() (list []GrowingCall) {
	for _, c := range g.calls {
		list = append(list, GrowingCall{c.name, strings.ToValidUTF8(c.arguments.String(), "")})
	}
	return list
}
