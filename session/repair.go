package session

import (
	"io/fs"
	"log/slog"
	"path/filepath"
	"strings"
	"time"

	"hygeia/internal/swap"
	"hygeia/session/internal/lines"
)

// RepairOptions says how a file is repaired. The zero value finds out what would
// change and writes nothing.
type RepairOptions struct {
	// Write replaces the file by the repaired one.
	Write bool
	// Out is a path to which the repaired copy goes instead, "" for none. There
	// must be no file yet (F-B26).
	Out string
	// KeepBackup leaves the original beside the file (F-62).
	KeepBackup bool
	// Quarantine is the folder for the file of what is left out, "" for that of
	// the repaired file (F-B08).
	Quarantine string
	// Root is the folder out of which a link must not lead, "" for none (F-B15).
	Root string
	// MaxLine is the length in bytes from which a line is not looked at and
	// stays. 0 means 256 MiB (F-B09).
	MaxLine int
	// Workers is how many cores a file may take, 0 means all.
	Workers int
	// Lock keeps other writers away from the file, nil where nothing does. It is
	// taken for a file in which something has to change. Without a lock a repair
	// waits for a last line that seems to be being written (F-40, F-B07).
	Lock func(path string) (Held, error)
	// Checked is the snapshot of an earlier report. A file that is still the
	// same needs no second look (F-63).
	Checked fs.FileInfo
	// Each is told of every change, in the order of the file; what is about the
	// header comes first. nil means that the file was written to in between, and
	// that what it was told so far counts no longer (F-B06).
	Each func(*RepairChange)
	// SkipLeftovers does not look for what earlier repairs left in the folder. It
	// is for callers with many files in one, who call Leftovers themselves.
	SkipLeftovers bool
	// Log gets a line about what a repair did, or why it was refused, nil for none
	// (F-61). Nothing of the content of the file is in it.
	Log *slog.Logger

	fs   swap.FS
	now  func() time.Time
	wait time.Duration // for a last line that is being written
}

// Held is the right to write a file, as a [*Lock] is.
type Held interface {
	// Do calls write, unless the right has ended.
	Do(write func() error) error
	Release() error
}

// unguarded is the right to write of somebody who has it already, or asks for
// none.
type unguarded struct{}

func (unguarded) Do(write func() error) error { return write() }
func (unguarded) Release() error              { return nil }

const (
	maxAttempts = 3 // F-B06
	tailWait    = 50 * time.Millisecond
)

// Repair finds what is damaged in the session file at path and, if told so,
// replaces the file by one in which it is not (F-51…F-63). Whatever can be read
// is read from both alike; every valid record is in both.
//
// The report is never nil. The error says why a file was refused or could not be
// written, and names it: fs.ErrNotExist, ErrDirectory, ErrNotRegular, ErrEmpty,
// ErrNotSession, ErrBusy, ErrOutside, ErrExists, ErrNoSpace, ErrReadOnly, or any other of the
// file system. The file is the old one then, complete.
func Repair(path string, o RepairOptions) (*RepairReport, error) {
	o.init()
	j := repair{RepairOptions: o, report: &RepairReport{File: path}}
	start := o.now()
	err := j.run(path)
	if err != nil {
		j.report.refuse(err)
		err = failed(path, err)
	}
	j.report.ElapsedMS = o.now().Sub(start).Milliseconds()
	if o.Log != nil {
		j.log()
	}
	return j.report, err
}

// init fills in what only tests set.
func (o *RepairOptions) init() {
	if o.fs == nil {
		o.fs = swap.OS
	}
	if o.now == nil {
		o.now, o.wait = time.Now, tailWait
	}
}

// lines returns how the file is read.
func (o *RepairOptions) lines() lines.Options {
	return lines.Options{MaxLine: o.MaxLine, Workers: o.Workers}
}

// Leftovers returns the paths of what repairs left in a folder when they were cut
// short: backups and temporary files. One that is under way counts, too. The error is
// that of reading the folder.
func Leftovers(dir string) ([]string, error) { return swap.Leftovers(dir, "") }

// IsSessionFile reports whether a file of that name is a session: neither one of
// its neighbours nor a copy of it (F-02, F-05).
func IsSessionFile(name string) bool {
	base := strings.TrimSuffix(filepath.Base(name), ".jsonl")
	return base != filepath.Base(name) && base != "" && !nameOther.MatchString(base)
}
