package session

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"hygeia/internal/jsonline"
	"hygeia/internal/swap"
	"hygeia/transcript"
)

// Forked says what file a fork made.
type Forked struct {
	Path      string
	SessionID string // in its header
	Records   int    // behind the header
}

// Fork writes the branch to a session file of its own, beside the session's: its
// entries and the opaque records between them, each below the one in front of it,
// without controls, and at the end the labels that its entries have (F-26). The
// context of the fork is that of the branch. The header names the session's file as
// what it was forked from, and has the id and the working directory of the options;
// where those are "" a random id and the session's directory. The session stays as
// it is, and so does every record that need not change, to the byte.
//
// The errors are ErrNoEntry for a branch without any, and those of the file system,
// wrapped with the path.
func (b *Branch) Fork(o WriteOptions) (*Forked, error) {
	f, err := b.fork(o.withDefaults())
	if err != nil {
		return nil, failed(b.s.file, fmt.Errorf("forking: %w", err))
	}
	return f, nil
}

func (b *Branch) fork(o WriteOptions) (*Forked, error) {
	if len(b.path) == 0 {
		return nil, ErrNoEntry
	}
	h, err := b.forkHeader(o)
	if err != nil {
		return nil, err
	}
	lines := newFork(b).lines()
	path := filepath.Join(filepath.Dir(h.ParentSession), successorName(h))
	_, err = swap.Do(swap.OS, swap.Job{Path: path, Now: o.Now(), Write: func(w io.Writer) error {
		_, err := w.Write(append(headerLine(h), bytes.Join(lines, nil)...))
		return err
	}})
	if err != nil {
		return nil, err
	}
	return &Forked{Path: path, SessionID: h.ID, Records: len(lines)}, nil
}

func (b *Branch) forkHeader(o WriteOptions) (h Header, err error) {
	h = Header{ID: o.ID, CWD: o.CWD, Timestamp: o.Now().UTC().Format(isoTime)}
	if h.CWD == "" {
		h.CWD = b.s.header.CWD
	}
	if h.ID == "" {
		h.ID, err = fullID(o.Random, nil)
	}
	from, unknown := filepath.Abs(b.s.file)
	h.ParentSession = from
	return h, errors.Join(err, unknown)
}

// fork is a rotation in which everything beside the branch is gone, and nothing
// becomes stale.
type fork struct {
	rotation
	records []int32 // of the fork, in their order, without the labels
}

func newFork(b *Branch) *fork {
	f := &fork{rotation: rotation{Session: b.s, b: b, c: cut{at: nowhere}, gone: slices.Repeat([]bool{true}, len(b.s.entries))}}
	for i := b.leaf(); i != none; i = f.above(i) {
		if t := f.nodes[i].typ; t != label && t != leafControl {
			f.gone[i] = false
			f.records = append(f.records, i)
		}
	}
	slices.Reverse(f.records)
	f.up = f.parents()
	return f
}

// nowhere is the position of a compaction that makes nothing stale.
const nowhere = -2

// lines returns the lines of the fork behind its header.
func (f *fork) lines() (lines [][]byte) {
	place := map[int32]int{} // on the branch, from 1 on
	for p, i := range f.b.path {
		place[i] = p + 1
	}
	for _, i := range f.records {
		lines = append(lines, lineOf(f.record(i, place[i]-1)))
	}
	if len(f.records) == 0 {
		return nil // nothing but labels
	}
	parent := f.id(f.records[len(f.records)-1])
	for _, i := range f.labels() {
		e := f.successor(i, nowhere-1).With("parentId", jsonline.Text(parent))
		lines, parent = append(lines, lineOf(e)), e.ID
	}
	return lines
}

// record returns record i as it stands in the fork. p is its position on the
// branch, -1 for none.
func (f *fork) record(i int32, p int) *transcript.Entry {
	e := f.successor(i, p)
	switch t := f.nodes[i].typ; {
	case t == compaction && p >= 0:
		return f.keeping(e, i, p)
	case t == message && f.version < 3 && e.Get("message").Object().Get("role").String() == string(hookMessage):
		return e.With("message", jsonline.Value{Raw: e.Message.AppendJSON(nil), Kind: jsonline.ObjectKind}) // F-16
	}
	return e
}

// keeping sees to it that the compaction at position p keeps what it keeps here: what
// it names may not be in the fork, or have another id there, and version 1 gave a
// number (F-15).
func (f *fork) keeping(e *transcript.Entry, i int32, p int) *transcript.Entry {
	from, problem := f.b.kept(p)
	for from < p && f.gone[f.b.path[from]] {
		from++
	}
	kept := f.b.path[from]
	if named := f.firstKept(i); problem == nil && !f.gone[named] {
		kept = named
	}
	if e.Get("firstKeptEntryId").String() == f.id(kept) {
		return e
	}
	e = e.With("firstKeptEntryId", jsonline.Text(f.id(kept)))
	if e.Get("firstKeptEntryIndex").Exists() {
		e = e.With("firstKeptEntryIndex", jsonline.Value{})
	}
	return e
}

// labels returns the records that say which labels the entries of the fork have.
func (f *fork) labels() (list []int32) {
	seen := map[string]bool{}
	for i := int32(len(f.nodes)) - 1; i >= 0; i-- {
		if n := f.nodes[i]; n.typ != label || n.kind != canonical && n.kind != aside {
			continue
		}
		id := f.entries[i].Get("targetId").String()
		at := f.first(keyOf(id))
		if !seen[id] && at != none && !f.gone[at] && f.Label(id) != "" {
			list = append(list, i)
		}
		seen[id] = true
	}
	slices.Reverse(list)
	return list
}

// lineOf returns the line of an entry, the stored one where nothing changed.
func lineOf(e *transcript.Entry) []byte {
	if e.Members().Edited() {
		return oneLine(e.AppendJSON(nil))
	}
	return append(e.AppendJSON(nil), '\n')
}
