package lines

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// line is one physical line. Blank ones count inside a broken record.
type line struct {
	num      int
	from, to int64             // offsets in the file, to is behind the line end
	entry    *transcript.Entry // nil when the text is not one JSON value
	skimmed  bool              // brief stands for the entry
	brief    Brief
	digest   string
	text     []byte // without its line end; of an oversized line the head
	size     int    // of an oversized line, else 0
}

// whole reports whether the line is an entry.
func (l *line) whole() bool { return l.skimmed || l.entry != nil && whole(l.entry) }

// startsEntry reports whether the line is an entry or the beginning of one.
func (l *line) startsEntry() bool { return l.whole() || begins(l.text) }

// length returns the length of the line without its line end.
func (l *line) length() int { return max(l.size, len(l.text)) }

// parser reads the lines of batches.
type parser struct {
	reader transcript.Reader
	hashed []byte
	scan   jsonline.Scanner
	skim   func(*jsonline.Scanner, []byte) (Brief, bool)
}

func (p *parser) parse(b *batch, maxLine int) {
	if b.skipped {
		return
	}
	if b.long() {
		*p = parser{skim: p.skim} // what is read together stays together
		defer func() { *p = parser{skim: p.skim} }()
	}
	for i := range b.lines {
		p.line(&b.lines[i], maxLine)
	}
}

// line reads the text of a line.
func (p *parser) line(l *line, maxLine int) {
	if len(l.text) > maxLine {
		l.text, l.size = bytes.Clone(l.text[:headLen(l.text)]), len(l.text)
		return
	}
	if p.skim != nil && p.scan.ScanAll(l.text, jsonline.Options{Depth: 4}) == nil {
		if l.brief, l.skimmed = p.skim(&p.scan, l.text); l.skimmed {
			return
		}
	}
	if e, n, err := p.reader.Entry(l.text); err == nil && n == len(l.text) {
		l.entry, l.digest = e, p.digest(e, l.num, l.text)
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
