// Package results tells real tool results from stand-ins, and whether two say the
// same: a stand-in gives way to a real result, a repeated one goes (D-03). Messages
// and blocks go in, answers come out; nothing is changed.
package results

import (
	"bytes"

	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// IsSynthetic reports whether a tool result is a stand-in that a program put in
// for a missing one (D-03, R-76): it has one of the known marks in its details,
// or nothing but one of the known texts. Two of these texts are short enough to
// be a tool's own words; they count only in a result that is marked as an
// error.
func IsSynthetic(m *transcript.Message) bool {
	if details := m.Get("details"); bytes.Contains(details.Raw, markPart) {
		o := details.Object()
		if o.Get("openclawSyntheticMissingToolResult").Bool() || o.Get("synthetic").Bool() {
			return true
		}
	}
	text := onlyText(m)
	switch {
	case len(text.Raw) > maxStandIn, text.Flags&jsonline.FlagEscaped != 0, !texts.IsSyntheticResultText(text.String()):
		return false
	case text.String() == texts.AbortedResult, text.String() == texts.KnownNoResult:
		return m.IsError()
	}
	return true
}

// markPart stands in every known mark; details without it, however long, are
// not read.
var markPart = []byte("ynthetic")

// maxStandIn is longer than any text of a stand-in in bytes, so that long
// results need not be read. No such text has a character that must be escaped.
const maxStandIn = 1024

// onlyText returns the text of a result that holds nothing else, absent for any
// other.
func onlyText(m *transcript.Message) jsonline.Value {
	if m.ContentKind() == transcript.TextContent {
		return m.Text()
	}
	if blocks := m.Blocks(); len(blocks) == 1 && blocks[0].IsText() {
		return blocks[0].TextValue()
	}
	return jsonline.Value{}
}
