package payload

import (
	"strings"
	"unicode/utf16"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// maxStructured is the longest text, in UTF-16 units, that structured blocks of
// a tool result become (W-121).
const maxStructured = 8000

// ResultText returns the text of a tool result as it goes out: its text blocks
// joined by newlines, else its structured blocks as compact JSON (W-121), else
// what media it has (W-122), else the text given for none. It is never blank.
// Text of one block is spliced. What cannot be told is recorded; images are left
// to the caller.
func (l Log) ResultText(m *transcript.Message, none string) jsonline.Value {
	if v := l.Text(m, nil, m.Text()); v.Exists() && !v.Blank() {
		return v
	}
	var list []jsonline.Value
	other := false
	for _, b := range m.Blocks() {
		v := b.TextValue()
		if !b.Is(transcript.TypeText) || !v.IsString() {
			other = true
		} else if v = l.Text(m, b, v); !v.Blank() {
			list = append(list, v)
		}
	}
	if len(list) == 1 && !other {
		return list[0]
	}
	var image, audio bool
	told := len(list) > 0
	for _, b := range m.Blocks() {
		switch {
		case b.IsText():
		case b.Is(transcript.TypeImage):
			image = true
		case b.Is(transcript.TypeAudio):
			audio = true
			l.Unknown(m, b)
		case told:
			l.Unknown(m, b)
		default:
			list = append(list, l.structured(m, b))
		}
	}
	switch {
	case len(list) > 0:
		return Join(list)
	case image && audio:
		none = texts.SeeAttachedMedia
	case image:
		none = texts.SeeAttachedImage
	case audio:
		none = texts.SeeAttachedAudio
	}
	return jsonline.Text(none)
}

// structured renders one block as compact JSON.
func (l Log) structured(m *transcript.Message, b *transcript.Block) jsonline.Value {
	raw := b.AppendJSON(nil)
	var s jsonline.Scanner
	if s.ScanAll(raw, jsonline.Options{Depth: jsonline.DefaultMaxDepth, InvalidUTF8: true}) != nil {
		l.Unknown(m, b)
		return jsonline.Text(texts.OmittedBinary)
	}
	c := compactor{scan: &s, src: raw}
	c.value(0)
	text, cut := cutUTF16(string(c.dst), maxStructured)
	if cut {
		text += "\n" + texts.TruncatedNote
	}
	if cut || c.omitted {
		l.Add(hygiene.Replace, m, b, text, hygiene.Edit{
			Rule: "W-121", Reason: "structured block holds binary data or is too long for text", Lossy: true,
		})
	}
	return jsonline.Text(text)
}

// cutUTF16 cuts s to at most n UTF-16 units, never inside a character.
func cutUTF16(s string, n int) (string, bool) {
	if len(s) <= n {
		return s, false
	}
	for i, r := range s {
		if n -= utf16.RuneLen(r); n < 0 {
			return s[:i], true
		}
	}
	return s, false
}

// binaryNames are members whose value never becomes text (W-121).
var binaryNames = map[string]bool{
	"blob": true, "buffer": true, "bytes": true, "encrypted_content": true, "encrypted_stdout": true,
}

// mimeNames are members that give the media type of a data member beside them.
var mimeNames = []string{"mimeType", "mime_type", "mediaType", "media_type"}

// compactor writes a scanned value without white space and without binary data.
type compactor struct {
	scan    *jsonline.Scanner
	src     []byte
	dst     []byte
	omitted bool
}

func (c *compactor) value(i uint32) {
	n := &c.scan.Nodes[i]
	// A UTF-16 unit takes at most three bytes: what follows would be cut anyway.
	if len(c.dst) > 3*maxStructured {
		return
	}
	switch n.Kind {
	case jsonline.ObjectKind:
		c.object(i)
	case jsonline.Array:
		c.dst = append(c.dst, '[')
		for j := i + 1; j < n.Next; j = c.scan.Nodes[j].Next {
			if j > i+1 {
				c.dst = append(c.dst, ',')
			}
			c.value(j)
		}
		c.dst = append(c.dst, ']')
	case jsonline.String:
		v := c.scan.Value(int(i), c.src)
		if s := v.String(); strings.HasPrefix(s, "data:") && strings.Contains(s, ";base64,") {
			c.marker(texts.OmittedInlineDataPrefix, len(s))
			return
		}
		c.dst = AppendText(c.dst, v)
	default:
		c.dst = append(c.dst, c.src[n.Start:n.End]...)
	}
}

func (c *compactor) object(i uint32) {
	n := &c.scan.Nodes[i]
	binary := c.binaryData(i)
	c.dst = append(c.dst, '{')
	for j := i + 1; j < n.Next; j = c.scan.Nodes[j].Next {
		if j > i+1 {
			c.dst = append(c.dst, ',')
		}
		m := &c.scan.Nodes[j]
		name := string(c.src[m.NameStart:m.NameEnd])
		c.dst = append(AppendText(c.dst, jsonline.Parse(c.src[m.NameStart-1:m.NameEnd+1])), ':')
		switch {
		case binaryNames[name]:
			c.omitted = true
			c.dst = jsonline.AppendQuoted(c.dst, texts.OmittedBinary)
		case name == "data" && binary:
			c.marker(texts.OmittedDataPrefix, c.length(j))
		default:
			c.value(j)
		}
	}
	c.dst = append(c.dst, '}')
}

// binaryData reports whether an object has a media type that is no text.
func (c *compactor) binaryData(i uint32) bool {
	for j := i + 1; j < c.scan.Nodes[i].Next; j = c.scan.Nodes[j].Next {
		m := &c.scan.Nodes[j]
		for _, name := range mimeNames {
			if string(c.src[m.NameStart:m.NameEnd]) == name && m.Kind == jsonline.String {
				return !strings.HasPrefix(c.scan.Value(int(j), c.src).String(), "text/")
			}
		}
	}
	return false
}

// length returns the length of a string value in bytes, that of its JSON text
// for any other value.
func (c *compactor) length(i uint32) int {
	v := c.scan.Value(int(i), c.src)
	if v.IsString() {
		return len(v.String())
	}
	return len(v.Raw)
}

func (c *compactor) marker(prefix string, length int) {
	c.omitted = true
	c.dst = append(c.dst, '"')
	c.dst = append(c.dst, prefix...)
	c.dst = append(jsonline.AppendInt(c.dst, int64(length)), `]"`...)
}
