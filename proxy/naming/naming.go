package naming

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"hygeia/internal/jsonline"
)

// ErrTooLong says that a piece of an answer is longer than the most that was
// allowed.
var ErrTooLong = errors.New("a piece of the answer is too long for the names of tools in it to be mapped back")

// Answer returns the body of an answer of an API, in which tools have the names
// that the caller knows; names holds them by those of the wire. mediaType is that
// of the answer without parameters; it says how the answer is cut into pieces: a
// whole answer is one, a stream has many. A piece of more than most bytes ends the
// answer with [ErrTooLong], since it could hide a name; other errors are those of
// in.
func Answer(in io.ReadCloser, mediaType, api string, names map[string]string, most int) io.ReadCloser {
	m := &mapping{names: names, places: places[api]}
	f, known := framings[mediaType]
	if !known {
		f = jsonTexts
	}
	split, rename := f(m)
	r := &renamed{Closer: in, pieces: bufio.NewScanner(in), rename: rename, most: most}
	r.pieces.Buffer(nil, most)
	r.pieces.Split(split)
	return r
}

// renamed is an answer with other names.
type renamed struct {
	io.Closer
	pieces *bufio.Scanner
	rename func(piece []byte) []byte
	most   int
	rest   []byte // of the last piece
}

// Read reads of at most one piece.
func (r *renamed) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		if !r.pieces.Scan() {
			return 0, r.end()
		}
		r.rest = r.rename(r.pieces.Bytes())
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func (r *renamed) end() error {
	switch err := r.pieces.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("%w: it has more than %d bytes", ErrTooLong, r.most)
	case err != nil:
		return err
	}
	return io.EOF
}

// mapping maps names back in single JSON texts.
type mapping struct {
	names  map[string]string // by those of the wire
	places []place
	scan   jsonline.Scanner
	edits  []edit // of the text at hand
}

// edit puts a name in the place of some bytes.
type edit struct {
	start, end uint32
	name       string
}

// object maps the names in a JSON text back. The text stays as it is; what is none
// has no names.
func (m *mapping) object(text []byte) []byte { return m.in(text, text) }

// in maps the names in a JSON text back and returns what it stands in: bytes that
// have the text at the same place.
func (m *mapping) in(text, around []byte) []byte {
	if m.scan.ScanAll(text, jsonline.Options{Depth: deepest, InvalidUTF8: true}) != nil {
		return around
	}
	m.edits = m.edits[:0]
	for i := range m.places {
		m.find(0, text, m.places[i].path, m.places[i].types)
	}
	if len(m.edits) == 0 {
		return around
	}
	slices.SortFunc(m.edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	out, last := make([]byte, 0, len(around)+64*len(m.edits)), uint32(0)
	for _, e := range m.edits {
		out = jsonline.AppendQuoted(append(out, around[last:e.start]...), e.name)
		last = e.end
	}
	return append(out, around[last:]...)
}

// find notes the names at a path behind node i.
func (m *mapping) find(i uint32, text []byte, path, types []string) {
	n := m.scan.Nodes[i]
	if len(path) == 0 {
		if own, ok := m.names[m.scan.Value(int(i), text).String()]; ok {
			m.edits = append(m.edits, edit{n.Start, n.End, own})
		}
		return
	}
	if len(path) == 1 && types != nil && !slices.Contains(types, m.typeOf(i, text)) {
		return
	}
	for j := i + 1; j < n.Next; j = m.scan.Nodes[j].Next {
		if n.Kind == jsonline.Array && path[0] == "[]" || n.Kind == jsonline.ObjectKind && path[0] == m.name(j, text) {
			m.find(j, text, path[1:], types)
		}
	}
}

func (m *mapping) name(i uint32, text []byte) string {
	n := m.scan.Nodes[i]
	return string(text[n.NameStart:n.NameEnd])
}

// typeOf returns the type of an object.
func (m *mapping) typeOf(i uint32, text []byte) string {
	for j := i + 1; j < m.scan.Nodes[i].Next; j = m.scan.Nodes[j].Next {
		if m.name(j, text) == "type" {
			return m.scan.Value(int(j), text).String()
		}
	}
	return ""
}

// event maps the names in an event of a stream back, whose data are the values of
// its data lines together.
func (m *mapping) event(piece []byte) []byte {
	if !bytes.HasPrefix(piece, dataField) {
		return piece
	}
	// In the text all that is no data is white space, so that every name stands
	// where it stands in the piece.
	text := bytes.Clone(piece)
	for start := 0; start < len(text); {
		line := text[start:]
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line = line[:end]
		}
		other := len(line)
		if bytes.HasPrefix(line, dataField) {
			other = len(dataField)
		}
		for i := range line[:other] {
			line[i] = ' '
		}
		start += len(line) + 1
	}
	return m.in(text, piece)
}
