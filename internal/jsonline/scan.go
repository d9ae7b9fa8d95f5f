package jsonline

import "fmt"

// Scanner validates texts and records their nodes. It is reused from text to
// text; the zero value is ready. It is not safe for concurrent use.
type Scanner struct {
	// Nodes are those of the last scan in document order. The next scan
	// overwrites them.
	Nodes []Node

	src   []byte
	opt   Options
	stack []frame
}

// frame is one open container.
type frame struct {
	node   int32 // index in Nodes, -1 when not recorded
	object bool
}

// Scan reads one JSON value at the start of src, white space around it
// included, and returns the number of bytes read. The error is a *SyntaxError.
func (s *Scanner) Scan(src []byte, opt Options) (int, error) {
	if opt.MaxDepth == 0 {
		opt.MaxDepth = DefaultMaxDepth
	}
	s.src, s.opt = src, opt
	s.Nodes, s.stack = s.Nodes[:0], s.stack[:0]
	if len(src) >= MaxLen {
		return 0, &SyntaxError{Reason: "text longer than 2 GiB"}
	}
	end, err := s.scan()
	s.src = nil
	return end, err
}

// ScanAll is Scan for a text that must hold nothing behind the value.
func (s *Scanner) ScanAll(src []byte, opt Options) error {
	n, err := s.Scan(src, opt)
	if err == nil && n != len(src) {
		return &SyntaxError{Offset: n, Reason: "unexpected byte behind the value"}
	}
	return err
}

// Valid reports whether src is one JSON value in UTF-8.
func Valid(src []byte) bool {
	var s Scanner
	return s.ScanAll(src, Options{}) == nil
}

// scan walks the text with an explicit stack, so that depth costs no goroutine
// stack and can be bounded.
func (s *Scanner) scan() (int, error) {
	src := s.src
	i := skipSpace(src, 0)
	name := span{}
	for {
		// A value starts at i.
		if i >= len(src) {
			return i, s.truncated(i)
		}
		var err error
		switch c := src[i]; c {
		case '{', '[':
			if len(s.stack) > s.opt.MaxDepth {
				return i, &SyntaxError{Offset: i, Reason: fmt.Sprintf("nested deeper than %d", s.opt.MaxDepth)}
			}
			s.open(i, c == '{', name)
			i = skipSpace(src, i+1)
			if i < len(src) && src[i] == closer(c == '{') {
				break // the loop below closes it
			}
			if c == '{' {
				if name, i, err = s.scanName(i); err != nil {
					return i, err
				}
			} else {
				name = span{}
			}
			continue
		case '"':
			end, flags, serr := scanString(src, i, s.opt.InvalidUTF8)
			if serr != nil {
				return i, serr
			}
			s.leaf(i, end, String, flags, name)
			i = end
		default:
			end, kind, lerr := scanLiteral(src, i)
			if lerr != nil {
				return i, lerr
			}
			s.leaf(i, end, kind, 0, name)
			i = end
		}
		// A value ended at i: close what ends here, then go to the next one.
		for {
			i = skipSpace(src, i)
			if len(s.stack) == 0 {
				return i, nil
			}
			if i >= len(src) {
				return i, s.truncated(i)
			}
			object := s.stack[len(s.stack)-1].object
			if src[i] == closer(object) {
				i++
				s.close(i)
				continue
			}
			if src[i] != ',' {
				return i, &SyntaxError{Offset: i, Reason: "expected a comma or the end of the " + containerName(object)}
			}
			i = skipSpace(src, i+1)
			name = span{}
			if object {
				if name, i, err = s.scanName(i); err != nil {
					return i, err
				}
			}
			break
		}
	}
}

// span is a name without its quotes.
type span struct {
	start, end uint32
	escaped    bool
}

// scanName reads `"name" :` and the white space behind it.
func (s *Scanner) scanName(i int) (span, int, error) {
	src := s.src
	if i >= len(src) {
		return span{}, i, s.truncated(i)
	}
	if src[i] != '"' {
		return span{}, i, &SyntaxError{Offset: i, Reason: "expected a member name"}
	}
	// Names are short, and come in the same order line after line: a processor
	// guesses the end of this loop, while it would have to wait for a sum.
	name := span{start: uint32(i + 1)}
	end := i + 1
	for end < len(src) && plainByte[src[end]] {
		end++
	}
	if end < len(src) && src[end] == '"' {
		end++
	} else {
		var flags Flags
		var err error
		if end, flags, err = scanString(src, i, s.opt.InvalidUTF8); err != nil {
			return span{}, i, err
		}
		name.escaped = flags&FlagEscaped != 0
	}
	name.end = uint32(end - 1)
	i = skipSpace(src, end)
	if i >= len(src) {
		return span{}, i, s.truncated(i)
	}
	if src[i] != ':' {
		return span{}, i, &SyntaxError{Offset: i, Reason: "expected a colon behind the member name"}
	}
	return name, skipSpace(src, i+1), nil
}

// open begins a container.
func (s *Scanner) open(start int, object bool, name span) {
	f := frame{node: -1, object: object}
	if len(s.stack) <= s.opt.Depth {
		f.node = int32(len(s.Nodes))
		n := s.node(start, name)
		n.End, n.Kind = uint32(start), Array
		if object {
			n.Kind = ObjectKind
		}
		if len(s.stack) == s.opt.Depth {
			n.Flags |= FlagClosed
		}
	}
	s.stack = append(s.stack, f)
}

// close ends the innermost container.
func (s *Scanner) close(end int) {
	f := s.stack[len(s.stack)-1]
	s.stack = s.stack[:len(s.stack)-1]
	if f.node >= 0 {
		s.Nodes[f.node].End = uint32(end)
		s.Nodes[f.node].Next = uint32(len(s.Nodes))
	}
}

// leaf records a value that holds no others.
func (s *Scanner) leaf(start, end int, kind Kind, flags Flags, name span) {
	if len(s.stack) > s.opt.Depth {
		return
	}
	n := s.node(start, name)
	n.End, n.Next = uint32(end), uint32(len(s.Nodes))
	n.Kind, n.Flags = kind, n.Flags|flags
}

// node appends a node. It is filled in where it lies: to make it first and copy
// it then takes as long as the rest of a scan.
func (s *Scanner) node(start int, name span) *Node {
	s.Nodes = append(s.Nodes, Node{})
	n := &s.Nodes[len(s.Nodes)-1]
	n.Start, n.NameStart, n.NameEnd = uint32(start), name.start, name.end
	if name.escaped {
		n.Flags = FlagNameEscaped
	}
	return n
}

func (s *Scanner) truncated(i int) error {
	return &SyntaxError{Offset: i, Reason: "unexpected end", Truncated: true}
}

func closer(object bool) byte {
	if object {
		return '}'
	}
	return ']'
}

func containerName(object bool) string {
	if object {
		return "object"
	}
	return "array"
}

func skipSpace(src []byte, i int) int {
	for i < len(src) && (src[i] == ' ' || src[i] == '\n' || src[i] == '\t' || src[i] == '\r') {
		i++
	}
	return i
}
