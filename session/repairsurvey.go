package session

import (
	"bytes"
	"fmt"
	"io"

	"hygeia/session/internal/lines"
	"hygeia/transcript"
)

// survey is the first pass over a file: it finds out what has to change, and
// where. Of an entry it keeps no more than its place in the tree and the key of
// its id (F-B09).
type survey struct {
	collector
	pairs  pairs
	opt    surveyOptions
	src    io.ReaderAt
	size   int64
	reader transcript.Reader

	chunks   []chunk
	at       int32 // record with which the region under way begins
	found    bool  // a line is a record at all
	late     bool  // something that stays stands in front of the header
	long     int   // lines that are too long
	blind    bool  // one of them may have any id
	pending  bool  // the last line is torn and has no end
	indexes  []keptIndex
	names    map[int32]string // ids that records get
	hung     trees            // made when it is needed
	walked   int              // steps of walks up the file
	patches  []patch          // what the ids in records become, in their order
	standIns []openCall       // calls that get a stand-in for their result
	held     map[int32]string // ids that are written into other records
	behindOf map[int32]string // ids of the last stand-in behind a record

	notes       []Problem // what is worth knowing and stays as it is
	noted       int       // lines that have such
	compactions int
}

// chunk is a part of the file that begins with a region. The second pass reads
// the dirty ones again and copies the others.
type chunk struct {
	from   int64
	line   int
	record int32 // the first
	dirty  bool
}

// surveyOptions are those of a survey. The zero value is that of every file.
type surveyOptions struct {
	lines.Options
	chunk int64 // length in bytes from which a chunk ends, 0 means chunkSize
}

const chunkSize = 1 << 20

// keptIndex is a number by which a compaction of version 1 names an entry.
type keptIndex struct {
	from int32
	n    float64
}

// newSurvey reads a file of that size and finds out how its records hang
// together.
func newSurvey(src io.ReaderAt, size int64, name string, o surveyOptions) (*survey, error) {
	s := &survey{
		collector: collector{tree: newTree(size), file: name}, opt: o, src: src, size: size, names: map[int32]string{},
	}
	s.see = s
	if o.chunk == 0 {
		s.opt.chunk = chunkSize
	}
	if o.Skim == nil {
		o.Skim = skim
	}
	if n, err := lines.Read(io.NewSectionReader(src, 0, size), o.Options, s); err != nil {
		return s, fmt.Errorf("failed to read session file: reading behind byte %d: %w", n, reason(err))
	}
	if err := s.finish(); err != nil {
		return s, err
	}
	s.identify(nil)
	s.link()
	if err := s.decide(); err != nil {
		return s, err
	}
	return s, s.tell()
}

// Record implements lines.Sink.
func (s *survey) Record(r lines.Record) {
	s.found = true
	if r.Entry == nil {
		if s.header.Entry != nil || s.opener != nil {
			s.skimmed(r.Brief)
			return
		}
		// A header may have to be made of it.
		e, _, err := s.reader.Entry(bytes.Clone(r.Text))
		if err != nil {
			return // unreachable: the line was scanned
		}
		r.Entry = e
	}
	i := s.record(r)
	if i == none {
		own := *s.header.Entry // apart from the entries that were read with it, which may be long
		s.header.Entry, s.late = &own, s.before > 0 || s.long > 0
		return
	}
	s.examine(i, r.Entry)
}

// skimmed takes a message about which there is nothing to say.
func (s *survey) skimmed(b lines.Brief) {
	s.valid++
	s.add(briefRecord(b))
	s.pairs.waiting = s.pairs.waiting[:0]
	if b.Result != 0 {
		s.pairs.results = append(s.pairs.results, key(b.Result))
	}
}

// examine looks at what is in record i.
func (s *survey) examine(i int32, e *transcript.Entry) {
	switch n := &s.nodes[i]; {
	case n.kind == lost:
		n.flags |= dirty
	case n.typ == message:
		s.pairs.message(i, e.Message)
		if isIll(e.Message) {
			n.flags |= ill
		}
	case n.typ == compaction:
		s.compactions++
		if e.Get("firstKeptEntryId").IsString() {
			return
		}
		if n, ok := e.Get("firstKeptEntryIndex").Number(); ok {
			s.indexes = append(s.indexes, keptIndex{i, n})
		}
	}
}

// Fault implements lines.Sink.
func (s *survey) Fault(f lines.Fault) {
	if f.Note {
		s.note(f)
	}
	i := s.lose(f)
	if f.Rule != "F-B09" {
		return
	}
	s.long++
	if i == none {
		s.blind = true
	} else {
		s.nodes[i].flags |= untold
	}
}

// Region implements lines.Mapper.
func (s *survey) Region(r lines.Region) {
	n := len(s.chunks)
	if n == 0 || r.From-s.chunks[n-1].from >= s.opt.chunk {
		s.chunks = append(s.chunks, chunk{from: r.From, line: r.Line, record: s.at})
		n++
	}
	if !r.Stays {
		s.chunks[n-1].dirty = true
	}
	s.pending = r.End == "" && !r.Stays
	s.at = int32(len(s.nodes))
	s.foresee(r.To)
}

// foresee makes room for the records of the rest of the file, by what there were
// up to an offset, but for no more than four times as many at once.
func (s *survey) foresee(to int64) {
	n := len(s.nodes)
	if n < minForesight || cap(s.nodes)-n > minForesight/16 {
		return
	}
	rest := float64(s.size-to) / float64(to) * float64(n)
	s.reserve(n + min(3*n, int(rest*1.02)+minForesight/8))
}

// minForesight is from how many records on it is worth to look ahead.
const minForesight = 16 << 10

// renamed implements witness.
func (s *survey) renamed(i int32, id string, _ int32) {
	s.names[i] = id
	s.nodes[i].flags |= dirty
}

// relinked implements witness.
func (s *survey) relinked(i int32, why cause) {
	switch {
	case why == missing && s.blind:
		return // the parent may be the line that is too long
	case why == notWhole && s.nodes[s.holder(s.parentKey(i), i)].is(untold):
		return // the parent stays where it is
	}
	s.patches = append(s.patches, patch{from: i, as: asParent, why: why})
}

// misled implements witness.
func (s *survey) misled(int32) {}
