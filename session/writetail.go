package session

import (
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// tail is what one has to know of a file to add to it.
type tail struct {
	info     fs.FileInfo // what the file was when it was read or written last, nil when it was not there
	sum      hash.Hash   // of its bytes
	headless bool        // it has no header yet
	open     bool        // its last line has no end
	leaf     string      // F-21
	cursor   string      // F-22
	ids      map[string]bool
	keys     map[string]string // idempotencyKey → id of the entry that has it
}

// readTail reads the file as it is. The session is nil where nothing is in it.
func readTail(path string) (t tail, s *Session, err error) {
	t = tail{sum: sha256.New(), headless: true, ids: map[string]bool{}, keys: map[string]string{}}
	f, info, err := openRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil, nil
	}
	if err != nil {
		return t, nil, failed(path, err)
	}
	defer f.Close()
	t.info = info
	size := t.info.Size()
	s, err = read(io.TeeReader(io.LimitReader(f, size), t.sum), path, size, Options{})
	if err != nil && !errors.Is(err, ErrEmpty) {
		return t, nil, err
	}
	last := []byte{'\n'}
	if _, err := f.ReadAt(last, max(0, size-1)); err != nil && err != io.EOF {
		return t, nil, failed(path, err)
	}
	t.open = last[0] != '\n'
	if s != nil {
		t.headless = false
		t.follow(s)
	}
	return t, s, nil
}

// follow takes over what was read of the file.
func (t *tail) follow(s *Session) {
	t.leaf, t.cursor = s.Leaf(), s.Cursor()
	for i, e := range s.entries {
		if kind := s.nodes[i].kind; kind != lost && e.ID != "" {
			t.know(e, kind == canonical)
		}
	}
}

// know notes that e is in the file. canonical says that a branch may end there.
func (t *tail) know(e *transcript.Entry, canonical bool) {
	t.ids[e.ID] = canonical
	if key := keyOfSending(e); key != "" && t.keys[key] == "" {
		t.keys[key] = e.ID
	}
}

// keyOfSending returns the key under which the sender of a message knows it, ""
// if it has none (F-44).
func keyOfSending(e *transcript.Entry) string {
	if e.Message == nil {
		return ""
	}
	return e.Message.Get("idempotencyKey").String()
}

// known reports whether a record of that id is in the file.
func (t *tail) known(id string) bool {
	_, ok := t.ids[id]
	return ok
}

// same reports whether the file is still what it was.
func (t *tail) same(info fs.FileInfo) bool {
	if t.info == nil || info == nil {
		return t.info == nil && info == nil
	}
	return os.SameFile(t.info, info) && t.info.Size() == info.Size() && t.info.ModTime().Equal(info.ModTime())
}

// advance takes a record that was added behind all others. It returns false for
// one that goes on from somewhere else than the end: to know what that means
// takes the whole tree (F-21…F-23).
func (t *tail) advance(e *transcript.Entry) bool {
	kind := kindOf(e, typeOf(e))
	atEnd := e.HasParent && (e.Parent == t.cursor || e.Parent == t.leaf) &&
		(e.Parent != "" || e.Get("parentId").Kind == jsonline.Null)
	if !atEnd || e.ID == "" || t.known(e.ID) {
		return false
	}
	switch {
	case kind == control:
		target := e.Get("targetId")
		if !t.ids[target.String()] && target.Kind != jsonline.Null || e.Members().Has("appendParentId") {
			return false
		}
		t.leaf, t.cursor = target.String(), target.String()
	case kind == canonical && !e.Side:
		t.leaf, t.cursor = e.ID, e.ID
	case kind == canonical || kind == opaque:
		t.cursor = e.ID
	default:
		return false
	}
	t.know(e, kind == canonical)
	return true
}
