package shapes

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// odd marks strings that no JSON text in a request may hold (W-120).
const odd = jsonline.FlagLoneSurrogate | jsonline.FlagNUL | jsonline.FlagInvalidUTF8

// sent are the members that reach the request, besides the content.
var sent = map[transcript.Role][]string{
	transcript.ToolResult:        {"toolCallId", "toolName"},
	transcript.BashExecution:     {"command", "output", "fullOutputPath"},
	transcript.BranchSummary:     {"summary"},
	transcript.CompactionSummary: {"summary"},
}

// sentOf are the members of blocks that reach the request.
var sentOf = map[transcript.BlockType][]string{
	transcript.TypeText:     {"text"},
	transcript.TypeThinking: {"thinking"},
	transcript.TypeToolCall: {"id", "name", "arguments"},
}

// legal takes what no request may hold out of the strings of a message (W-120).
func legal(r *hygiene.Run, i int) {
	m := r.At(i)
	if names := sent[m.Role()]; names != nil {
		n, e := cleared(m, names)
		if n != m {
			r.Replace(i, n, e)
		}
	}
	if v := m.Text(); v.Flags&odd != 0 {
		v, found := without(v)
		r.Replace(i, m.WithTextValue(v), edit("", "content", found))
		return
	}
	turns.Rewrite(r, i, legalBlock)
}

// legalBlock clears a block. The signature of thinking that had to be changed
// verifies no longer: it goes, and what becomes of unsigned thinking is for the
// passes that judge it.
func legalBlock(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
	n, e := cleared(b, sentOf[b.Type()])
	if n != b && b.Is(transcript.TypeThinking) && covered(b) {
		n = n.Without(transcript.SignatureNames...)
		e.Reason += ", which the signature covers"
	}
	return n, e
}

// covered reports whether a signature covers the bytes of a thinking block. The
// name of the wire field it came from and an item of the Responses API are none
// (W-115).
func covered(b *transcript.Block) bool {
	switch signature := b.Signature().String(); signature {
	case "", "reasoning", "reasoning_content", "reasoning_text", "reasoning_details":
		return false
	default:
		return signature[0] != '{'
	}
}

// cleared returns x with the named members made legal, x itself when they are.
func cleared[T interface {
	Get(string) jsonline.Value
	With(string, jsonline.Value) T
}](x T, names []string) (T, hygiene.Edit) {
	var e hygiene.Edit
	for _, name := range names {
		v := x.Get(name)
		if !suspicious(v) {
			continue
		}
		if v, found := without(v); found != 0 {
			x, e = x.With(name, v), edit(e.Reason, name, found)
		}
	}
	return x, e
}

// edit says what was found in a member, behind what was found in others.
func edit(facts, name string, found jsonline.Flags) hygiene.Edit {
	for _, f := range oddities {
		if found&f.flag != 0 {
			if facts != "" {
				facts += ", "
			}
			facts += f.what + " in " + name
		}
	}
	return hygiene.Edit{Rule: "W-120", Lossy: true, Reason: facts}
}

var oddities = []struct {
	flag jsonline.Flags
	what string
}{
	{jsonline.FlagLoneSurrogate, "half of a surrogate pair"},
	{jsonline.FlagNUL, "U+0000"},
	{jsonline.FlagInvalidUTF8, "bytes that are not UTF-8"},
}

// suspicious reports whether v may hold something odd. Flags tell it of a
// string; an object or array is searched.
func suspicious(v jsonline.Value) bool {
	switch v.Kind {
	case jsonline.String:
		return v.Flags&odd != 0
	case jsonline.ObjectKind, jsonline.Array:
		return bytes.Contains(v.Raw, []byte(`\u`)) || !utf8.Valid(v.Raw)
	}
	return false
}

// without returns v without what is odd in its strings and names, and what that
// was. Everything else keeps its spelling.
func without(v jsonline.Value) (jsonline.Value, jsonline.Flags) {
	var out []byte
	var found jsonline.Flags
	raw, from := v.Raw, 0
	replace := func(i, n int, by string, what jsonline.Flags) {
		out = append(append(out, raw[from:i]...), by...)
		from = i + n
		found |= what
	}
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c == '\\' && raw[i+1] == 'u':
			n, what := escape(raw[i:])
			if what != 0 {
				replace(i, n, "", what)
			}
			i += n
		case c == '\\':
			i += 2
		case c < utf8.RuneSelf:
			i++
		default:
			r, n := utf8.DecodeRune(raw[i:])
			if r == utf8.RuneError && n == 1 {
				replace(i, n, "\uFFFD", jsonline.FlagInvalidUTF8)
			}
			i += n
		}
	}
	if found == 0 {
		return v, 0
	}
	return jsonline.Value{Raw: append(out, raw[from:]...), Kind: v.Kind, Flags: v.Flags &^ odd}, found
}

// escape returns the length of the \u escape at the start of s, both halves of
// a pair included, and what is odd about it.
func escape(s []byte) (n int, what jsonline.Flags) {
	u := unit(s)
	switch {
	case u == 0:
		return 6, jsonline.FlagNUL
	case !utf16.IsSurrogate(u):
		return 6, 0
	case len(s) >= 12 && s[6] == '\\' && s[7] == 'u' && utf16.DecodeRune(u, unit(s[6:])) != utf8.RuneError:
		return 12, 0
	}
	return 6, jsonline.FlagLoneSurrogate
}

// unit returns the number in a \uXXXX escape, which the scanner has checked.
func unit(s []byte) rune {
	var u rune
	for _, c := range s[2:6] {
		switch {
		case c <= '9':
			c -= '0'
		case c <= 'F':
			c -= 'A' - 10
		default:
			c -= 'a' - 10
		}
		u = u<<4 | rune(c)
	}
	return u
}
