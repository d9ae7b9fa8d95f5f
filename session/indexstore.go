package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"hygeia/internal/jsonline"
	"hygeia/internal/swap"
	"hygeia/transcript"
)

const indexName = "sessions.json"

// Index reads the index of the store. It may be being written by a program that
// does not swap it: what cannot be read is read again twice, 50 ms apart, and is
// an index without rows then, which its problems say (F-06). So is one that is
// not there, which is no problem. The error names the file and says why it could not
// be read at all.
func (s Store) Index() (*Index, error) {
	x, _, err := s.index()
	return x, err
}

const (
	indexTries = 3
	indexWait  = 50 * time.Millisecond
)

// index returns the index and what its file was, nil if it was not there.
func (s Store) index() (x *Index, info fs.FileInfo, err error) {
	path := s.indexPath()
	for try := 1; ; try++ {
		text, info, err := readWhole(path)
		if errors.Is(err, fs.ErrNotExist) {
			return newIndex(), nil, nil
		}
		if err != nil {
			return nil, nil, fmt.Errorf("index %s: %w", path, reason(err))
		}
		x, ok := readIndex(text)
		if !ok && try < indexTries {
			time.Sleep(indexWait)
			continue
		}
		if !ok {
			x.problems = []Problem{{Rule: "F-B20", Reason: "the index is no JSON object"}}
		}
		return x, info, nil
	}
}

func (s Store) indexPath() string { return filepath.Join(s.dir, indexName) }

func readWhole(path string) ([]byte, fs.FileInfo, error) {
	f, info, err := openRegular(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	return text, info, err
}

// Update changes the index under its lock: change gets it as it is, and what it
// leaves is swapped in at once, or nothing is where it changes nothing or returns
// an error. It may be called again if somebody without the lock writes.
//
// An index that cannot be read is never written over: it is moved aside, and rows
// are made of the session files in the store, under keys of their own (F-B20).
// What happened is among the problems of the index.
func (s Store) Update(ctx context.Context, o LockOptions, change func(*Index) error) (*Index, error) {
	lock, err := Acquire(ctx, s.indexPath(), o)
	if err != nil {
		return nil, err
	}
	var x *Index
	err = lock.Do(func() error {
		const tries = 3
		for try := 1; ; try++ {
			x, err = s.update(change)
			if try == tries || !errors.Is(err, swap.ErrChanged) && !errors.Is(err, fs.ErrExist) {
				return err
			}
		}
	})
	if err != nil {
		err = fmt.Errorf("index %s: %w", s.indexPath(), err)
	}
	return x, errors.Join(err, lock.Release())
}

func (s Store) update(change func(*Index) error) (*Index, error) {
	x, info, err := s.index()
	if err != nil {
		return nil, err
	}
	if len(x.problems) > 0 {
		if err := s.renew(x); err != nil {
			return nil, err
		}
		info = nil
	}
	if err := change(x); err != nil || !x.changed {
		return x, err
	}
	path := s.indexPath()
	if info != nil {
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return nil, err
		}
	}
	_, err = swap.Do(swap.OS, swap.Job{Path: path, Was: info, Now: time.Now(), Write: func(w io.Writer) error {
		_, err := w.Write(x.appendTo(nil))
		return err
	}})
	return x, err
}

// renew moves an index aside that cannot be read, and fills x with rows made of
// the session files.
func (s Store) renew(x *Index) error {
	aside, err := moveAside(s.indexPath(), time.Now())
	if err != nil {
		return fmt.Errorf("moving what cannot be read aside: %w", err)
	}
	files, err := s.headers()
	if err != nil {
		return err
	}
	for _, f := range files {
		row := jsonline.Object{}.With("sessionId", jsonline.Text(f.header.ID)).
			With("sessionFile", jsonline.Text(filepath.Join(s.dir, f.name))).
			With("updatedAt", jsonline.Int(int(f.changed.UnixMilli())))
		if ms, ok := transcript.ParseTime(jsonline.Text(f.header.Timestamp)); ok {
			row = row.With("sessionStartedAt", jsonline.Int(int(ms)))
		}
		x.Set("agent:"+s.agent()+":recovered:"+f.header.ID, row)
	}
	x.changed = true
	x.problems = append(x.problems, Problem{
		Rule: "F-B20", Reason: fmt.Sprintf("it was moved to %s, and %d rows made of session files", aside, len(x.keys)),
	})
	return nil
}

// moveAside gives the file at path another name that nobody has.
func moveAside(path string, now time.Time) (string, error) {
	const tries = 100
	for n := range tries {
		at := now.UTC().Add(time.Duration(n) * time.Millisecond)
		name := path + ".corrupt-" + strings.NewReplacer(":", "-", ".", "-").Replace(at.Format(isoTime))
		switch _, err := os.Lstat(name); {
		case err == nil:
			continue
		case !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
		return name, os.Rename(path, name) // the lock keeps others from taking the name
	}
	return "", fs.ErrExist
}
