package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"hygeia/session/internal/lines"
	"hygeia/transcript"
)

// Session is a session file as it was read.
type Session struct {
	file    string
	header  Header
	before  int                 // records in front of the header
	entries []*transcript.Entry // in file order without the header; one of kind lost is a stand-in
	nodes   []node              // parallel to entries
	listed  []*transcript.Entry // entries without the lost ones

	index   map[string]int32   // id → first holder
	holders map[string][]int32 // all holders, only of ids that were stored twice
	leaf    int32              // active leaf, none for an empty branch (F-21)
	cursor  int32              // append cursor (F-22)

	labels   map[string]string
	name     string
	problems []Problem

	active  *Branch
	context *transcript.Context // of the active branch
}

// Options bounds what is read. The zero value is useful.
type Options struct {
	// MaxLine is the length in bytes from which a line is skipped and
	// reported, without being held in memory. 0 means 256 MiB (F-B09).
	MaxLine int
}

// Load reads the session file at path. Damage is no error: it is tolerated and
// reported by Problems. The errors are those of the file system, ErrDirectory,
// ErrEmpty and ErrNotSession, wrapped with the path.
func Load(path string, o Options) (*Session, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, failed(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, failed(path, err)
	}
	if info.IsDir() {
		return nil, failed(path, ErrDirectory)
	}
	return read(f, path, info.Size(), o)
}

// Read is Load for a stream. The name stands for it in errors, and a missing
// header takes its id from it when it is the name of a session file.
func Read(r io.Reader, name string, o Options) (*Session, error) { return read(r, name, 0, o) }

const (
	lineLength = 1000    // about what an entry of an agent takes, in bytes
	maxGuess   = 1 << 17 // entries that are made room for on the word of a file size
)

// read is Read for a stream of about that size.
func read(r io.Reader, name string, size int64, o Options) (*Session, error) {
	s := &Session{
		file: name, leaf: none, cursor: none,
		index:  make(map[string]int32, min(size/lineLength, maxGuess)),
		labels: map[string]string{},
	}
	c := collector{s: s}
	n, err := lines.Read(r, lines.Options{MaxLine: o.MaxLine}, &c)
	if err != nil {
		return nil, failed(name, fmt.Errorf("reading behind byte %d: %w", n, reason(err)))
	}
	if err := c.finish(); err != nil {
		return nil, failed(name, err)
	}
	c.identify()
	s.link()
	s.state()
	sortProblems(s.problems)
	s.active = s.branch(s.leaf)
	// Nobody has seen the messages yet: those of the active branch need no copies.
	s.context = s.active.context(func(m *transcript.Message) *transcript.Message { return m })
	return s, nil
}

// failed names the file once.
func failed(file string, err error) error { return fmt.Errorf("session %s: %w", file, reason(err)) }

// reason takes the path out of an error of package os.
func reason(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return e.Err
	}
	return err
}

// Header returns the header, a derived one where the file has none.
func (s *Session) Header() Header { return s.header }

// Name returns the name that the user gave the session, "" for none (F-25).
func (s *Session) Name() string { return s.name }

// Label returns the label of an entry, "" for none (F-25).
func (s *Session) Label(id string) string { return s.labels[id] }

// Entries returns the records in file order without the header, opaque ones
// included. The caller must not change the list.
func (s *Session) Entries() []*transcript.Entry { return s.listed }

// Leaf returns the id of the last entry of the active branch, "" when that is
// empty (F-21).
func (s *Session) Leaf() string { return s.id(s.leaf) }

// Cursor returns the id of the record that the next appended entry names as its
// parent, "" for none (F-22).
func (s *Session) Cursor() string { return s.id(s.cursor) }

func (s *Session) id(i int32) string {
	if i == none {
		return ""
	}
	return s.entries[i].ID
}

// Problems returns what was found in the file and on its active branch, in the
// order of the file.
func (s *Session) Problems() []Problem {
	p := append(s.problems[:len(s.problems):len(s.problems)], s.active.Problems()...)
	sortProblems(p)
	return p
}
