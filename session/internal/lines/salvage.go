package lines

import (
	"bytes"
	"errors"
	"fmt"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// damaged takes a line that is not one JSON value: NUL bytes or a byte-order
// mark in front, several records, a record cut off or behind or inside one that
// was.
func (a *assembler) damaged(text []byte, num int) {
	text = a.strip(text, num)
	count := 0
	for len(text) > 0 {
		e, n := a.object(text, num)
		if e == nil {
			break
		}
		a.record(a.recovered(e, num))
		count++
		text = bytes.Trim(text[n:], "\x00")
	}
	if count > 1 {
		a.salvaged(num, num, fmt.Sprintf("%d records on one line", count))
	}
	if len(text) > 0 {
		a.torn(text, num)
	}
}

// strip takes white space, NUL bytes and a byte-order mark off a line.
func (a *assembler) strip(text []byte, num int) []byte {
	if rest, ok := bytes.CutPrefix(text, []byte("\xef\xbb\xbf")); ok {
		a.mark(num)
		text = rest
	}
	text = bytes.Trim(text, space)
	if rest := bytes.Trim(text, space+"\x00"); len(rest) < len(text) {
		a.fault(Fault{
			Line: num, Last: num, Rule: "F-B11",
			Reason: fmt.Sprintf("%d NUL bytes", bytes.Count(text, []byte{0})-bytes.Count(rest, []byte{0})),
		})
		text = rest
	}
	return text
}

// mark reports a byte-order mark. In front of the file it may stay (F-B10).
func (a *assembler) mark(num int) {
	f := Fault{Line: num, Last: num, Rule: "F-B10", Reason: "a byte-order mark"}
	if num > 1 {
		a.fault(f)
		return
	}
	f.Note = true
	a.sink.Fault(f)
}

// recovered is a record that is not a line of its own. Its raw line is its own
// text.
func (a *assembler) recovered(e *transcript.Entry, num int) Record {
	p := parser{}
	return Record{Line: num, Last: num, Entry: e, Digest: p.digest(e, num, e.AppendJSON(nil))}
}

// object reads the object that text begins with and returns its length in
// text, nil if there is none. Control characters inside its strings are escaped
// when that makes it a whole entry.
func (a *assembler) object(text []byte, num int) (*transcript.Entry, int) {
	e, n, err := a.reader.Entry(text)
	if err == nil && e.IsObject() {
		return e, n
	}
	var syntax *jsonline.SyntaxError
	if !errors.As(err, &syntax) || syntax.Offset >= len(text) || text[syntax.Offset] >= ' ' {
		return nil, 0
	}
	var s nesting
	end := s.end(text)
	if end < 0 {
		return nil, 0
	}
	if e = a.entry(escapeControls(text[:end])); e != nil {
		a.salvaged(num, num, "control characters inside a string")
	}
	return e, end
}

// entry returns the whole entry that text is, nil if it is none.
func (a *assembler) entry(text []byte) *transcript.Entry {
	e, n, err := a.reader.Entry(text)
	if err != nil || n != len(text) || !whole(e) {
		return nil
	}
	return e
}

// ofOnePiece reports whether e, joined from two pieces around other records, is
// one record: pieces of two have a member twice.
func ofOnePiece(e *transcript.Entry) bool {
	names := map[string]bool{}
	for name := range e.Members().Members() {
		if names[name] {
			return false
		}
		names[name] = true
	}
	return true
}

// torn takes the text of a line from which no further record can be read.
func (a *assembler) torn(text []byte, num int) {
	inner, rest := a.inside(text, num)
	if len(inner) > 0 {
		if e := a.entry(rest); e != nil && ofOnePiece(e) && !(&open{inner: inner}).has(e.ID) {
			a.give(inner) // they were complete first
			a.record(a.recovered(e, num))
			a.salvaged(num, num, "a record with another one inside it")
			return
		}
	}
	if !begins(rest) || !a.begin(rest, num, inner) {
		a.lose(rest, num, inner)
	}
}

// lose reports torn text and gives the records that stood behind or inside it.
func (a *assembler) lose(rest []byte, num int, inner []Record) {
	a.lost(rest, num)
	if len(inner) > 0 {
		a.give(inner)
		a.salvaged(num, num, "a whole record behind or inside a torn one")
	}
}

func (a *assembler) give(records []Record) {
	for _, r := range records {
		a.record(r)
	}
}

// inside finds the whole entries behind or inside torn text, and returns what
// is left of it. The search is bounded in proportion to the text.
func (a *assembler) inside(text []byte, num int) (inner []Record, rest []byte) {
	budget := 16*len(text) + maxHead
	from := 0
	for i := nextBegin(text, 1); i >= 0 && budget > 0; {
		e, n, err := a.reader.Entry(text[i:])
		next := i + 1
		var syntax *jsonline.SyntaxError
		switch {
		case errors.As(err, &syntax):
			budget -= 2 * syntax.Offset
		case whole(e):
			rest = append(rest, text[from:i]...)
			inner = append(inner, a.recovered(e, num))
			from, next = i+n, i+n
		default:
			budget -= n
			next = i + n
		}
		i = nextBegin(text, next)
	}
	if from == 0 {
		return nil, text
	}
	return inner, append(rest, text[from:]...)
}
