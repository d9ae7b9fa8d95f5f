package model

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// turn collects an assistant turn while it streams and passes on what happens.
type turn struct {
	call   *Call
	emit   func(Event)
	began  bool // something was passed on
	blocks []*block
	usage  Usage
	stop   string // F-33, "" until the provider says why it stopped
	why    string // a sentence about an end that is none of the model's own
	code   string // the provider's word for that
	id     string // of the answer
	model  string // that the service says it used
	seed   string // of ids that are made here
	settle func() // brings what a decoder still holds into the blocks, may be nil
}

// block is a content block. Its text is kept as JSON spells it, without the
// quotes: pieces of a stream may cut a character in the middle.
type block struct {
	kind      transcript.BlockType // "" for a block that stays as it came
	index     int
	text      []byte
	held      []byte // the end of text that was not passed on yet
	id, name  string
	arguments []byte // of a complete call, a JSON object
	members   []member
	raw       []byte // of a block that stays as it came, a JSON object
	closed    bool   // nothing is added any more
}

// member is a further member of a block.
type member struct {
	name  string
	value []byte // JSON
}

func (t *turn) event(e Event) {
	switch e.Kind {
	case Text, Thinking, ToolStart, ToolDelta, ToolEnd:
		t.began = true
	}
	if t.emit != nil {
		t.emit(e)
	}
}

// open adds an empty block.
func (t *turn) open(kind transcript.BlockType) *block {
	b := &block{kind: kind, index: len(t.blocks)}
	t.blocks = append(t.blocks, b)
	return b
}

// at returns the last block if it is of that kind and can still grow, and a new
// one otherwise.
func (t *turn) at(kind transcript.BlockType) *block {
	if n := len(t.blocks); n > 0 && t.blocks[n-1].kind == kind && !t.blocks[n-1].closed {
		return t.blocks[n-1]
	}
	return t.open(kind)
}

// keep adds a block that the session form has no type for, as it came.
func (t *turn) keep(raw []byte) *block {
	b := t.open("")
	b.raw, b.closed = oneLine(raw), true
	return b
}

// deltas are the events of the pieces of a block.
var deltas = map[transcript.BlockType]EventKind{
	transcript.TypeText: Text, transcript.TypeThinking: Thinking, transcript.TypeToolCall: ToolDelta,
}

// grow adds a piece, which is a JSON string, and passes it on.
func (t *turn) grow(b *block, v jsonline.Value) {
	if !v.IsString() || len(v.Raw) == 2 {
		return
	}
	piece := v.Raw[1 : len(v.Raw)-1]
	b.text = append(b.text, piece...)
	fresh := append(b.held, piece...)
	cut := len(fresh) - unfinished(fresh)
	b.held = append([]byte(nil), fresh[cut:]...)
	if s := decoded(fresh[:cut]); s != "" {
		t.event(Event{Kind: deltas[b.kind], Block: b.index, Text: s})
	}
}

// say is grow for a text of no stream.
func (t *turn) say(b *block, s string) { t.grow(b, jsonline.Text(s)) }

// unfinished is the length of an escaped high surrogate at the end of a piece,
// whose other half comes with the next.
func unfinished(s []byte) int {
	const escape = len(`\ud83d`)
	if len(s) < escape {
		return 0
	}
	before, e := s[:len(s)-escape], s[len(s)-escape:]
	escaped := (len(before)-len(bytes.TrimRight(before, `\`)))%2 == 1 // the backslash is, which makes it text
	if !escaped && e[0] == '\\' && e[1] == 'u' && (e[2]|0x20) == 'd' && strings.IndexByte("89abAB", e[3]) >= 0 {
		return escape
	}
	return 0
}

// decoded is the text of a JSON string without its quotes.
func decoded(s []byte) string {
	if len(s) == 0 {
		return ""
	}
	return jsonline.Parse(quoted(s)).String()
}

func quoted(s []byte) []byte {
	return append(append(append(make([]byte, 0, len(s)+2), '"'), s...), '"')
}

// set gives a block a further member. An absent or empty value sets none.
func (b *block) set(name string, v jsonline.Value) {
	if !v.Exists() || v.IsString() && len(v.Raw) == 2 {
		return
	}
	for i := range b.members {
		if b.members[i].name == name {
			b.members[i].value = v.Raw
			return
		}
	}
	b.members = append(b.members, member{name, v.Raw})
}

// oneLine returns a copy of a JSON text without white space between its parts: a
// line of a session file has no others in it.
func oneLine(raw []byte) []byte {
	v := jsontext.Value(raw).Clone()
	if v.Compact() != nil {
		return bytes.Map(func(r rune) rune {
			if r == '\n' || r == '\r' {
				return ' '
			}
			return r
		}, raw)
	}
	return v
}

// quotedName is a name of a model's in a text of ours.
func quotedName(s string) string {
	const longest = 64
	if len(s) > longest {
		s = s[:longest] + "…"
	}
	return strconv.QuoteToASCII(s)
}

// ended notes why the provider stopped, by its own word and the table of the
// format. A word of no table is an error, since nobody knows whether the answer
// is whole.
func (t *turn) ended(word string, words map[string]string) {
	stop, known := words[word]
	switch {
	case !known:
		t.fail(word, "the provider ended the answer with the unknown reason "+quotedName(word))
	case stop == "":
		t.fail(word, "the provider ended the answer: "+word)
	default:
		t.stop = stop
	}
}

func (t *turn) fail(code, why string) { t.stop, t.code, t.why = Failed, code, why }

// count replaces what is known of the usage, where a number is given.
func count(to *int64, v jsonline.Value) {
	const most = 1 << 53
	if f, ok := v.Number(); ok && f >= 0 && f < most {
		*to = int64(f)
	}
}

func (t *turn) used() { t.event(Event{Kind: UsageKnown, Usage: t.usage}) }
