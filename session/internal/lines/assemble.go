package lines

import (
	"bytes"
	"fmt"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// assembler takes the parsed lines in order, recovers what damaged ones still
// hold, and fills the sink.
type assembler struct {
	sink   Sink
	mapper Mapper // the sink if it is one
	max    int
	reader transcript.Reader
	scan   jsonline.Scanner
	region Region // of which the lines are being read, Line 0 for none
	ended  bool   // the last line of the region had a line end
	open   *open
}

// batch takes the next lines, and reports whether nothing points into their
// text any longer.
func (a *assembler) batch(b *batch) (done bool) {
	done = true
	for _, l := range b.lines {
		done = done && l.skimmed
		a.line(l)
	}
	return done && a.open == nil
}

// line takes the next line.
func (a *assembler) line(l line) {
	if a.open != nil {
		switch {
		case l.size > 0:
		case !l.startsEntry():
			a.resume(l)
			return
		case a.between(l):
			return
		}
		a.close()
	}
	a.take(l)
}

// take takes a line that continues no other.
func (a *assembler) take(l line) {
	a.reach(l)
	a.plain(l)
	a.settle()
}

// reach lets the region end behind l.
func (a *assembler) reach(l line) {
	if a.region.Line == 0 {
		a.region = Region{Line: l.num, From: l.from, Stays: true}
	}
	a.region.Last, a.region.To = l.num, l.to
	a.ended = l.to-l.from > int64(l.length())
	switch {
	case !a.ended:
		a.region.End = ""
	case bytes.HasSuffix(l.text, []byte{'\r'}):
		a.region.End = "\r\n"
	default:
		a.region.End = "\n"
	}
}

// settle ends the region, unless a record in it is still open.
func (a *assembler) settle() {
	if a.open != nil || a.region.Line == 0 {
		return
	}
	if a.mapper != nil {
		a.mapper.Region(a.region)
	}
	a.region = Region{}
}

// fault reports what the lines of the region cannot keep.
func (a *assembler) fault(f Fault) {
	a.region.Stays = false
	a.sink.Fault(f)
}

// plain takes a line that continues no other.
func (a *assembler) plain(l line) {
	switch {
	case l.size > 0:
		a.sink.Fault(Fault{
			Line: l.num, Last: l.num, Rule: "F-B09", Lost: true, Link: a.link(l.text),
			Reason: fmt.Sprintf("%d bytes long, more than the limit of %d", l.size, a.max),
		})
	case l.skimmed:
		a.sink.Record(Record{Line: l.num, Last: l.num, Brief: l.brief, Text: l.text})
	case l.entry != nil:
		a.record(Record{Line: l.num, Last: l.num, Entry: l.entry, Digest: l.digest})
	default:
		a.damaged(l.text, l.num)
	}
}

func (a *assembler) record(r Record) {
	a.sink.Record(r)
	if r.Entry.InvalidUTF8 {
		a.note(r.Line, r.Last, "F-B11", "bytes that are not UTF-8")
	}
}

// note reports what lost nothing.
func (a *assembler) note(line, last int, rule, reason string) {
	a.sink.Fault(Fault{Line: line, Last: last, Rule: rule, Reason: reason, Note: true})
}

// salvaged reports a record that was recovered.
func (a *assembler) salvaged(line, last int, reason string) {
	a.fault(Fault{Line: line, Last: last, Rule: "F-B08", Reason: reason})
}

// lost reports text that belongs to no record.
func (a *assembler) lost(text []byte, num int) {
	text = bytes.Trim(text, space+"\x00")
	if len(text) == 0 {
		return
	}
	_, err := a.scan.Scan(text, jsonline.Options{InvalidUTF8: true})
	why := "bytes that belong to no record"
	if err != nil {
		why = "bytes that are no record: " + err.Error()
	}
	a.fault(Fault{
		Line: num, Last: num, Rule: "F-51", Lost: true, Text: text, Link: a.link(text),
		Reason: fmt.Sprintf("%d %s", len(text), why),
	})
}

// link salvages id and parentId from a torn record: from the members in front
// of the damage, else from where its first whole member is named id (F-B01).
func (a *assembler) link(text []byte) Link {
	if l := a.members(text); l.ID != "" {
		return l
	}
	if i := bytes.Index(text, []byte(`"id":`)); i > 0 {
		if l := a.members(append([]byte{'{'}, text[i:]...)); l.HasParent {
			return l
		}
	}
	return Link{}
}

// members reads id and parentId as far as text is an object.
func (a *assembler) members(text []byte) (l Link) {
	a.scan.Scan(text, jsonline.Options{Depth: 1, InvalidUTF8: true}) // what was recorded before an error counts
	for i, n := range a.scan.Nodes {
		if i == 0 && n.Kind != jsonline.ObjectKind {
			return Link{}
		}
		switch string(text[n.NameStart:n.NameEnd]) {
		case "id":
			l.ID = a.scan.Value(i, text).String()
		case "parentId":
			v := a.scan.Value(i, text)
			l.Parent, l.HasParent = v.String(), v.IsString() || v.Kind == jsonline.Null
		}
	}
	return l
}
