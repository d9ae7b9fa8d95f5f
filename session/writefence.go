package session

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"sync"

	"hygeia/transcript"
)

// Pause gives the lock up while the run waits, for a model or a person (F-43).
// What was appended is brought to the disk before; an error says that this, or giving
// up, did not succeed.
func (w *Writer) Pause() error {
	err := w.sync()
	pauses.begin(w)
	return errors.Join(err, w.lock.Release())
}

// Resume takes the lock again. What others have appended meanwhile is accepted
// if it is nothing that the run should have known of: rows that no model call
// produced, notes, side leaf controls, and what an [Appender] of this process
// added. It stands on a branch of its own then. Anything else is ErrTakeover. The
// other errors are those of Acquire and Append.
func (w *Writer) Resume(ctx context.Context) error {
	lock, err := Acquire(ctx, w.path, w.o.Lock)
	if err != nil {
		return err
	}
	w.lock, w.announced = lock, pauses.end(w)
	if err := w.do(func() error { return nil }); err != nil {
		return errors.Join(err, lock.Release())
	}
	return nil
}

// reconcile finds out what happened to the file since the writer looked at it
// last.
func (w *Writer) reconcile() error {
	info, err := w.stat()
	if err != nil || w.tail.same(info) {
		return err
	}
	if info == nil {
		return fmt.Errorf("%w: the file is gone", ErrTakeover)
	}
	added, err := w.added()
	if err != nil {
		return err
	}
	for i, e := range added {
		if !w.accepts(e) && !(i == 0 && w.tail.headless && isHeader(e)) {
			return fmt.Errorf("%w: entry %q of type %q was appended", ErrTakeover, clip(e.ID), e.Type)
		}
	}
	mine := w.tail.ids
	if err := w.load(); err != nil || len(w.waiting) == 0 {
		return err
	}
	maps.Copy(w.tail.ids, mine)
	return w.join()
}

// join writes what waits into the file that somebody else began, as a tree of
// its own.
func (w *Writer) join() error {
	b := batch{journal: &w.journal, cursor: w.tail.cursor}
	if _, err := b.add(leafTo(""), shortID, false); err != nil {
		return err
	}
	if err := w.put(append(b.text, w.waiting...)); err != nil {
		return err
	}
	w.waiting = nil
	return w.load()
}

// added returns the records behind those that the writer knows.
func (w *Writer) added() (list []*transcript.Entry, err error) {
	f, _, err := openRegular(w.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	known := int64(0)
	if w.tail.info != nil {
		known = w.tail.info.Size()
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(f, known)); err != nil {
		return nil, err
	}
	if !bytes.Equal(sum.Sum(nil), w.tail.sum.Sum(nil)) {
		return nil, fmt.Errorf("%w: what stood there is no longer the same", ErrTakeover)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	if first, _, _ := bytes.Cut(text, []byte{'\n'}); w.tail.open && len(bytes.TrimSpace(first)) > 0 {
		return nil, fmt.Errorf("%w: the last line goes on", ErrTakeover)
	}
	return recordsOf(text)
}

// recordsOf reads lines of one record each.
func recordsOf(text []byte) (list []*transcript.Entry, err error) {
	var r transcript.Reader
	for line := range bytes.Lines(text) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		e, n, err := r.Entry(line)
		if err != nil || n != len(line) {
			return nil, fmt.Errorf("%w: what was appended is no record", ErrTakeover)
		}
		list = append(list, e)
	}
	return list, nil
}

// accepts reports whether e may be appended by others while a run pauses, or is
// the writer's own.
func (w *Writer) accepts(e *transcript.Entry) bool {
	switch t := typeOf(e); {
	case e.ID == "":
		return false
	case w.announced[e.ID] || w.tail.known(e.ID):
		return true
	case t == leafControl:
		return e.Side
	case t == message:
		return e.Message != nil && isArtefact(e.Message)
	default:
		return t.isNote()
	}
}

// pauses are the writers of this process that pause, and what is announced to
// them.
var pauses = pausing{of: map[string]map[*Writer]map[string]bool{}}

type pausing struct {
	sync.Mutex
	of map[string]map[*Writer]map[string]bool // path of the lock file → writer → ids
}

func (p *pausing) begin(w *Writer) {
	p.Lock()
	defer p.Unlock()
	name := w.lock.hold.name
	if p.of[name] == nil {
		p.of[name] = map[*Writer]map[string]bool{}
	}
	p.of[name][w] = map[string]bool{}
}

// end returns what was announced.
func (p *pausing) end(w *Writer) map[string]bool {
	p.Lock()
	defer p.Unlock()
	name := w.lock.hold.name
	ids := p.of[name][w]
	if delete(p.of[name], w); len(p.of[name]) == 0 {
		delete(p.of, name)
	}
	return ids
}

// announce tells all who pause at that file of an entry.
func (p *pausing) announce(name, id string) {
	p.Lock()
	defer p.Unlock()
	for _, ids := range p.of[name] {
		ids[id] = true
	}
}
