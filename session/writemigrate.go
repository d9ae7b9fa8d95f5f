package session

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"hygeia/internal/jsonline"
	"hygeia/internal/swap"
	"hygeia/transcript"
)

// current sees to it that entries of version 3 may stand in the file, and that
// its header is the one that the options ask for: F-15, F-16 and F-45. It is
// called when something is about to be appended (D-22). Every other line stays
// as it is, to the byte (F-B18, F-B19).
func (j *journal) current() error {
	m := migration{journal: j}
	if j.read == nil || !m.needed() {
		return nil
	}
	path, err := filepath.EvalSymlinks(j.path)
	if err != nil {
		return err
	}
	r, err := swap.Do(swap.OS, swap.Job{Path: path, Was: j.tail.info, Now: j.o.Now(), Write: m.write})
	switch {
	case errors.Is(err, swap.ErrChanged), errors.Is(err, swap.ErrGrew):
		err = fmt.Errorf("%w while it was rewritten", ErrTakeover)
	case err != nil:
		err = fmt.Errorf("rewriting: %w", err)
	}
	if r.Backup != "" {
		m.note("F-62", "the file as it was is kept as "+r.Backup)
	}
	if r.Replaced {
		j.notes = append(j.notes, m.notes...)
		err = errors.Join(err, j.load())
	}
	return err
}

// migration is the rewriting of a file.
type migration struct {
	*journal
	reader transcript.Reader
	header jsonline.Object // the new one
	notes  []Problem
	next   int    // the record that comes next
	parent string // id of the one in front of it
}

func (m *migration) note(rule, reason string) {
	m.notes = append(m.notes, Problem{Rule: rule, Reason: reason, Note: true})
}

// needed finds out what the header has to be, and whether anything changes.
func (m *migration) needed() bool {
	s := m.read
	if s.header.Entry == nil {
		return false // without a stored header there is nothing to bring in line
	}
	m.header = s.header.Entry.Members()
	if s.header.Version < 3 {
		m.header = m.header.With("version", jsonline.Value{Raw: []byte("3"), Kind: jsonline.Number})
		m.note("F-16", fmt.Sprintf("migrated from version %d to version 3", s.version))
	}
	for _, c := range []struct{ name, is, want string }{{"id", s.header.ID, m.o.ID}, {"cwd", s.header.CWD, m.o.CWD}} {
		if c.want != "" && c.is != c.want {
			m.header = m.header.With(c.name, jsonline.Text(c.want))
			m.note("F-45", fmt.Sprintf("%s of the header set from %q to %q", c.name, clip(c.is), clip(c.want)))
		}
	}
	return len(m.notes) > 0
}

// write writes the new file. Whether each line is one record was found out by
// nobody yet: the reader takes more than that.
func (m *migration) write(w io.Writer) error {
	f, _, err := openRegular(m.path)
	if err != nil {
		return err
	}
	defer f.Close()
	in, out := bufio.NewReader(f), bufio.NewWriter(w)
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return err
		}
		if line, err := m.line(line, number == m.read.line); err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		} else if _, err := out.Write(line); err != nil {
			return err
		}
		if err == io.EOF {
			break
		}
	}
	if m.next != len(m.read.entries) {
		return fmt.Errorf("%w: %d records on as many lines, of %d", ErrDamaged, m.next, len(m.read.entries))
	}
	return out.Flush()
}

// noParent is the parentId of a root, and the target of a control that selects
// nothing.
var noParent = jsonline.Value{Raw: []byte("null"), Kind: jsonline.Null}

// line returns what a line becomes.
func (m *migration) line(line []byte, isHeader bool) ([]byte, error) {
	text := bytes.TrimSpace(line)
	switch {
	case len(text) == 0:
		return line, nil
	case isHeader:
		return oneLine(m.header.AppendTo(nil)), nil
	case m.next == len(m.read.entries):
		return nil, ErrDamaged
	}
	i := m.next
	m.next++
	e := m.read.entries[i]
	stored, n, err := m.reader.Entry(text)
	if err != nil || n != len(text) || stored.Type != e.Type || m.read.nodes[i].kind == lost {
		return nil, ErrDamaged
	}
	to := m.upgrade(int32(i), stored.Members(), e)
	if !to.Edited() {
		return line, nil
	}
	return oneLine(to.AppendTo(nil)), nil
}

// upgrade brings record i to version 3 (F-15, F-16).
func (m *migration) upgrade(i int32, o jsonline.Object, e *transcript.Entry) jsonline.Object {
	if m.read.version == 1 && e.ID != "" {
		parent := noParent
		if m.parent != "" {
			parent = jsonline.Text(m.parent)
		}
		o = o.With("id", jsonline.Text(e.ID)).With("parentId", parent)
		m.parent = e.ID
		if kept := m.read.firstKept(i); typeOf(e) == compaction && kept != none && o.Has("firstKeptEntryIndex") {
			o = o.Without("firstKeptEntryIndex").With("firstKeptEntryId", jsonline.Text(m.read.id(kept)))
		}
	}
	// The id of the header as a parent means none; the header may get another.
	if m.read.version > 1 && e.Parent != "" && e.Parent == m.read.header.ID && !m.tail.known(e.Parent) {
		o = o.With("parentId", noParent)
	}
	if msg := o.Get("message").Object(); m.read.version < 3 && typeOf(e) == message && msg.Get("role").String() == string(hookMessage) {
		o = o.With("message", msg.With("role", jsonline.Text(string(transcript.Custom))).Value())
	}
	return o
}
