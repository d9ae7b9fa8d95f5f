package swap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"
)

// fault is what happens at one call.
type fault int

const (
	fails        fault = iota // the call does nothing and says so
	shortWrite                // the call writes half of it; any other fails
	crashBefore               // nothing happens any more, from this call on
	crashAfter                // the call succeeds, then nothing happens any more
	numberFaults = iota
)

var errInjected = errors.New("injected")

// faulty is a file system in which one call goes wrong.
type faulty struct {
	FS
	at    int // number of the call, from 0
	fault fault
	calls []string
	dead  bool
}

// call counts a call and carries it out, or not.
func (f *faulty) call(name string, do func() error) error {
	n := len(f.calls)
	f.calls = append(f.calls, name)
	switch {
	case f.dead:
		return errInjected
	case n != f.at:
		return do()
	case f.fault == crashAfter:
		f.dead = true
		do()
		return errInjected
	}
	f.dead = f.fault == crashBefore
	return errInjected
}

func (f *faulty) file(name string, open func() (File, error)) (file File, err error) {
	err = f.call(name, func() (err error) {
		file, err = open()
		return err
	})
	if err != nil && file != nil {
		file.Close() // the process that had it open is no more
	}
	if err != nil {
		return nil, err
	}
	return &faultyFile{file, f}, nil
}

func (f *faulty) Open(name string) (File, error) {
	return f.file("open", func() (File, error) { return f.FS.Open(name) })
}

func (f *faulty) Create(name string, like fs.FileInfo) (File, error) {
	return f.file("create", func() (File, error) { return f.FS.Create(name, like) })
}

func (f *faulty) Link(a, b string) error {
	return f.call("link", func() error { return f.FS.Link(a, b) })
}

func (f *faulty) Rename(a, b string) error {
	return f.call("rename", func() error { return f.FS.Rename(a, b) })
}

func (f *faulty) Remove(a string) error {
	return f.call("remove", func() error { return f.FS.Remove(a) })
}

func (f *faulty) SyncDir(a string) error {
	return f.call("sync folder", func() error { return f.FS.SyncDir(a) })
}

func (f *faulty) Stat(name string) (info fs.FileInfo, err error) {
	err = f.call("stat", func() error {
		info, err = f.FS.Stat(name)
		return err
	})
	return info, err
}

type faultyFile struct {
	File
	f *faulty
}

func (f *faultyFile) Write(p []byte) (n int, err error) {
	short := len(f.f.calls) == f.f.at && f.f.fault == shortWrite && !f.f.dead
	if short {
		f.f.calls = append(f.f.calls, "write")
		n, _ = f.File.Write(p[:len(p)/2])
		return n, io.ErrShortWrite
	}
	err = f.f.call("write", func() error {
		n, err = f.File.Write(p)
		return err
	})
	return n, err
}

func (f *faultyFile) Read(p []byte) (n int, err error) {
	err = f.f.call("read", func() error {
		n, err = f.File.Read(p)
		return err
	})
	return n, err
}

func (f *faultyFile) Sync() error { return f.f.call("sync", f.File.Sync) }

func (f *faultyFile) Close() error {
	if f.f.dead {
		f.File.Close()
	}
	return f.f.call("close", f.File.Close)
}

// G-8, F-B04: whichever call of a swap fails, or is the last before a crash, the
// file is the old or the new one complete. After an error nothing else is left
// that is not reported; after a crash it is found.
func TestFaults(t *testing.T) {
	for name, base := range map[string]FS{"links": OS, "copies": noLinks{OS}} {
		for _, keep := range []bool{false, true} {
			for fault := range fault(numberFaults) {
				t.Run(fmt.Sprintf("%s keep %v fault %d", name, keep, fault), func(t *testing.T) {
					for at := 0; oneFault(t, base, keep, at, fault); at++ {
					}
				})
			}
		}
	}
}

// oneFault lets call number at go wrong. It returns false when there is no such
// call.
func oneFault(t *testing.T, base FS, keep bool, at int, fault fault) bool {
	j := setUp(t)
	j.Keep = keep
	f := &faulty{FS: base, at: at, fault: fault}
	r, err := Do(f, j)
	if len(f.calls) <= at {
		if err != nil || at < 15 {
			t.Errorf("only %q: %v", f.calls, err)
		}
		return false
	}
	where := fmt.Sprintf("call %d, %s", at, f.calls[at])
	text := content(t, j.Path)
	isNew := bytes.Equal(text, newText)
	if !isNew && !bytes.Equal(text, oldText) {
		t.Errorf("%s: the file is neither", where)
	}
	if !f.dead && isNew != r.Replaced || err == nil && !isNew {
		t.Errorf("%s: %+v, %v, and new is %v", where, r, err, isNew)
	}
	left := others(t, j)
	found, lerr := Leftovers(filepath.Dir(j.Path), "s.jsonl")
	if lerr != nil || !slices.Equal(found, left) {
		t.Errorf("%s: left %q, found %q, %v", where, left, found, lerr)
	}
	for _, path := range left {
		if !f.dead && path != r.Backup && path != r.Temp {
			t.Errorf("%s: %s is left and not reported: %+v", where, path, r)
		}
	}
	if r.Backup != "" && !f.dead && isNew && !bytes.Equal(content(t, r.Backup), oldText) {
		t.Errorf("%s: the backup is not the old file", where)
	}
	return true
}
