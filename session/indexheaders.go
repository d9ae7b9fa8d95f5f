package session

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"hygeia/transcript"
)

// headed is a session file and what its beginning says.
type headed struct {
	name    string
	header  Header
	changed time.Time
}

const headerLength = 64 << 10 // bytes in which a header is looked for (F-11)

// headers returns the session files of the store, of several of one session the
// one that was written last. Links out of the store are not followed.
func (s Store) headers() ([]headed, error) {
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	list, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return nil, err
	}
	newest := map[string]headed{}
	for _, d := range list {
		f, ok := headOf(root, d.Name())
		if old, again := newest[f.header.ID]; ok && (!again || !f.changed.Before(old.changed)) {
			newest[f.header.ID] = f
		}
	}
	var files []headed
	for _, f := range newest {
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b headed) int { return strings.Compare(a.name, b.name) })
	return files, nil
}

// headOf reads the beginning of a file. It is not ok for what is no session. A
// header that is not there has the id that the name says (D-15).
func headOf(root *os.Root, name string) (h headed, ok bool) {
	id := idFromName(name)
	if id == "" {
		return h, false
	}
	info, err := root.Stat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return h, false
	}
	f, err := root.Open(name)
	if err != nil {
		return h, false
	}
	defer f.Close()
	h = headed{name: name, header: Header{ID: id}, changed: info.ModTime()}
	if header, ok := readHead(f); ok {
		h.header = header
	}
	return h, true
}

// readHead returns the header at the beginning of a file.
func readHead(f io.Reader) (Header, bool) {
	text, _ := io.ReadAll(io.LimitReader(f, headerLength))
	var r transcript.Reader
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\uFEFF"))) {
		if e, _, err := r.Entry(line); err == nil && isHeader(e) {
			return readHeader(e), true
		}
	}
	return Header{}, false
}

// headAt is readHead for the file at path.
func headAt(path string) (Header, bool) {
	f, _, err := openRegular(path)
	if err != nil {
		return Header{}, false
	}
	defer f.Close()
	return readHead(f)
}
