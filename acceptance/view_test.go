package acceptance_test

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// kind is the kind of a part, by its name in canonical messages.
type kind string

const (
	textPart     kind = "text"
	imagePart    kind = "image"
	thinkingPart kind = "thinking"
	callPart     kind = "toolCall"
	resultPart   kind = "result"
	otherPart    kind = "other"
)

// part is a piece of a turn in a form that does not depend on where it was
// read from.
type part struct {
	kind      kind
	text      string // of a text, of thinking; of a result all its texts
	id        string // of a call; of a result that of its call
	name      string // of a call; of a result the stored tool name
	arguments string // of a call, JSON as it was spelled
	signature string // of thinking or of a call
	mime      string // of an image
	data      string
	isError   bool
	inner     []part // of a result
}

// turn is one message.
type turn struct {
	role  string
	parts []part
	raw   []byte
}

// view is a list of messages: what was read, what goes out, or the body.
type view struct {
	name  string
	turns []turn
	json  []byte // the whole document
}

// all yields every part of a view with its turn, inner ones included.
func (v *view) all(yield func(*turn, *part) bool) {
	for i := range v.turns {
		for j := range v.turns[i].parts {
			p := &v.turns[i].parts[j]
			if !yield(&v.turns[i], p) {
				return
			}
			for k := range p.inner {
				if !yield(&v.turns[i], &p.inner[k]) {
					return
				}
			}
		}
	}
}

// texts returns what a reader of the view sees, in order: texts of turns and
// results and the strings in arguments. Thinking is not among them.
func (v *view) texts() []string {
	var list []string
	for _, p := range v.all {
		switch p.kind {
		case textPart:
			list = append(list, p.text)
		case callPart:
			list = append(list, values([]byte(p.arguments))...)
		}
	}
	return list
}

// values returns the decoded strings in a JSON text, names of members left
// out.
func values(document []byte) []string {
	var list []string
	tokens(document, func(s string, name bool) {
		if !name {
			list = append(list, s)
		}
	})
	return list
}

// tokens calls f with every decoded string of a JSON text.
func tokens(document []byte, f func(s string, name bool)) {
	d := jsontext.NewDecoder(bytes.NewReader(document), loose)
	for {
		t, err := d.ReadToken()
		if err != nil {
			return
		}
		if t.Kind() != '"' {
			continue
		}
		k, n := d.StackIndex(d.StackDepth())
		f(t.String(), k == '{' && n%2 == 1)
	}
}
