package lines

import (
	"bytes"
	"io"
)

const (
	minChunk = 32 << 10 // the first read, so that a small file stays small
	maxChunk = 1 << 20
	headLen  = 4 << 10 // what is kept of a line that is too long
)

// batch is a run of whole lines, and what the parser makes of them.
type batch struct {
	text  []byte // each line with its \n, but perhaps the last of the file
	first int    // number of the first line
	count int    // lines in the text
	lines []line
	done  chan struct{} // closed when lines is complete
}

// splitter cuts a stream into batches. Records point into their batch's text,
// so a buffer is never used twice.
type splitter struct {
	src   io.Reader
	max   int // length of a line
	size  int // of the next buffer
	chunk int // to which it grows

	tail []byte // what the last buffer holds behind its last whole line
	line int    // number of the line that tail begins
	read int64
	end  bool
}

// next returns the next batch, io.EOF behind the last one.
func (s *splitter) next() (*batch, error) {
	for !s.end {
		buf := make([]byte, max(s.size, 2*len(s.tail)))
		s.size = min(2*s.size, s.chunk)
		n, err := s.fill(buf, copy(buf, s.tail))
		if err != nil {
			return nil, err
		}
		last := bytes.LastIndexByte(buf[:n], '\n')
		switch {
		case s.end:
			s.tail = trim(buf[:n])
		case last >= 0:
			s.tail = buf[last+1 : n]
			return s.batch(buf[: last+1 : last+1]), nil
		case n > s.max:
			return s.skip(buf, n)
		default:
			s.tail = buf[:n]
		}
	}
	if len(s.tail) == 0 {
		return nil, io.EOF
	}
	b := s.batch(s.tail)
	s.tail = nil
	return b, nil
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

func (s *splitter) batch(text []byte) *batch {
	b := &batch{text: text, first: s.line, count: bytes.Count(text, newline), done: make(chan struct{})}
	s.line += b.count
	return b
}

var newline = []byte{'\n'}

// skip reads to the end of a line that is too long and keeps only its head. buf
// holds its first n bytes.
func (s *splitter) skip(buf []byte, n int) (*batch, error) {
	b := &batch{first: s.line, done: make(chan struct{})}
	l := line{num: s.line, text: bytes.Clone(buf[:min(n, headLen)]), size: n}
	buf = buf[:min(len(buf), s.chunk)]
	for {
		m, err := s.fill(buf, 0)
		if err != nil {
			return nil, err
		}
		i := bytes.IndexByte(buf[:m], '\n')
		if i >= 0 {
			l.size += i
			s.tail, s.line = buf[i+1:m], s.line+1
		} else {
			l.size += m
			s.tail = nil
		}
		if i >= 0 || s.end {
			break
		}
	}
	b.lines = []line{l}
	return b, nil
}
