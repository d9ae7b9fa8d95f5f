package wire

import (
	"bytes"
	"errors"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// ErrNoTurns says that a body has no list of turns where its format has one.
var ErrNoTurns = errors.New("no turns")

// Request is the body of a request, taken apart.
type Request struct {
	// API is the format of the body, a name of P-01.
	API string
	// Body is all of it, as it was spelled.
	Body jsonline.Object
	// Messages are what its list of messages says, in canonical form. The
	// origin of each holds its index in this list.
	Messages []*transcript.Message
	// Turns are the elements of that list in the body.
	Turns []Turn

	// What every format has a member of its own for. Zero values stand for
	// what the body does not say.
	Model     string
	System    string // text of the system prompt
	Tools     []Tool
	MaxTokens int    // output limit in tokens
	Thinking  string // level, a name of F-70
	// Left are the members of the body that only its own format has, and tools
	// that the service runs: a request in another format goes out without them.
	Left []string

	places []place // parallel to Messages
}

// Turn is one element of the message list of a body. Messages[From:To] are what
// became of it; they are none where an element is no turn, such as the system
// prompt of some formats.
type Turn struct {
	Raw      jsonline.Value // as it was spelled
	From, To int            // indexes in Messages
}

// place says where in the body a message stood.
type place struct {
	turn   int
	native jsonline.Value // absent where several values made one message
}

// Tool is the definition of a tool that the caller runs.
type Tool struct {
	Name        string         // as the request spells it
	Description jsonline.Value // a string, absent for none
	Schema      jsonline.Value // JSON schema of the arguments, absent for none
}

// Place adds the place of the next message: the turn that was added last, and
// the one JSON value of the body that it was made of, absent if there is none.
// Decoders call it once per message.
func (r *Request) Place(native jsonline.Value) {
	r.places = append(r.places, place{len(r.Turns) - 1, native})
}

// decoded reports whether m stands in the list as it was decoded.
func (r *Request) decoded(m *transcript.Message) bool {
	i := m.Origin.Index
	return r != nil && i >= 0 && i < len(r.Messages) && r.Messages[i] == m
}

// Native returns the JSON value that became m: the element of the message list,
// or the block in it where a tool result is one. It is absent unless m is as it
// was decoded.
func (r *Request) Native(m *transcript.Message) jsonline.Value {
	if !r.decoded(m) {
		return jsonline.Value{}
	}
	return r.places[m.Origin.Index].native
}

// Renamed is Native for a tool result of which nothing but the id of its call may
// be another one.
func (r *Request) Renamed(m *transcript.Message) jsonline.Value {
	if v := r.Native(m); v.Exists() {
		return v
	}
	i := m.Origin.Index
	if r == nil || i < 0 || i >= len(r.Messages) || !m.Is(transcript.ToolResult) {
		return jsonline.Value{}
	}
	const id = "toolCallId"
	if !bytes.Equal(m.Without(id).AppendJSON(nil), r.Messages[i].Without(id).AppendJSON(nil)) {
		return jsonline.Value{}
	}
	return r.places[i].native
}

// TurnOf returns the index in Turns of the element that m came from, -1 if it
// did not come from one.
func (r *Request) TurnOf(m *transcript.Message) int {
	i := m.Origin.Index
	if r == nil || i < 0 || i >= len(r.places) {
		return -1
	}
	return r.places[i].turn
}

// Whole returns the index in Turns of the element that the messages are: all of
// it, in its order, as it was decoded. It is -1 if they are no such thing.
func (r *Request) Whole(list []*transcript.Message) int {
	if len(list) == 0 || !r.decoded(list[0]) {
		return -1
	}
	t := r.TurnOf(list[0])
	if turn := &r.Turns[t]; turn.To-turn.From != len(list) {
		return -1
	}
	for i, m := range list {
		if !r.decoded(m) || m.Origin.Index != r.Turns[t].From+i {
			return -1
		}
	}
	return t
}
