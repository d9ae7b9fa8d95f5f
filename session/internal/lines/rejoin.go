package lines

// open is a record that began on one line and may go on in the next ones: cut
// by raw line breaks inside a string, or by a record that another writer put
// into it (D-18).
type open struct {
	num   int     // line on which it began
	head  int     // length of its text there
	text  []byte  // raw, as far as it is known
	state nesting // behind text
	inner []Record
	taken []line // lines that text took
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
	if len(o.inner) == 0 || len(o.taken) > 1 {
		o.text = append(o.text, '\n')
	}
	o.text = append(o.text, l.text...)
	n := o.state.end(o.text[at:])
	if n < 0 {
		return
	}
	e := a.entry(escapeControls(o.text[:at+n]))
	if e == nil || !ofOnePiece(e, o.inner) {
		a.close()
		return
	}
	a.open = nil
	a.reach(l)
	r := a.recovered(e, o.num)
	r.Last = l.num
	a.give(o.inner) // they were complete first
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
