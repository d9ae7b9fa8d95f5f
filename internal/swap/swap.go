// Package swap replaces a file by a new version of itself. A crash at any
// moment, of the program or of the machine, leaves the old or the new file
// whole (G-8), and what else it leaves behind is found by [Leftovers].
//
// A [Job] says which file it is and writes the new text; [Do] carries it out
// over an [FS], which for all but tests is [OS].
package swap

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Job is the replacement of one file.
type Job struct {
	Path string // of the file itself, not of a link to it
	// Was is what the file was when the new text was made from it, nil for a
	// file that is not there yet.
	Was fs.FileInfo
	// Like is a file whose mode and owner the new one gets, nil for those of
	// Was.
	Like fs.FileInfo
	// Keep leaves the backup where it is.
	Keep bool
	Now  time.Time // for the names of backup and temporary file
	// Write writes the new text. It is called once. When it returns, the job's
	// caller must not have the file open (Windows).
	Write func(w io.Writer) error
}

// Result says what a job left behind, whether it succeeded or not.
type Result struct {
	Replaced bool   // the new file is in place
	Backup   string // path of the old file, "" for none
	Temp     string // path of an unfinished file that could not be removed
}

// ErrChanged says that the file is no longer what it was when the new text was
// made. Nothing was replaced (F-B06).
var ErrChanged = errors.New("changed in the meantime")

// ErrGrew says that something was written to the old file at the very moment of
// the replacement. It is in the backup, which stays.
var ErrGrew = errors.New("the old file was written to while it was replaced")

// Do replaces the file: the old one gets a second name as backup, the new text
// goes to a temporary neighbour, and when all of that is on the disk a rename
// puts the new file in the place of the old one.
func Do(fsys FS, j Job) (r Result, err error) {
	if j.Like == nil {
		j.Like = j.Was
	}
	s := swap{FS: fsys, Job: j, dir: filepath.Dir(j.Path)}
	if err := s.prepare(); err != nil {
		return s.giveUp(), err
	}
	if err := s.Rename(s.temp, s.Path); err != nil {
		return s.giveUp(), err
	}
	r = Result{Replaced: true, Backup: s.backup}
	if err := s.SyncDir(s.dir); err != nil {
		return r, err
	}
	if s.backup == "" {
		return r, nil
	}
	if old, err := s.Stat(s.backup); s.linked && err == nil && !s.unchanged(old) {
		return r, ErrGrew
	}
	if !s.Keep && s.Remove(s.backup) == nil {
		r.Backup = ""
	}
	return r, nil
}

// swap is a job under way.
type swap struct {
	FS
	Job
	dir          string
	temp, backup string // what is there of them
	linked       bool   // the backup is the old file itself
}

// prepare does everything up to the rename. The order keeps the work of the disk
// small: the first sync brings most of it there.
func (s *swap) prepare() error {
	if s.Was != nil {
		if err := s.backUp(); err != nil {
			return err
		}
	}
	if err := s.writeTemp(); err != nil {
		return err
	}
	if s.linked {
		if err := s.sync(s.backup); err != nil {
			return err
		}
	}
	if err := s.SyncDir(s.dir); err != nil {
		return err
	}
	return s.fence()
}

// giveUp removes what there is besides the file.
func (s *swap) giveUp() (r Result) {
	if s.temp != "" && s.Remove(s.temp) != nil {
		r.Temp = s.temp
	}
	if s.backup != "" && s.Remove(s.backup) != nil {
		r.Backup = s.backup
	}
	return r
}

func (s *swap) writeTemp() error {
	var id [16]byte
	rand.Read(id[:])
	d := hex.EncodeToString(id[:])
	name := fmt.Sprintf("%s.repair.%d.%s-%s-%s-%s-%s.tmp", s.Path, os.Getpid(), d[:8], d[8:12], d[12:16], d[16:20], d[20:])
	return s.write(name, &s.temp, s.Like, s.Job.Write)
}

// write makes a file that was not there and sees to it that its text is on the
// disk. made is set to the name as soon as the file is there.
func (s *swap) write(name string, made *string, like fs.FileInfo, text func(io.Writer) error) error {
	f, err := s.Create(name, like)
	if err != nil {
		return err
	}
	*made = name
	err = text(f)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// backUp gives the old file a second name. Where the file system has no links it
// is copied.
func (s *swap) backUp() error {
	const tries = 100
	ms := s.Now.UnixMilli()
	for n := int64(0); ; n++ {
		name := fmt.Sprintf("%s.bak-%d-%d", s.Path, os.Getpid(), ms+n)
		err := s.Link(s.Path, name)
		switch {
		case err == nil:
			s.backup, s.linked = name, true
		case !errors.Is(err, fs.ErrExist):
			err = s.write(name, &s.backup, s.Was, func(w io.Writer) error { return s.copy(w, s.Path) })
		}
		if err == nil || !errors.Is(err, fs.ErrExist) || n == tries {
			return err
		}
	}
}

// sync brings the text of a file to the disk: whoever wrote it may not have done
// so.
func (s *swap) sync(name string) error {
	f, err := s.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func (s *swap) copy(w io.Writer, name string) error {
	f, err := s.Open(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return errors.Join(err, f.Close())
}

// fence finds out whether the file is still what it was.
func (s *swap) fence() error {
	is, err := s.Stat(s.Path)
	switch {
	case s.Was == nil && errors.Is(err, fs.ErrNotExist):
		return nil
	case s.Was == nil && err == nil:
		return &fs.PathError{Op: "create", Path: s.Path, Err: fs.ErrExist}
	case err != nil:
		return err
	case !s.unchanged(is):
		return ErrChanged
	}
	return nil
}

func (s *swap) unchanged(is fs.FileInfo) bool {
	return s.Same(is, s.Was) && is.Size() == s.Was.Size() && is.ModTime().Equal(s.Was.ModTime())
}
