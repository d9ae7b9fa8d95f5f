package lines

import (
	"io"
	"runtime"

	"hygeia/transcript"
)

// Options bounds what is read. The zero value is useful.
type Options struct {
	// MaxLine is the length in bytes from which a line is skipped, 0 means
	// DefaultMaxLine.
	MaxLine int

	chunk   int // of a read, 0 means maxChunk
	workers int // parsing lines, 0 means one for each core
}

// DefaultMaxLine is the longest line that is read, in bytes (F-B09).
const DefaultMaxLine = 256 << 20

// Record is one JSON value of the file.
type Record struct {
	Line, Last int // physical lines from 1; Last is behind Line in a record that was broken
	Entry      *transcript.Entry
	// Digest is the SHA-256 in hex of "<line>:<raw line>" for an object
	// without an id, from which its id is derived (D-27).
	Digest string
}

// Fault is something wrong, or at least notable, with a line.
type Fault struct {
	Line, Last int
	Rule       string // of the specification
	Reason     string
	// Note says that nothing was lost and the line may stay as it is.
	Note bool
	// Lost says that text was left out which belongs to no record. Link is
	// what it still says about its place in the tree.
	Lost bool
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

// Read reads all of r into the sink. It returns the number of bytes read and
// the first error of r but io.EOF.
func Read(r io.Reader, opt Options, sink Sink) (int64, error) {
	if opt.MaxLine <= 0 {
		opt.MaxLine = DefaultMaxLine
	}
	if opt.chunk == 0 {
		opt.chunk = maxChunk
	}
	if opt.workers == 0 {
		opt.workers = runtime.GOMAXPROCS(0)
	}
	s := &splitter{src: r, max: opt.MaxLine, size: min(minChunk, opt.chunk), chunk: opt.chunk, line: 1}
	a := assembler{sink: sink, max: opt.MaxLine}
	err := parseAll(s, opt.workers, a.line)
	a.close()
	return s.read, err
}

// parseAll hands the lines of s to take, in order. Batches are parsed as far
// ahead as there are workers; each worker has a Reader of its own.
func parseAll(s *splitter, workers int, take func(line)) error {
	work := make(chan *batch, workers)
	order := make(chan *batch, 2*workers)
	for range workers {
		go func() {
			var p parser
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
			work <- b
			order <- b
		}
	}()
	for b := range order {
		<-b.done
		for _, l := range b.lines {
			take(l)
		}
	}
	return failure
}
