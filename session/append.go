package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"hygeia/transcript"
)

// Appender adds single entries to a session file out of band: what was delivered,
// notes, the user turn that a gateway has taken (F-44). It has the lock for one
// entry at a time, goes on from wherever the file ends, and looks only at what was
// added since its last entry. It is safe for concurrent use.
type Appender struct {
	mu sync.Mutex
	journal
}

// NewAppender returns an appender for a file, which need not be there.
func NewAppender(path string, o WriteOptions) *Appender {
	return &Appender{journal: journal{path: path, o: o.withDefaults()}}
}

// Append adds an entry and returns its id. It is on the disk then. If a message
// has an idempotencyKey that an entry of the file has already, nothing is written
// and the id of that is returned. A row that no model call produced becomes a
// side entry behind another one. The errors are those of Acquire and of
// [Writer.Append]; an id beside one says that the entry is in the file, but may
// not be on the disk.
func (a *Appender) Append(ctx context.Context, e *transcript.Entry) (id string, err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	lock, err := Acquire(ctx, a.path, a.o.Lock)
	if err != nil {
		return "", err
	}
	err = lock.Do(func() error {
		return unmoved(a.refresh, func() error {
			if id, err = a.append(e); err != nil {
				return err
			}
			pauses.announce(lock.hold.name, id)
			return a.sync()
		})
	})
	if err != nil {
		err = failed(a.path, err)
	}
	return id, errors.Join(err, lock.Release())
}

func (a *Appender) append(e *transcript.Entry) (id string, err error) {
	if id := a.tail.keys[keyOfSending(e)]; id != "" {
		return id, nil
	}
	err = a.current()
	if errors.Is(err, ErrDamaged) {
		if err = a.repair(); err == nil {
			err = a.current()
		}
	}
	if err != nil {
		return "", err
	}
	a.read = nil // it is of no use any more
	b := batch{journal: &a.journal, cursor: a.tail.cursor}
	side := e.Side || a.tail.cursor != a.tail.leaf && e.Message != nil && isArtefact(e.Message)
	added, err := b.add(e, fullID, side)
	if err != nil {
		return "", err
	}
	if err := a.put(b.text); err != nil {
		return "", err
	}
	return added.ID, b.done()
}

// refresh looks at what happened to the file since the last entry.
func (a *Appender) refresh() error {
	info, err := a.stat()
	if err != nil {
		return err
	}
	if a.tail.sum != nil && (a.tail.same(info) || a.grown(info)) {
		return nil
	}
	if err := a.load(); err != nil || a.read == nil {
		return err
	}
	if v := a.read.header.Version; v > 3 {
		return fmt.Errorf("version %d: %w", v, ErrVersion)
	}
	return nil
}

// grown takes what was only added behind what is known.
func (a *Appender) grown(info fs.FileInfo) bool {
	was := a.tail.info
	if was == nil || info == nil || a.tail.open || a.tail.headless || !os.SameFile(was, info) || info.Size() < was.Size() {
		return false
	}
	f, _, err := openRegular(a.path)
	if err != nil {
		return false
	}
	defer f.Close()
	text, err := io.ReadAll(io.NewSectionReader(f, was.Size()-1, info.Size()-was.Size()+1))
	if err != nil || text[0] != '\n' || text[len(text)-1] != '\n' {
		return false
	}
	added, err := recordsOf(text)
	if err != nil {
		return false
	}
	for _, e := range added {
		if !a.tail.advance(e) {
			return false
		}
	}
	a.tail.info = info
	return true
}
