package lines

import "slices"

// open is a record that began on one line and may go on in the next ones: cut
// by raw line breaks inside a string, or by a record that another writer put
// into it (D-18), on the same line or, as F-10 wants it, on lines of their own.
type open struct {
	num   int     // line on which it began
	head  int     // length of its text there
	text  []byte  // raw, as far as it is known
	state nesting // behind text
	inner []Record
	taken []line   // lines that text took, behind those that stand in between
	apart []string // ids of what stands in between: the first lines of taken
}

// maxApart is how many lines other writers may have put into a record.
const maxApart = 4

// between keeps a line that stands behind the first one of the open record, which may
// go on behind it, and reports whether it does. The line is an entry of somebody who
// did not know the record: it goes on from where that does.
func (a *assembler) between(l line) bool {
	o := a.open
	if !l.whole() || len(o.taken) > len(o.apart) || len(o.apart) == maxApart {
		return false
	}
	own, other := a.link(o.text), a.link(l.text)
	if !own.HasParent || !other.HasParent || own.ID == "" || other.Parent != own.Parent && !o.has(other.Parent) {
		return false
	}
	o.taken, o.apart = append(o.taken, l), append(o.apart, other.ID)
	return true
}

// has reports whether a record that was put into the open one has that id.
func (o *open) has(id string) bool {
	return id != "" && (slices.ContainsFunc(o.inner, func(r Record) bool { return r.Entry.ID == id }) ||
		slices.Contains(o.apart, id))
}

// begin opens a record and reports whether the text leaves one open. inner are
// the records that stood inside it.
func (a *assembler) begin(text []byte, num int, inner []Record) bool {
	o := &open{num: num, head: len(text), text: text[:len(text):len(text)], inner: inner}
	if o.state.end(text) >= 0 {
		return false
	}
	a.open = o
	return true
}

// resume adds a line to the open record, and ends that when it is whole.
func (a *assembler) resume(l line) {
	o := a.open
	if len(o.text)+len(l.text) > a.max {
		a.close()
		a.take(l)
		return
	}
	o.taken = append(o.taken, l)
	at := len(o.text)
	if len(o.inner)+len(o.apart) == 0 || len(o.taken) > len(o.apart)+1 {
		o.text = append(o.text, '\n')
	}
	o.text = append(o.text, l.text...)
	n := o.state.end(o.text[at:])
	if n < 0 {
		return
	}
	e := a.entry(escapeControls(o.text[:at+n]))
	if e == nil || !ofOnePiece(e) || o.has(e.ID) {
		a.close()
		return
	}
	a.open = nil
	a.reach(l)
	r := a.recovered(e, o.num)
	r.Last = l.num
	a.give(o.inner) // they were complete first
	for _, l := range o.taken[:len(o.apart)] {
		a.plain(l)
	}
	a.record(r)
	a.salvaged(o.num, l.num, "one record broken over several lines")
	if rest := o.text[at+n:]; !blank(rest) {
		a.damaged(rest, l.num)
	}
	a.settle()
}

// close gives up on the open record, if there is one, and takes its lines one
// by one.
func (a *assembler) close() {
	o := a.open
	if o == nil {
		return
	}
	a.open = nil
	a.lose(o.text[:o.head], o.num, o.inner)
	a.settle()
	for _, l := range o.taken {
		a.take(l)
		a.close()
	}
}

// finish ends the stream. A record that is open there was cut off.
func (a *assembler) finish() {
	if o := a.open; o != nil && !a.ended && len(o.taken) == 0 && len(o.inner) == 0 {
		if e := a.closed(o.text); e != nil {
			a.open = nil
			a.record(a.recovered(e, o.num))
			a.fault(Fault{
				Line: o.num, Last: o.num, Rule: "F-B08", Lost: true, Text: o.text,
				Reason: "a message cut off at the end of the file; its whole part is kept",
			})
			a.settle()
			return
		}
	}
	a.close()
}
