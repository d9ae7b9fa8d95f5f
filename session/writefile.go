package session

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"hygeia/internal/swap"
	"hygeia/transcript"
)

// WriteOptions says how entries are written. The zero value is useful.
type WriteOptions struct {
	Lock LockOptions
	// ID and CWD go into the header of a new file; "" makes an id from the file
	// name, or a random one. An old file gets them into its header when something
	// is appended to it, where they are not "" (F-45).
	ID, CWD string
	// ParentSession is the path of the file that a new one goes on from.
	ParentSession string
	// Repair says how the file is repaired before it is read. Write, Out and Lock
	// are set.
	Repair RepairOptions
	// Added is told of each entry that a Writer has added to its own branch, as
	// readers of the file see it. Nil where nobody asks.
	Added  func(*transcript.Entry)
	Now    func() time.Time // nil means time.Now
	Random io.Reader        // for ids; nil means crypto/rand
}

func (o WriteOptions) withDefaults() WriteOptions {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	return o
}

// journal is a session file to which somebody adds who has its lock.
type journal struct {
	path     string
	o        WriteOptions
	tail     tail
	read     *Session // as it was read last, nil for what was not there or empty
	reader   transcript.Reader
	notes    []Problem
	repaired *RepairReport // nil for a file that was not repaired
	dirty    bool          // something may not be on the disk yet
	fresh    bool          // so may the name of the file
}

// load reads the file.
func (j *journal) load() (err error) {
	j.tail, j.read, err = readTail(j.path)
	return err
}

// repair repairs the file, whose lock the caller has, and reads it. One of a
// newer version is left alone.
func (j *journal) repair() (err error) {
	if h, ok := headAt(j.path); ok && h.Version > 3 {
		return failed(j.path, fmt.Errorf("version %d: %w", h.Version, ErrVersion))
	}
	o := j.o.Repair
	o.Write, o.Out = true, ""
	o.Lock = func(string) (Held, error) { return unguarded{}, nil }
	j.repaired, err = Repair(j.path, o)
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist), errors.Is(err, ErrEmpty), errors.Is(err, ErrBusy), j.repaired.InMemoryOnly:
		return j.load()
	}
	return err
}

// stat returns what the file is now, nil when it is not there.
func (j *journal) stat() (fs.FileInfo, error) {
	info, err := os.Stat(j.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return info, err
}

// newHeader returns the line of the header that a file gets which has none.
func (j *journal) newHeader() ([]byte, error) {
	h := Header{ID: j.o.ID, CWD: j.o.CWD, ParentSession: j.o.ParentSession, Timestamp: j.o.Now().UTC().Format(isoTime)}
	if h.ID == "" {
		h.ID = idFromName(j.path)
	}
	var err error
	if h.ID == "" {
		h.ID, err = fullID(j.o.Random, nil)
	}
	return headerLine(h), err
}

// put appends whole lines in one write. If that fails, nothing of them stays.
// The error is errMoved when the file is not what it was.
//
// What is put is not on the disk before sync: a line that the power takes away
// leaves the conversation as it was before, and of one that it tears repair
// keeps what is whole (F-B08).
func (j *journal) put(text []byte) error {
	if j.tail.headless {
		h, err := j.newHeader()
		if err != nil {
			return err
		}
		text = append(h, text...)
	}
	if j.tail.open {
		text = append([]byte{'\n'}, text...) // F-10
	}
	flag := os.O_WRONLY | os.O_APPEND
	if j.tail.info == nil {
		flag |= os.O_CREATE | os.O_EXCL
	}
	f, err := os.OpenFile(j.path, flag, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		return err
	}
	if j.tail.info != nil && !j.tail.same(before) {
		return errMoved
	}
	if _, err := f.Write(text); err != nil {
		return errors.Join(err, f.Truncate(before.Size()))
	}
	j.dirty, j.fresh = true, j.fresh || j.tail.info == nil
	after, err := f.Stat()
	if err != nil {
		return err
	}
	if after.Size() != before.Size()+int64(len(text)) {
		j.tail.info = before // somebody without the lock writes: to be looked at before the next line
		return nil
	}
	j.tail.info, j.tail.headless, j.tail.open = after, false, false
	j.tail.sum.Write(text)
	return nil
}

// errMoved says that the file changed since it was looked at.
var errMoved = errors.New("the file changes all the time")

// unmoved looks at the file and writes to it, and once more if somebody without
// the lock did so in between (F-B06).
func unmoved(look, write func() error) (err error) {
	const tries = 3
	for range tries {
		if err = look(); err != nil {
			return err
		}
		if err = write(); !errors.Is(err, errMoved) {
			return err
		}
	}
	return err
}

// sync brings to the disk what was put.
func (j *journal) sync() error {
	if !j.dirty {
		return nil
	}
	f, err := swap.OS.Open(j.path)
	if err != nil {
		return failed(j.path, err)
	}
	err = errors.Join(f.Sync(), f.Close())
	if err == nil && j.fresh {
		err = swap.OS.SyncDir(filepath.Dir(j.path))
	}
	if err != nil {
		return failed(j.path, fmt.Errorf("bringing it to the disk: %w", err))
	}
	j.dirty, j.fresh = false, false
	return nil
}
