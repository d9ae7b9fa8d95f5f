package emulator

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"strings"
	"unicode/utf8"

	"hygeia/internal/jsonline"
)

// The roles of pieces. What stands behind a call is a user's or a tool's;
// formats differ in that, so both are the user's.
const (
	system    = "system"
	user      = "user"
	assistant = "assistant"
)

// The kinds of pieces.
const (
	text     = "text"
	thinking = "thinking"
	redacted = "redacted"
	toolCall = "call"
	result   = "result"
	other    = "other" // pictures, documents, and what nobody knows
)

// piece is one block, part or item of a request in words that all formats
// share.
type piece struct {
	role, kind string
	text       string // of a call its arguments, of hidden thinking its data
	id, name   string // of a call or result
	seal       string // signature or encrypted content beside it
	message    int    // where it stands: message, content or item
	block      int    // and the block or part in that
}

// conversation is what a request says.
type conversation struct {
	pieces []piece
	extra  int  // bytes of system prompt and tools
	thinks bool // the request asks for thinking
}

func (c *conversation) add(p piece) { c.pieces = append(c.pieces, p) }

// prompt is the text that an answer answers: what users said behind the newest
// assistant piece, or the results there if they said nothing.
func (c *conversation) prompt() string {
	var said, results []string
	for _, p := range c.pieces {
		switch {
		case p.role == assistant:
			said, results = nil, nil
		case p.kind == result:
			results = append(results, p.text)
		case p.kind == text && p.role == user && strings.TrimSpace(p.text) != "":
			said = append(said, p.text)
		}
	}
	if len(said) == 0 {
		said = results
	}
	return strings.Join(said, "\n")
}

// calls returns how many calls stand in the conversation.
func (c *conversation) calls() int {
	n := 0
	for i := range c.pieces {
		if c.pieces[i].kind == toolCall {
			n++
		}
	}
	return n
}

// pictureTokens is about what a picture costs.
const pictureTokens = 1500

// tokens estimates the input tokens: four bytes each. It is not what the
// provider would count, but equal for equal requests.
func (c *conversation) tokens() int {
	n := 3 + tokens(c.extra)
	for _, p := range c.pieces {
		n += 4 + tokens(len(p.text)+len(p.name))
		if p.kind == other {
			n += pictureTokens - tokens(len(p.text))
		}
	}
	return n
}

func tokens(bytes int) int { return (bytes + 3) / 4 }

// prefix is a running digest of a conversation. Thinking is no part of it, since
// a provider that refuses a block tells its caller to remove it; nor is the way
// in which blocks are spread over messages of one role.
type prefix struct{ h hash.Hash }

func newPrefix() prefix { return prefix{sha256.New()} }

func (p prefix) add(c *piece) {
	if c.kind == thinking || c.kind == redacted || c.role == system {
		return
	}
	for _, s := range []string{c.role, c.kind, c.id, c.name, c.text} {
		fmt.Fprintf(p.h, "%d:%s", len(s), s)
	}
}

func (p prefix) sum() [16]byte { return [16]byte(p.h.Sum(nil)) }

// prefix returns the digest of the whole conversation.
func (c *conversation) prefix() prefix {
	p := newPrefix()
	for i := range c.pieces {
		p.add(&c.pieces[i])
	}
	return p
}

// textOf returns the text of a content member: a string, or the text parts of
// an array joined by newlines.
func textOf(content jsonline.Value) string {
	if content.IsString() {
		return content.String()
	}
	var parts []string
	for e := range content.Elements() {
		if t := e.Object().Get("text"); t.IsString() {
			parts = append(parts, t.String())
		}
	}
	return strings.Join(parts, "\n")
}

// words returns the texts of an array of strings.
func words(v jsonline.Value) []string {
	var out []string
	for e := range v.Elements() {
		out = append(out, e.String())
	}
	return out
}

// arguments returns the canonical text of the arguments of a call, which stand
// there as an object or as text.
func arguments(v jsonline.Value) string {
	if !v.IsString() {
		return canonical(v)
	}
	return canonicalText(v.String())
}

func canonicalText(s string) string {
	if v := jsonline.Parse([]byte(s)); v.Exists() {
		return canonical(v)
	}
	return s
}

// cut splits text into the pieces in which it is streamed.
func cut(s string) []string {
	const size = 16 // bytes, about
	var out []string
	for len(s) > size {
		n := size
		if i := strings.IndexByte(s[n:min(len(s), 2*size)], ' '); i >= 0 {
			n += i + 1
		}
		for n < len(s) && !utf8.RuneStart(s[n]) {
			n++
		}
		out, s = append(out, s[:n]), s[n:]
	}
	if s != "" {
		out = append(out, s)
	}
	return out
}
