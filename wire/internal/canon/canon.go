// Package canon writes the canonical messages of a decoder. They are written as
// JSON text, spliced from the body, and read by the one reader of messages when
// the list is complete.
package canon

import (
	"fmt"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
	"hygeia/wire"
	"hygeia/wire/internal/tree"
)

// List is a list of messages that is being written.
type List struct {
	req  *wire.Request
	out  []byte
	n    int  // messages begun
	item bool // the open content holds a block
}

// New returns an empty list for the body of a request, size bytes long.
func New(req *wire.Request, size int) *List {
	return &List{req: req, out: append(make([]byte, 0, size+size/8+64), '[')}
}

// Parse reads the body of a request to an API. The error says where it is no JSON.
func Parse(body []byte, api string) (*wire.Request, tree.Node, error) {
	root, err := tree.Parse(body)
	if err != nil {
		return nil, root, fmt.Errorf("request body: %w", err)
	}
	return &wire.Request{API: api, Body: jsonline.ParseObject(root.Value().Raw)}, root, nil
}

// NoTurns is [wire.ErrNoTurns] for a body without the list of that name.
func NoTurns(list string) error {
	return fmt.Errorf("%w: the body has no list %q", wire.ErrNoTurns, list)
}

// mostTokens is the largest limit that is taken for one.
const mostTokens = 1 << 31

// Limit returns the number of tokens that a member of a body asks for, 0 for none.
func Limit(n tree.Node) int {
	if limit, _ := n.Value().Number(); limit >= 1 && limit <= mostTokens {
		return int(limit)
	}
	return 0
}

// Turn begins an element of the message list of the body.
func (l *List) Turn(n tree.Node) {
	l.endTurn()
	l.req.Turns = append(l.req.Turns, wire.Turn{Raw: n.Value(), From: l.n})
}

func (l *List) endTurn() {
	if k := len(l.req.Turns); k > 0 {
		l.req.Turns[k-1].To = l.n
	}
}

// Begin begins a message. Native is the value that it is made of.
func (l *List) Begin(role transcript.Role, native jsonline.Value) {
	if l.n > 0 {
		l.Raw(`,`)
	}
	l.n++
	l.req.Place(native)
	l.Raw(`{"role":`)
	l.Text(string(role))
}

// Raw appends JSON text.
func (l *List) Raw(s string) { l.out = append(l.out, s...) }

// Text appends a string.
func (l *List) Text(s string) { l.out = jsonline.AppendQuoted(l.out, s) }

// Copy appends a value as it was spelled.
func (l *List) Copy(n tree.Node) { l.out = append(l.out, n.Value().Raw...) }

// Member appends a member with the value of a node, none if that is absent.
func (l *List) Member(name string, n tree.Node) {
	if n.Exists() {
		l.Raw(`,"` + name + `":`)
		l.Copy(n)
	}
}

// TextMember appends a member with a string.
func (l *List) TextMember(name, s string) {
	l.Raw(`,"` + name + `":`)
	l.Text(s)
}

// Rest appends the members of n but the named ones.
func (l *List) Rest(n tree.Node, but ...string) { l.out = n.AppendRest(l.out, but...) }

// Content begins a list of blocks.
func (l *List) Content() {
	l.Raw(`,"content":[`)
	l.item = false
}

// Next begins a block of the content.
func (l *List) Next() {
	if l.item {
		l.Raw(`,`)
	}
	l.item = true
}

// Block appends a value as a block of the content.
func (l *List) Block(n tree.Node) {
	l.Next()
	l.Copy(n)
}

// TextBlock appends a text block with the string n.
func (l *List) TextBlock(n tree.Node) {
	l.Next()
	l.Raw(`{"type":"text","text":`)
	l.Copy(n)
	l.Raw(`}`)
}

// EndContent ends the list of blocks.
func (l *List) EndContent() { l.Raw(`]`) }

// End ends a message.
func (l *List) End() { l.Raw(`}`) }

// Odd appends an element of the message list that is no object.
func (l *List) Odd(n tree.Node) {
	if l.n > 0 {
		l.Raw(`,`)
	}
	l.n++
	l.req.Place(n.Value())
	l.Copy(n)
}

// Close reads the messages into the request.
func (l *List) Close() error {
	l.endTurn()
	l.Raw(`]`)
	var r transcript.Reader
	var err error
	if l.req.Messages, err = r.Messages(l.out); err != nil {
		return fmt.Errorf("messages of the request: %w", err)
	}
	return nil
}
