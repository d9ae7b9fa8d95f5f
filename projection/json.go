package projection

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"hygeia/transcript"
)

// JSON returns a shown message as JSON that every reader takes: stored text may
// hold halves of surrogate pairs, bytes that are no UTF-8, and names that stand
// twice. Those become U+FFFD, and of members with one name the last stays, as
// everywhere.
func JSON(m *transcript.Message) jsontext.Value {
	text := jsontext.Value(m.AppendJSON(nil))
	if text.IsValid() {
		return text
	}
	return tidy(text)
}

var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// tidy writes a text again, in time linear in its length.
func tidy(text []byte) jsontext.Value {
	again := repeated(text)
	var out bytes.Buffer
	e := jsontext.NewEncoder(&out, lenient...)
	d := jsontext.NewDecoder(bytes.NewReader(text), lenient...)
	for {
		if at := d.InputOffset(); isName(d) && again[at] {
			if _, err := d.ReadToken(); err != nil || d.SkipValue() != nil {
				break
			}
			continue
		}
		token, err := d.ReadToken()
		if err != nil || e.WriteToken(token) != nil {
			break // the end; a stored message is JSON
		}
	}
	return bytes.TrimSpace(out.Bytes())
}

// repeated returns the places of the members behind which another one of the same
// name stands.
func repeated(text []byte) map[int64]bool {
	again := map[int64]bool{}
	var names []map[string]int64 // of the objects that are open; nil for an array
	d := jsontext.NewDecoder(bytes.NewReader(text), lenient...)
	for {
		at, name := d.InputOffset(), isName(d)
		token, err := d.ReadToken()
		if err != nil {
			return again
		}
		switch kind := token.Kind(); {
		case name && kind == '"':
			open := names[len(names)-1]
			if before, ok := open[token.String()]; ok {
				again[before] = true
			}
			open[token.String()] = at
		case kind == '{':
			names = append(names, map[string]int64{})
		case kind == '[':
			names = append(names, nil)
		case kind == '}' || kind == ']':
			names = names[:len(names)-1]
		}
	}
}

// isName reports whether the next token is the name of a member, or the end of
// the object.
func isName(d *jsontext.Decoder) bool {
	kind, n := d.StackIndex(d.StackDepth())
	return kind == '{' && n%2 == 0
}
