package pairs

import (
	"strings"

	"hygeia/hygiene/passes/internal/results"
	"hygeia/transcript"
)

// Table is what Match found.
type Table struct {
	Frames []Frame
	Unused []Unused

	messages []*transcript.Message
	calls    []Call
	ids      map[string]*state
	started  bool // a turn with calls was seen
	current  int  // index in Frames of the frame that is open, -1 when none is
}

// Frame is an assistant turn with calls that is not in order.
type Frame struct {
	At       int // index of the turn
	from, to int // its calls
}

// Call is one occurrence of a tool call.
type Call struct {
	Block  int // index in the content of the turn
	Result int // index of the message that answers it, -1 when none does
	// Rivals is the number of calls in earlier frames that have the same id and
	// had no real result when this one got its.
	Rivals int

	id   *state
	next int // index of the next call with the same id in the frame, -1 when there is none
	real bool
}

// state is what is known of one id.
type state struct {
	frame int // the last frame that has the id
	last  int // its last call there
	free  int // the first call there that nothing claimed, -1 when there is none
	weak  int // no call before it there can be without a real result
	open  int // how many calls of closed frames have no real result
	only  int // such a call, the only one if open is 1
}

// Why says why a result answers no call.
type Why uint8

// The reasons.
const (
	Early     Why = iota // it stands before every call
	Nameless             // it names no call and cannot be adopted
	Orphaned             // no call with its id stands before it and has no result
	Ambiguous            // several calls with its id before its frame have no result
	Surplus              // the calls with its id in its frame have results
	GaveWay              // a stand-in whose place a real result took
)

// Unused is a result that answers no call.
type Unused struct {
	Result int // index of the message
	Why    Why
	// Other is the number of calls for Ambiguous, and the index of the result
	// that has the place for Surplus and GaveWay.
	Other int
}

// IsCall reports whether a block is a call that a result can answer.
func IsCall(b *transcript.Block) bool { return b.IsToolCall() && b.ID() != "" }

// StartsFrame reports whether a message is an assistant turn with calls.
func StartsFrame(m *transcript.Message) bool {
	return m.Is(transcript.Assistant) && m.HasToolCall() && m.Any(IsCall)
}

// Match pairs calls and results. The list is not changed.
func Match(messages []*transcript.Message) *Table {
	t := &Table{messages: messages, current: -1}
	for i := 0; i < len(messages); {
		switch m := messages[i]; {
		case StartsFrame(m):
			t.started = true
			t.close()
			if end, ok := inOrder(messages, i); ok {
				i = end
				continue
			}
			t.open(i)
		case m.Is(transcript.ToolResult):
			t.result(i)
		}
		i++
	}
	return t
}

// Calls returns the calls of a frame in block order.
func (t *Table) Calls(f Frame) []Call { return t.calls[f.from:f.to] }

// inOrder returns the index behind the frame of turn i if nothing in it needs
// attention: the real results of its calls follow it in block order, name their
// tools, and no other result is there.
func inOrder(messages []*transcript.Message, i int) (end int, ok bool) {
	j := i + 1
	for _, b := range messages[i].Blocks() {
		if !IsCall(b) {
			continue
		}
		if j == len(messages) || !answers(messages[j], b.ID()) {
			return 0, false
		}
		j++
	}
	for ; j < len(messages) && !StartsFrame(messages[j]); j++ {
		if messages[j].Is(transcript.ToolResult) {
			return 0, false
		}
	}
	return j, true
}

func answers(m *transcript.Message, id string) bool {
	if !m.Is(transcript.ToolResult) || m.ToolCallID() != id || results.IsSynthetic(m) {
		return false
	}
	name := m.Get("toolName").String()
	return name != "" && name == strings.TrimSpace(name)
}
