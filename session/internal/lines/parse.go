package lines

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"hygeia/transcript"
)

// line is one physical line. Blank ones count inside a broken record.
type line struct {
	num    int
	entry  *transcript.Entry // nil when the text is not one JSON value
	digest string
	text   []byte // without its line end; of an oversized line the head
	size   int    // of an oversized line, else 0
}

// parser reads the lines of batches.
type parser struct {
	reader transcript.Reader
	hashed []byte
}

func (p *parser) parse(b *batch, maxLine int) {
	if b.lines != nil {
		return // the one line that the splitter skipped
	}
	b.lines = make([]line, 0, b.count+1)
	text := b.text
	for num := b.first; len(text) > 0; num++ {
		var raw []byte
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			raw, text = text[:i:i], text[i+1:]
		} else {
			raw, text = text, nil
		}
		if len(raw) > maxLine {
			b.lines = append(b.lines, line{num: num, text: bytes.Clone(raw[:min(len(raw), headLen)]), size: len(raw)})
			continue
		}
		if e, n, err := p.reader.Entry(raw); err == nil && n == len(raw) {
			b.lines = append(b.lines, line{num: num, entry: e, digest: p.digest(e, num, raw), text: raw})
		} else {
			b.lines = append(b.lines, line{num: num, text: raw})
		}
	}
}

// digest returns what the id of an object without one is made of (D-27).
func (p *parser) digest(e *transcript.Entry, num int, raw []byte) string {
	if e.ID != "" || !e.IsObject() || e.Type == transcript.EntrySession {
		return ""
	}
	p.hashed = append(strconv.AppendInt(p.hashed[:0], int64(num), 10), ':')
	p.hashed = append(p.hashed, bytes.TrimSuffix(raw, []byte{'\r'})...)
	sum := sha256.Sum256(p.hashed)
	var digits [2 * sha256.Size]byte
	hex.Encode(digits[:], sum[:])
	return string(digits[:])
}

func blank(text []byte) bool { return len(bytes.Trim(text, space)) == 0 }

const space = " \t\r\n"
