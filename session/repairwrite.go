package session

import (
	"bufio"
	"errors"
	"io"

	"hygeia/internal/jsonline"
	"hygeia/internal/swap"
	"hygeia/session/internal/lines"
	"hygeia/transcript"
)

// output is where a repair goes to.
type output struct {
	text       io.Writer               // the new file, nil for a plan
	quarantine func(text []byte) error // takes what is left out, nil for a plan
	each       func(*RepairChange)     // is told of every change
	report     *RepairReport
	shifts     *shifts // takes where the lines come to stand, nil for nowhere
}

// rewriter is the second pass: it makes the new file of the old one. What does not
// change is copied as it lies there (F-B03).
type rewriter struct {
	part
	output
	buf     *bufio.Writer
	pos     int64 // up to which the old file is dealt with
	written int64
	err     error

	found []finding // in the region under way
}

// finding is a record or a fault.
type finding struct {
	lines.Record
	number int32 // of the record, none for the header
	fault  *lines.Fault
}

// write makes the new file and returns its size.
func (s *survey) write(o output) (int64, error) {
	w := rewriter{part: part{survey: s}, output: o}
	if o.text != nil {
		w.buf = bufio.NewWriterSize(o.text, 64<<10)
	}
	w.front()
	for c := range s.chunks {
		if s.chunks[c].dirty && w.err == nil {
			w.fail(w.read(c, &w))
		}
	}
	w.copyTo(s.size)
	if w.buf != nil && w.err == nil {
		w.fail(w.buf.Flush())
	}
	return w.written, w.err
}

func (w *rewriter) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// Record implements lines.Sink.
func (w *rewriter) Record(r lines.Record) {
	w.found = append(w.found, finding{Record: r, number: w.number(r)})
}

// Fault implements lines.Sink.
func (w *rewriter) Fault(f lines.Fault) {
	w.pass(f)
	w.found = append(w.found, finding{fault: &f})
}

// Region implements lines.Mapper.
func (w *rewriter) Region(r lines.Region) {
	found := w.found
	w.found = w.found[:0]
	defer clear(found) // the next line may be long, too
	if w.err != nil {
		return
	}
	same := r.Stays && !w.markInside(r, found)
	found = w.faults(r, found)
	var list []parts
	var from []int // the line of each
	for _, f := range found {
		text, behind := w.rewrite(f)
		same = same && text == nil
		if text == nil {
			text = f.Entry.Parts()
		}
		if len(text) > 0 {
			list, from = append(list, text), append(from, f.Line)
		}
		for _, p := range behind {
			list, from = append(list, p), append(from, f.Last)
		}
	}
	if same {
		w.insertBehind(r, list)
		w.shifts.insert(r.Last, len(list)-1)
	} else {
		w.replace(r, list)
		w.shifts.replace(r, from)
	}
}

// replace writes the texts in the place of a region, each on a line.
func (w *rewriter) replace(r lines.Region, list []parts) {
	w.copyTo(r.From)
	w.pos = r.To
	for i, text := range list {
		if r.End == "" && i > 0 {
			w.put([]byte("\n"))
		}
		for _, p := range text {
			w.put(p)
		}
		w.put([]byte(r.End))
	}
}

// insertBehind writes all texts but the first behind a region that stays.
func (w *rewriter) insertBehind(r lines.Region, list []parts) {
	if len(list) < 2 {
		return
	}
	w.copyTo(r.To)
	if r.End == "" {
		w.put([]byte("\n"))
	}
	w.replace(lines.Region{From: r.To, To: r.To, End: r.End}, list[1:])
}

// put writes text.
func (w *rewriter) put(text []byte) {
	w.written += int64(len(text))
	if w.buf != nil && w.err == nil {
		_, err := w.buf.Write(text)
		w.fail(err)
	}
}

// copyTo copies the old file up to an offset.
func (w *rewriter) copyTo(to int64) {
	n := to - w.pos
	if n <= 0 || w.err != nil {
		return
	}
	w.written += n
	from := w.pos
	w.pos = to
	if w.buf == nil {
		return
	}
	const long = 256 << 10
	seeker, ok := w.src.(io.ReadSeeker)
	if !ok || n < long {
		m, err := io.Copy(w.buf, io.NewSectionReader(w.src, from, n))
		w.short(m, n, err)
		return
	}
	// The system may copy faster than by way of this program.
	_, err := seeker.Seek(from, io.SeekStart)
	w.fail(errors.Join(w.buf.Flush(), err))
	if w.err == nil {
		m, err := io.Copy(w.text, io.LimitReader(seeker, n))
		w.short(m, n, err)
	}
}

// short checks that as much was copied as there was.
func (w *rewriter) short(n, want int64, err error) {
	if err == nil && n < want {
		err = swap.ErrChanged
	}
	w.fail(err)
}

// front puts a header in front of a file that does not begin with one (D-15,
// F-17).
func (w *rewriter) front() {
	h := &w.survey.header
	switch {
	case w.late:
		w.put(h.Entry.AppendJSON(nil))
		w.tell(RepairChange{Line: w.line, Last: w.line, Rule: "F-17", Op: "move", Entry: h.ID, Reason: "the header stands behind other records; now in front"})
	case h.Entry == nil:
		o := jsonline.Object{}.With("type", jsonline.Text(string(transcript.EntrySession))).
			With("version", jsonline.Int(h.Version)).
			With("id", jsonline.Text(h.ID))
		if h.Timestamp != "" {
			o = o.With("timestamp", jsonline.Text(h.Timestamp))
		}
		w.put(o.AppendTo(nil))
		w.tell(RepairChange{Line: 1, Last: 1, Rule: "F-17", Op: "insert", Entry: h.ID, Synthetic: true, Reason: "the file has no whole header; one with the id " + clip(h.ID) + " is made"})
	default:
		return
	}
	w.put([]byte("\n"))
	w.shifts.insert(0, 1)
	w.report.RewrittenHeaders++
}

// markInside reports whether a region has a byte-order mark that comes to stand
// behind the header.
func (w *rewriter) markInside(r lines.Region, found []finding) bool {
	if r.Line > 1 || !w.late && w.survey.header.Entry != nil {
		return false
	}
	for _, f := range found {
		if f.fault != nil && f.fault.Rule == "F-B10" {
			return true
		}
	}
	return false
}

// tell counts a change and passes it on.
func (w *rewriter) tell(c RepairChange) {
	w.report.Changes++
	if w.each != nil {
		w.each(&c)
	}
}

// keep puts text that is left out of the file into the quarantine (F-B08).
func (w *rewriter) keep(text parts) {
	for _, piece := range append(text, []byte{'\n'}) {
		if w.quarantine != nil && w.err == nil {
			w.fail(w.quarantine(piece))
		}
	}
}

// faults reports and counts what is wrong with a region. It returns the records
// of the region.
func (w *rewriter) faults(r lines.Region, found []finding) (records []finding) {
	for _, f := range found {
		if f.fault == nil {
			records = append(records, f)
		}
	}
	lost, salvaged, nul := false, false, false
	for _, f := range found {
		if f.fault == nil || f.fault.Note || f.fault.Rule == "F-B09" {
			continue
		}
		c := RepairChange{
			Line: f.fault.Line, Last: f.fault.Last, Rule: f.fault.Rule, Op: "replace", Entry: f.fault.Link.ID,
			Reason: f.fault.Reason, Lossy: f.fault.Lost,
		}
		switch c.Rule {
		case "F-51":
			lost, c.Op = true, "drop"
		case "F-B11":
			nul = true
			if len(records) == 0 {
				c.Op = "drop"
			}
		default:
			salvaged = true
		}
		if f.fault.Lost {
			w.keep(parts{f.fault.Text})
		}
		w.tell(c)
	}
	switch {
	case lost && len(records) == 0:
		w.report.DroppedLines += r.Last - r.Line + 1
	case lost || salvaged:
		w.report.SalvagedLines++
	}
	if nul {
		w.report.NULLines++
	}
	return records
}
