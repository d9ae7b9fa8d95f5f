package session

import (
	"fmt"
	"regexp"
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// name fills in the tool of a result that names none (F-47).
func (g *Guard) name(m *transcript.Message) (*transcript.Message, []Problem) {
	if !m.Is(transcript.ToolResult) || m.ToolName() != "" {
		return m, nil
	}
	name := ""
	if i := g.call(m.ToolCallID()); i >= 0 {
		name = g.open[i].name
	}
	name = nameOr(name)
	return m.With("toolName", jsonline.Text(name)), []Problem{{Rule: "F-47", Reason: "the result names no tool; named " + name}}
}

// calls takes out the tool calls that cannot be: without arguments, or of a tool
// that the run does not have. It returns nil where nothing else is left.
func (g *Guard) calls(m *transcript.Message) (*transcript.Message, []Problem) {
	if !m.Is(transcript.Assistant) || !m.HasToolCall() {
		return m, nil
	}
	var notes []Problem
	var kept []*transcript.Block
	for _, b := range m.Blocks() {
		why := ""
		switch {
		case !b.IsToolCall():
		case !given(b.Get("arguments")) && !given(b.Get("input")):
			why = "without arguments"
		case !toolName.MatchString(b.Name()):
			why = "of what is no name of a tool"
		case g.tools != nil && !g.tools[strings.ToLower(b.Name())]:
			why = "of a tool that the run does not have"
		}
		if why == "" {
			kept = append(kept, b)
			continue
		}
		notes = append(notes, Problem{Rule: "F-46", Reason: fmt.Sprintf("call %q of %q, %s, left out", clip(b.ID()), clip(b.Name()), why)})
	}
	switch {
	case len(notes) == 0:
		return m, nil
	case len(kept) == 0:
		return nil, append(notes, Problem{Rule: "F-46", Reason: "nothing is left of the assistant turn; it was not written"})
	}
	return m.WithBlocks(kept), notes
}

// toolName is what a tool can be called.
var toolName = regexp.MustCompile(`^[A-Za-z0-9_:.-]{1,64}$`)

func given(v jsonline.Value) bool { return v.Exists() && v.Kind != jsonline.Null }

func nameOr(name string) string {
	if name == "" {
		return "unknown"
	}
	return name
}
