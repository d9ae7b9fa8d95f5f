// Package swaptest lets the file system of a swap go wrong: one call fails, or
// is the last before the process dies.
package swaptest

import (
	"errors"
	"io"
	"io/fs"

	"hygeia/internal/swap"
)

// Fault is what happens at one call.
type Fault int

// The faults.
const (
	Fails        Fault = iota // the call does nothing and says so
	ShortWrite                // the call writes half of it; any other fails
	CrashBefore               // nothing happens any more, from this call on
	CrashAfter                // the call succeeds, then nothing happens any more
	NumberFaults = iota
)

// ErrInjected is the error of a call that fails.
var ErrInjected = errors.New("injected")

// FS is a file system in which one call goes wrong.
type FS struct {
	swap.FS
	At    int // number of the call, from 0
	Fault Fault
	Calls []string // that were made, by what they do
	Dead  bool     // the crash has happened
}

// call counts a call and carries it out, or not.
func (f *FS) call(name string, do func() error) error {
	n := len(f.Calls)
	f.Calls = append(f.Calls, name)
	switch {
	case f.Dead:
		return ErrInjected
	case n != f.At:
		return do()
	case f.Fault == CrashAfter:
		f.Dead = true
		do()
		return ErrInjected
	}
	f.Dead = f.Fault == CrashBefore
	return ErrInjected
}

func (f *FS) open(name string, open func() (swap.File, error)) (opened swap.File, err error) {
	err = f.call(name, func() (err error) {
		opened, err = open()
		return err
	})
	if err != nil && opened != nil {
		opened.Close() // the process that had it open is no more
	}
	if err != nil {
		return nil, err
	}
	return &file{opened, f}, nil
}

func (f *FS) Open(name string) (swap.File, error) {
	return f.open("open", func() (swap.File, error) { return f.FS.Open(name) })
}

func (f *FS) Create(name string, like fs.FileInfo) (swap.File, error) {
	return f.open("create", func() (swap.File, error) { return f.FS.Create(name, like) })
}

func (f *FS) Link(a, b string) error {
	return f.call("link", func() error { return f.FS.Link(a, b) })
}

func (f *FS) Rename(a, b string) error {
	return f.call("rename", func() error { return f.FS.Rename(a, b) })
}

func (f *FS) Remove(a string) error {
	return f.call("remove", func() error { return f.FS.Remove(a) })
}

func (f *FS) SyncDir(a string) error {
	return f.call("sync folder", func() error { return f.FS.SyncDir(a) })
}

func (f *FS) Stat(name string) (info fs.FileInfo, err error) {
	err = f.call("stat", func() error {
		info, err = f.FS.Stat(name)
		return err
	})
	return info, err
}

type file struct {
	swap.File
	f *FS
}

func (f *file) Write(p []byte) (n int, err error) {
	short := len(f.f.Calls) == f.f.At && f.f.Fault == ShortWrite && !f.f.Dead
	if short {
		f.f.Calls = append(f.f.Calls, "write")
		n, _ = f.File.Write(p[:len(p)/2])
		return n, io.ErrShortWrite
	}
	err = f.f.call("write", func() error {
		n, err = f.File.Write(p)
		return err
	})
	return n, err
}

func (f *file) Read(p []byte) (n int, err error) {
	err = f.f.call("read", func() error {
		n, err = f.File.Read(p)
		return err
	})
	return n, err
}

func (f *file) ReadAt(p []byte, at int64) (n int, err error) {
	err = f.f.call("read", func() error {
		n, err = f.File.ReadAt(p, at)
		return err
	})
	return n, err
}

func (f *file) Stat() (info fs.FileInfo, err error) {
	err = f.f.call("stat", func() error {
		info, err = f.File.Stat()
		return err
	})
	return info, err
}

func (f *file) Sync() error { return f.f.call("sync", f.File.Sync) }

func (f *file) Close() error {
	if f.f.Dead {
		f.File.Close()
	}
	return f.f.call("close", f.File.Close)
}
