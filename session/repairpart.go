package session

import (
	"io"
	"strings"

	"hygeia/internal/swap"
	"hygeia/session/internal/lines"
	"hygeia/transcript"
)

// part reads chunks of a surveyed file again and gives its records the numbers
// that they have in the survey.
type part struct {
	*survey
	next   int32 // number of the next record
	header bool  // the header was not met yet
}

// read reads chunk c. The error is swap.ErrChanged when there is something else
// in it than there was.
func (p *part) read(c int, sink lines.Sink) error {
	from, to, records := p.chunks[c].from, p.size, int32(len(p.nodes))
	if c+1 < len(p.chunks) {
		to, records = p.chunks[c+1].from, p.chunks[c+1].record
	}
	o := p.opt.Options
	o.Skim = nil
	o.Line, o.Offset = p.chunks[c].line, from
	p.next, p.header = p.chunks[c].record, p.survey.header.Entry != nil
	n, err := lines.Read(io.NewSectionReader(p.src, from, to-from), o, sink)
	if err == nil && (n != to-from || p.next != records) {
		err = swap.ErrChanged
	}
	return err
}

// number returns the number of a record, none for the header and for what was
// not there.
func (p *part) number(r lines.Record) int32 {
	if p.header && r.Line == p.line && isHeader(r.Entry) {
		p.header = false
		return none
	}
	p.next++
	if int(p.next) > len(p.nodes) {
		return none
	}
	return p.next - 1
}

// pass counts the record that a fault leaves in the tree.
func (p *part) pass(f lines.Fault) {
	if f.Link.ID != "" {
		p.next++
	}
}

// idReader reads ids that are written into other records.
type idReader struct{ part }

// hold reads these ids.
func (s *survey) hold() error {
	s.held, s.behindOf = map[int32]string{}, map[int32]string{}
	r := idReader{part{survey: s}}
	for c := range s.chunks {
		if s.each(c, wanted) {
			if err := r.read(c, &r); err != nil {
				return err
			}
		}
	}
	return nil
}

// Record implements lines.Sink.
func (r *idReader) Record(l lines.Record) {
	i := r.number(l)
	if i == none || !r.nodes[i].is(wanted) {
		return
	}
	if r.ids[i] == noKey {
		r.names[i] = r.unused(l.Digest)
		r.ids[i] = keyOf(r.names[i])
		r.index.add(r.ids[i], i, r.ids)
	}
	r.held[i] = strings.Clone(r.idOf(i, l.Entry))
	if r.hasStandIn(i) {
		_, r.behindOf[i] = r.standInsFor(i, l.Entry)
	}
}

// Fault implements lines.Sink.
func (r *idReader) Fault(f lines.Fault) { r.pass(f) }

// idOf returns the id that record i has or gets, "" for none.
func (s *survey) idOf(i int32, e *transcript.Entry) string {
	if id := s.names[i]; id != "" {
		return id
	}
	return e.ID
}

// standInsFor returns the entries that come behind record i, and the id of the
// last one.
func (s *survey) standInsFor(i int32, e *transcript.Entry) (list [][]byte, last string) {
	calls, occurrence := toolCalls(e.Message), map[string]int{}
	id := s.idOf(i, e)
	last = id
	for _, c := range s.standInsOf(i) {
		if int(c.n) >= len(calls) {
			break // the file is another by now
		}
		call := calls[c.n]
		occurrence[call.ID()]++
		o, own := standIn(e, call, id, last, occurrence[call.ID()], func(id string) bool { return s.first(keyOf(id)) != none })
		list, last = append(list, o.AppendTo(nil)), own
	}
	return list, last
}
