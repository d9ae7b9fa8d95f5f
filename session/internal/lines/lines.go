package lines

import (
	"io"
	"runtime"

	"hygeia/internal/pages"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// Options bounds what is read. The zero value is useful.
type Options struct {
	// MaxLine is the length in bytes from which a line is skipped, 0 means
	// DefaultMaxLine.
	MaxLine int
	// Workers is how many parse lines at the same time, 0 means one for each
	// core.
	Workers int
	// Line and Offset are those of the stream's first line, where the stream is
	// a part of a file. Line 0 means 1.
	Line   int
	Offset int64
	// Skim looks at the lines that hold one JSON value in UTF-8, scanned to
	// level 4. Where it knows enough it returns true, and no Entry is made.
	// Several goroutines call it at the same time.
	Skim func(scan *jsonline.Scanner, text []byte) (Brief, bool)

	chunk int // of a read, 0 means maxChunk
	large int // from how many bytes on a file is a large one, 0 means pages.Large
}

// DefaultMaxLine is the longest line that is read, in bytes (F-B09).
const DefaultMaxLine = 256 << 20

// Record is one JSON value of the file.
type Record struct {
	Line, Last int // physical lines from 1; Last is behind Line in a record that was broken
	Entry      *transcript.Entry
	// Brief is what Skim made of the line where Entry is nil. Text is the line,
	// which is overwritten when Record has returned.
	Brief Brief
	Text  []byte
	// Digest is the SHA-256 in hex of "<line>:<raw line>" for an object
	// without an id, from which its id is derived (D-27).
	Digest string
}

// Brief is what a Skim finds out. This package only carries it.
type Brief struct {
	ID, Parent, Result uint64
	Name               string // may share the text of the line
	Flags              uint8
}

// Fault is something wrong, or at least notable, with a line.
type Fault struct {
	Line, Last int
	Rule       string // of the specification
	Reason     string
	// Note says that nothing was lost and the line may stay as it is.
	Note bool
	// Lost says that Text was left out, which belongs to no record. Link is
	// what it still says about its place in the tree.
	Lost bool
	Text []byte
	Link Link
}

// Link is what is left of a torn record's place in the tree (F-B01).
type Link struct {
	ID, Parent string
	HasParent  bool // parentId is there, null included
}

// Sink takes what Read finds, in the order of the file.
type Sink interface {
	Record(Record)
	Fault(Fault)
}

// Mapper is a Sink that is told where the records and faults stood that it was
// given since the last time. The regions cover the whole stream.
type Mapper interface {
	Sink
	Region(Region)
}

// Region is a run of lines that were read together; mostly it is one line.
type Region struct {
	Line, Last int
	From, To   int64  // offsets in bytes, To is behind the last line's end
	End        string // how the last line ends: "\n", "\r\n", or "" where the stream does
	// Stays says that the lines may stay as they are: each of them is blank, one
	// record, or too long to be looked at.
	Stays bool
}

// Read reads all of r into the sink. It returns the number of bytes read and
// the first error of r but io.EOF.
func Read(r io.Reader, opt Options, sink Sink) (int64, error) {
	if opt.MaxLine <= 0 {
		opt.MaxLine = DefaultMaxLine
	}
	if opt.chunk == 0 {
		opt.chunk = maxChunk
	}
	if opt.large == 0 {
		opt.large = pages.Large
	}
	if opt.Workers == 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	s := &splitter{
		src: r, max: opt.MaxLine, size: min(minChunk, opt.chunk), chunk: opt.chunk, large: opt.large,
		line: max(opt.Line, 1), offset: opt.Offset,
	}
	s.lookAhead(r)
	if opt.Skim != nil {
		s.spare = make(chan *batch, 4*opt.Workers)
	}
	a := assembler{sink: sink, max: opt.MaxLine}
	a.mapper, _ = sink.(Mapper)
	err := parseAll(s, opt, a.batch)
	if err == nil {
		a.finish()
	}
	return s.read, err
}

// parseAll hands the lines of s to take, in order. Batches are parsed as far
// ahead as there are workers; each worker has a Reader of its own.
func parseAll(s *splitter, opt Options, take func(*batch) (done bool)) error {
	if opt.Workers == 1 {
		return parseInTurn(s, opt, take)
	}
	work := make(chan *batch, opt.Workers)
	order := make(chan *batch, 2*opt.Workers)
	for range opt.Workers {
		go func() {
			p := parser{skim: opt.Skim}
			for b := range work {
				p.parse(b, s.max)
				close(b.done)
			}
		}()
	}
	var failure error
	go func() {
		defer close(order)
		defer close(work)
		for {
			b, err := s.next()
			if err != nil {
				if err != io.EOF {
					failure = err
				}
				return
			}
			if b.long() {
				b.taken = make(chan struct{})
			}
			work <- b
			order <- b
			if b.taken != nil {
				<-b.taken
			}
		}
	}()
	for b := range order {
		<-b.done
		taken := b.taken // as long as b is not used again
		if take(b) {
			s.recycle(b)
		}
		if taken != nil {
			close(taken)
		}
	}
	return failure
}

// parseInTurn is parseAll for one worker.
func parseInTurn(s *splitter, opt Options, take func(*batch) (done bool)) error {
	p := parser{skim: opt.Skim}
	for {
		b, err := s.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		p.parse(b, s.max)
		if take(b) {
			s.recycle(b)
		}
	}
}
