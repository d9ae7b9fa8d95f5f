package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"hygeia/session/internal/lines"
	"hygeia/transcript"
)

// Session is a session file as it was read.
type Session struct {
	collector
	entries []*transcript.Entry // in file order without the header; a torn one is a stand-in
	places  []place             // parallel to entries
	listed  []*transcript.Entry // entries without the lost ones

	digests  map[int32]string // what the ids are made of that version 1 did not store
	odd      []int32          // records to look at once the version is known
	labels   map[string]string
	name     string
	problems []Problem

	ills   *ills // nil where nobody asks for them
	faulty bool  // there was something to say about a line
	shared bool  // others have the messages, too

	active  *Branch
	context *transcript.Context // of the active branch
}

// place is where a record stands.
type place struct{ line, last int32 }

// Options bounds what is read. The zero value is useful.
type Options struct {
	// MaxLine is the length in bytes from which a line is skipped and
	// reported, without being held in memory. 0 means 256 MiB (F-B09).
	MaxLine int
}

// Load reads the session file at path. Damage is no error: it is tolerated and
// reported by Problems. The errors are those of the file system, ErrDirectory,
// ErrNotRegular, ErrEmpty and ErrNotSession, wrapped with the path.
func Load(path string, o Options) (*Session, error) {
	f, info, err := openRegular(path)
	if err != nil {
		return nil, failed(path, err)
	}
	defer f.Close()
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
	s := newSession(name, size)
	if err := s.fill(r, o, nil); err != nil {
		return nil, failed(name, err)
	}
	return s, nil
}

// newSession returns a session of which nothing was read yet.
func newSession(name string, size int64) *Session {
	s := &Session{collector: collector{tree: newTree(size), file: name}, labels: map[string]string{}}
	s.see = s
	return s
}

// fill reads r into the session, with the numbers that lines had before they were
// shifted.
func (s *Session) fill(r io.Reader, o Options, by shifts) error {
	if n, err := lines.Read(r, lines.Options{MaxLine: o.MaxLine}, filling{s, by}); err != nil {
		return fmt.Errorf("reading behind byte %d: %w", n, reason(err))
	}
	return s.complete()
}

// complete finds out how the records hang together.
func (s *Session) complete() error {
	if err := s.finish(); err != nil {
		return err
	}
	s.aboutHeader()
	s.identify(func(i int32) string { return s.digests[i] })
	for _, i := range s.odd {
		s.settle(i)
	}
	s.listed = s.without(lost)
	s.link()
	s.state()
	sortProblems(s.problems)
	s.active = s.branch(s.leaf)
	s.context = s.active.context(s.own)
	return nil
}

// own returns m, or a copy of it where others may have seen that already: then
// its origin stays what it is.
func (s *Session) own(m *transcript.Message) *transcript.Message {
	if !s.shared {
		return m
	}
	return copyOf(m)
}

func copyOf(m *transcript.Message) *transcript.Message {
	c := *m
	return &c
}

// addRecord takes in a record as it was read.
func (s *Session) addRecord(r lines.Record) {
	i := s.record(r)
	if i == none {
		return
	}
	n, e := s.nodes[i], r.Entry
	if n.is(bare) {
		if s.digests == nil {
			s.digests = map[int32]string{}
		}
		s.digests[i] = r.Digest
	}
	if n.kind != canonical && n.kind != control || e.ID == "" || n.typ == message && e.Message.Is(hookMessage) {
		s.odd = append(s.odd, i)
	}
	s.entries = append(s.entries, e)
	s.places = append(s.places, place{int32(r.Line), int32(r.Last)})
	if s.ills != nil && n.typ == message && n.kind == canonical {
		s.ills.look(i, e.Message)
	}
}

// addFault takes in what is wrong with lines.
func (s *Session) addFault(f lines.Fault) {
	s.faulty = true
	s.fault(f)
	if s.lose(f) != none {
		s.entries = append(s.entries, &transcript.Entry{ID: f.Link.ID, Parent: f.Link.Parent, HasParent: f.Link.HasParent})
		s.places = append(s.places, place{int32(f.Line), int32(f.Last)})
	}
}

// aboutHeader reports what is odd about the header.
func (s *Session) aboutHeader() {
	report := func(rule string, note bool, format string, args ...any) {
		s.problems = append(s.problems, Problem{
			Line: s.line, Last: s.line, Rule: rule, Note: note, Reason: fmt.Sprintf(format, args...),
		})
	}
	if s.header.Entry == nil {
		report("F-17", false, "the file has no whole header; read with the id %s", s.header.ID)
		return
	}
	if s.before > 0 {
		report("F-17", false, "the header stands behind other records")
	}
	if v := s.header.Version; v < 1 || v > 3 {
		report("F-11", true, "version %s is not known; read as version %d", s.header.Entry.Get("version").Raw, s.version)
	}
}

// without returns the entries that are not of that kind.
func (s *Session) without(k kind) []*transcript.Entry {
	if !slices.ContainsFunc(s.nodes, func(n node) bool { return n.kind == k }) {
		return s.entries
	}
	var list []*transcript.Entry
	for i, e := range s.entries {
		if s.nodes[i].kind != k {
			list = append(list, e)
		}
	}
	return list
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
