package lines

import (
	"bytes"
	"io"
	"runtime"

	"hygeia/internal/pages"
)

const (
	minChunk = 32 << 10 // the first read, so that a small file stays small
	maxChunk = 256 << 10
	maxHead  = 4 << 10 // what is kept of a line that is too long
)

func headLen(text []byte) int { return min(len(text), maxHead) }

// batch is a run of whole lines, and what the parser makes of them.
type batch struct {
	buf     []byte
	lines   []line
	skipped bool          // lines is the one that the splitter skipped
	done    chan struct{} // closed when lines is complete
	taken   chan struct{} // closed when nobody needs the text any longer; nil where nobody waits for that
}

// long reports whether b holds a line beside which there should be no other.
func (b *batch) long() bool { return len(b.buf) > longLine }

// splitter cuts a stream into batches. Records point into their batch's text,
// so a buffer is used again only when there was nothing in it but skimmed lines.
type splitter struct {
	src   io.Reader
	max   int // length of a line
	size  int // of the next buffer
	chunk int // to which it grows
	large int // from how many bytes on buffers are cut from a page

	tail   []byte // what was read behind the last whole line
	line   int    // number of the line that tail begins
	offset int64  // and its offset
	read   int64
	end    bool
	spare  chan *batch // to be used again; nil where none are
	page   []byte      // to cut the next buffers from, once the file is a large one

	ahead io.ReaderAt // the stream, to look ahead in; nil where that cannot be
	start int64       // offset in ahead where the stream begins
	long  int         // room for the line under way, 0 while it may be a short one
}

// recycle gives back a batch that nothing points into any longer.
func (s *splitter) recycle(b *batch) {
	if len(b.buf) > 4*s.chunk {
		return // made for a long line
	}
	select {
	case s.spare <- b:
	default: // enough of them, or none are wanted
	}
}

// fresh returns a batch with a buffer of that size.
func (s *splitter) fresh(size int) *batch {
	select {
	case b := <-s.spare:
		if len(b.buf) >= size {
			*b = batch{buf: b.buf, lines: b.lines[:0], done: make(chan struct{})}
			return b
		}
	default:
	}
	return &batch{buf: s.cut(size), done: make(chan struct{})}
}

// page is how much memory a large file takes at a time.
const page = 8 << 20

// longLine is the length in bytes from which a line is worth to clear up for: what
// the one before it took may be free by now, and the system gives no more than there is.
const longLine = 32 << 20

// cut returns a buffer of that size.
func (s *splitter) cut(size int) []byte {
	if size > longLine {
		runtime.GC()
	}
	if s.read < int64(s.large) || size > maxChunk || s.spare != nil {
		return make([]byte, size)
	}
	if len(s.page) < size {
		s.page = pages.Part(page, s.large)
	}
	buf := s.page[:size:size]
	s.page = s.page[size:]
	return buf
}

// next returns the next batch, io.EOF behind the last one.
func (s *splitter) next() (*batch, error) {
	for !s.end {
		b := s.fresh(s.room())
		s.size = min(2*s.size, s.chunk)
		n, err := s.fill(b.buf, copy(b.buf, s.tail))
		if err != nil {
			return nil, err
		}
		last := bytes.LastIndexByte(b.buf[:n], '\n')
		switch {
		case s.end:
			s.tail = trim(b.buf[:n])
		case last >= 0:
			s.long = 0
			s.keep(b, b.buf[last+1:n])
			return s.batch(b, b.buf[:last+1:last+1]), nil
		case n > s.max, s.tooLong(n):
			s.long = 0
			return s.skip(b, n)
		default:
			s.tail = b.buf[:n]
		}
	}
	if len(s.tail) == 0 {
		return nil, io.EOF
	}
	b := s.batch(&batch{done: make(chan struct{})}, s.tail)
	s.tail = nil
	return b, nil
}

// room returns how large the next buffer is. One that goes on with a long line has
// room for all of it: to grow step by step would take many times as much.
func (s *splitter) room() int {
	if s.long > len(s.tail) {
		return s.long
	}
	return max(s.size, min(2*len(s.tail), s.max+1))
}

// tooLong looks ahead to the end of a line of which n bytes are read, without
// holding it in memory. It reports whether the line is longer than it may be.
func (s *splitter) tooLong(n int) bool {
	if s.ahead == nil || n < max(s.chunk, maxHead) || s.long > n {
		return false
	}
	buf := make([]byte, s.chunk)
	for at := s.start + s.read; n <= s.max; {
		m, err := s.ahead.ReadAt(buf, at)
		if i := bytes.IndexByte(buf[:m], '\n'); i >= 0 {
			n += i
			break
		}
		if n, at = n+m, at+int64(m); err != nil {
			break
		}
	}
	s.long = n + 1
	return n > s.max
}

// lookAhead lets s look ahead, where r can be read anywhere.
func (s *splitter) lookAhead(r io.Reader) {
	at, ok := r.(interface {
		io.ReaderAt
		io.Seeker
	})
	if !ok {
		return
	}
	if from, err := at.Seek(0, io.SeekCurrent); err == nil {
		s.ahead, s.start = at, from
	}
}

// keep remembers the beginning of a line, apart from its buffer where that is
// used again, or large.
func (s *splitter) keep(b *batch, tail []byte) {
	if s.spare != nil || b.long() {
		tail = bytes.Clone(tail)
	}
	s.tail = tail
}

// trim gives back the room that the last buffer of a file does not need.
func trim(buf []byte) []byte {
	if len(buf) < cap(buf)/2 {
		return bytes.Clone(buf)
	}
	return buf
}

// fill reads until buf, of which n bytes are taken, is full or the file ends.
func (s *splitter) fill(buf []byte, n int) (int, error) {
	m, err := io.ReadFull(s.src, buf[n:])
	s.read += int64(m)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		s.end, err = true, nil
	}
	return n + m, err
}

// batch cuts the text of b into lines.
func (s *splitter) batch(b *batch, text []byte) *batch {
	if cap(b.lines) == 0 {
		b.lines = make([]line, 0, min(len(text), s.chunk)/lineGuess+1) // more is one long line
	}
	for len(text) > 0 {
		l := line{num: s.line, from: s.offset, text: text}
		n := len(text)
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			l.text, n = text[:i:i], i+1
			s.line++
		}
		s.offset += int64(n)
		l.to = s.offset
		b.lines = append(b.lines, l)
		text = text[n:]
	}
	return b
}

// lineGuess is about how long a line is, in bytes.
const lineGuess = 1000

// skip reads to the end of a line that is too long and keeps only its head. The
// buffer of b holds its first n bytes.
func (s *splitter) skip(b *batch, n int) (*batch, error) {
	b.skipped = true
	l := line{num: s.line, from: s.offset, text: bytes.Clone(b.buf[:headLen(b.buf[:n])]), size: n}
	end := 0
	buf := b.buf[:min(len(b.buf), s.chunk)]
	for {
		m, err := s.fill(buf, 0)
		if err != nil {
			return nil, err
		}
		i := bytes.IndexByte(buf[:m], '\n')
		if i >= 0 {
			l.size, end = l.size+i, 1
			s.tail, s.line = buf[i+1:m], s.line+1
		} else {
			l.size += m
			s.tail = nil
		}
		if i >= 0 || s.end {
			break
		}
	}
	s.offset += int64(l.size + end)
	l.to = s.offset
	b.lines = append(b.lines, l)
	return b, nil
}
