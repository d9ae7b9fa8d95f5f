package session

import (
	"context"
	"errors"
	"fmt"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// Writer adds the entries of a run to one session file, whose lock it has. It
// keeps to its own branch: what others add while it pauses stands beside it
// (F-43). It is not safe for concurrent use.
//
// A new session is not written until the first assistant message is there; then
// everything so far is (F-42). From there on each entry is one write. It is
// brought to the disk when the lock is given up, by Pause, Close and Sync.
type Writer struct {
	journal
	lock    *Lock
	leaf    string            // of the run's own branch
	waiting []byte            // lines that wait for the first assistant message
	keys    map[string]string // idempotencyKey → id of the entry of the run's branch that has it
	// announced are the ids of entries that others of this process added while
	// the writer paused.
	announced map[string]bool
}

// OpenWriter takes the lock of a session file, repairs it and reads it (C-06). A
// file that is not there, or empty, is a new session. One that cannot be repaired
// because nothing can be written beside it is read as it is. The errors are those
// of Acquire, Repair and Load, and ErrVersion.
func OpenWriter(ctx context.Context, path string, o WriteOptions) (*Writer, error) {
	lock, err := Acquire(ctx, path, o.Lock)
	if err != nil {
		return nil, err
	}
	w := &Writer{journal: journal{path: path, o: o.withDefaults()}, lock: lock}
	if err := lock.Do(w.repair); err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	w.leaf, w.keys = w.tail.leaf, map[string]string{}
	if w.read != nil {
		w.learn(w.read.active.Entries())
	}
	return w, nil
}

// Session returns the file as the writer read it last, nil for a new session.
// What it says stays true of the run's branch until something is appended.
func (w *Writer) Session() *Session { return w.read }

// Repair returns what was done when the file was repaired. Whoever opened it has
// to tell people of the paths in it (F-B25).
func (w *Writer) Repair() *RepairReport { return w.repaired }

// Leaf returns the id of the last entry of the run's branch, "" when that is
// empty.
func (w *Writer) Leaf() string { return w.leaf }

// Unwritten reports whether no file holds what was appended yet (F-42).
func (w *Writer) Unwritten() bool { return len(w.waiting) > 0 }

// Report returns what was done to the file besides appending, in order.
func (w *Writer) Report() []Problem { return w.notes }

// Append adds an entry at the end of the run's branch and returns its id. The
// writer gives it id, parent and, where it has none, its time (F-12); whether it
// is a side entry, it says itself. If a message has an idempotencyKey that an
// entry of the branch has already, nothing is written and the id of that is
// returned (F-44). A file of an older version, or with another header than it
// should have, is rewritten before (D-22).
//
// The errors are ErrNoEntry, ErrTakeover, ErrDamaged, those of [Lock.Do] and of
// the file system. ErrTakeover stays: the run has to begin anew.
func (w *Writer) Append(e *transcript.Entry) (id string, err error) {
	err = w.do(func() error {
		if id = w.keys[keyOfSending(e)]; id != "" {
			return nil
		}
		id, err = w.append(e, shortID)
		return err
	})
	return id, err
}

// learn takes over the keys of entries of the run's branch.
func (w *Writer) learn(entries []*transcript.Entry) {
	for _, e := range entries {
		if key := keyOfSending(e); key != "" {
			w.keys[key] = e.ID
		}
	}
}

// Select makes the branch that ends at the named entry the run's own, "" being
// the empty one. Entries stay; an edit or retry begins behind an older one
// (F-20). The error is ErrUnknownEntry, or one of Append.
func (w *Writer) Select(leaf string) error {
	return w.do(func() error {
		if leaf != "" && !w.tail.ids[leaf] {
			return fmt.Errorf("entry %q: %w", clip(leaf), ErrUnknownEntry)
		}
		w.leaf = leaf
		return w.relearn()
	})
}

// relearn looks for the keys of a branch that was selected. A session that is
// not written yet keeps all it has.
func (w *Writer) relearn() error {
	if w.tail.headless {
		return nil
	}
	if err := w.load(); err != nil {
		return err
	}
	clear(w.keys)
	if w.leaf == "" {
		return nil
	}
	b, err := w.read.Branch(w.leaf)
	if err == nil {
		w.learn(b.Entries())
	}
	return err
}

// do writes under the lock, if the file is still as it should be.
func (w *Writer) do(write func() error) error {
	err := w.lock.Do(func() error { return unmoved(w.reconcile, write) })
	if err != nil {
		err = failed(w.path, err)
	}
	return err
}

// append adds an entry to the run's branch, with an id of that kind.
func (w *Writer) append(e *transcript.Entry, newID idKind) (id string, err error) {
	if err := w.current(); err != nil {
		return "", err
	}
	b := batch{journal: &w.journal, cursor: w.tail.cursor}
	if w.leaf != w.tail.leaf { // somebody else's branch is the active one
		if _, err := b.add(leafTo(w.leaf), shortID, false); err != nil {
			return "", err
		}
		b.cursor = w.leaf
	}
	added, err := b.add(e, newID, e.Side)
	if err != nil {
		return "", err
	}
	if w.tail.headless && (added.Message == nil || !added.Message.Is(transcript.Assistant)) {
		w.waiting = append(w.waiting, b.text...)
	} else if err := w.put(append(w.waiting, b.text...)); err != nil {
		return "", err
	} else {
		w.waiting = nil
	}
	if err := b.done(); err != nil {
		return "", err
	}
	if !added.Side {
		w.leaf = w.tail.leaf
		w.learn([]*transcript.Entry{added})
		if w.o.Added != nil {
			w.o.Added(added)
		}
	}
	return added.ID, nil
}

// leafTo returns the control that makes an entry the active leaf (F-21).
func leafTo(id string) *transcript.Entry {
	target := jsonline.Text(id)
	if id == "" {
		target = noParent
	}
	return transcript.NewEntry(transcript.EntryLeaf).With("targetId", target)
}

// Close brings to the disk what was appended and gives the lock up. A new session
// without an assistant message leaves no file (F-42). The error says which of the two
// did not succeed.
func (w *Writer) Close() error {
	pauses.end(w)
	return errors.Join(w.sync(), w.lock.Release())
}
