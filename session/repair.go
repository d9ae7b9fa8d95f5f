package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
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
	// Lock keeps other writers away from the file and returns what lets them go
	// on; nil where nothing does. Without a lock a repair waits for a last line
	// that seems to be being written (F-40, F-B07).
	Lock func(path string) (unlock func() error, err error)
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

	fs   swap.FS
	now  func() time.Time
	wait time.Duration // for a last line that is being written
}

const (
	maxAttempts = 3 // F-B06
	tailWait    = 50 * time.Millisecond
)

// Repair finds what is damaged in the session file at path and, if told so,
// replaces the file by one in which it is not (F-51…F-63). Whatever can be read
// is read from both alike; every valid record is in both.
//
// The report is never nil. The error says why a file was refused or could not be
// written, and names it: fs.ErrNotExist, ErrDirectory, ErrEmpty, ErrNotSession,
// ErrBusy, ErrOutside, ErrExists, ErrNoSpace, ErrReadOnly, or any other of the
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

// Leftovers returns the paths of what repairs left in a folder when they were cut
// short: backups and temporary files. One that is under way counts, too.
func Leftovers(dir string) ([]string, error) { return swap.Leftovers(dir, "") }

// repair is a repair under way.
type repair struct {
	RepairOptions
	report *RepairReport
	file   string // that a link leads to
	src    swap.File
	info   fs.FileInfo
	kept   *quarantine
}

func (j *repair) run(path string) (err error) {
	if path == "" {
		return fs.ErrNotExist
	}
	if j.file, err = j.resolve(path); err != nil {
		return err
	}
	if j.Lock != nil {
		unlock, err := j.Lock(j.file)
		if err != nil {
			return fmt.Errorf("locking: %w", err)
		}
		defer func() { err = errors.Join(err, unlock()) }()
	}
	if !j.SkipLeftovers {
		// What cannot be listed cannot be told; it is no reason not to repair.
		j.report.Leftovers, _ = swap.Leftovers(filepath.Dir(j.file), filepath.Base(j.file))
	}
	for range maxAttempts {
		err = j.attempt()
		if !errors.Is(err, swap.ErrChanged) {
			return err
		}
		j.again()
	}
	return ErrBusy
}

// again forgets an attempt that a writer came between.
func (j *repair) again() {
	j.report.reset()
	if j.Each != nil {
		j.Each(nil)
	}
}

// resolve follows a link, as far as it may be followed (F-B15).
func (j *repair) resolve(path string) (string, error) {
	file, err := filepath.EvalSymlinks(path)
	if err != nil || j.Root == "" {
		return file, err
	}
	root, err := filepath.EvalSymlinks(j.Root)
	if err != nil {
		return file, err
	}
	in, err := filepath.Rel(root, file)
	if err != nil || !filepath.IsLocal(in) {
		return file, ErrOutside
	}
	return file, nil
}

// attempt surveys the file and carries out what that found. The error is
// swap.ErrChanged when the file was written to in between.
func (j *repair) attempt() (err error) {
	if j.src, err = j.fs.Open(j.file); err != nil {
		return j.unreadable(err)
	}
	defer func() { j.close() }()
	if j.info, err = j.src.Stat(); err != nil {
		return j.unreadable(err)
	}
	r := j.report
	r.BytesBefore = j.info.Size()
	switch {
	case j.info.IsDir():
		return ErrDirectory
	case !j.info.Mode().IsRegular():
		return j.unreadable(errors.New("not a regular file"))
	case j.Checked != nil && j.same(j.Checked):
		r.BytesAfter, r.Snapshot = r.BytesBefore, j.info
		return nil
	}
	s, err := newSurvey(j.src, j.info.Size(), j.file, surveyOptions{Options: lines.Options{MaxLine: j.MaxLine, Workers: j.Workers}})
	if err != nil {
		if errors.Is(err, ErrNotSession) && !s.found {
			r.Reason = "empty session file" // F-58: no line of it is a record
		}
		return err
	}
	r.OversizedLines, r.Branches = s.long, len(s.tips())
	r.PendingTail = false
	if s.pending {
		if err := j.awaitTail(); err != nil {
			return err
		}
	}
	return j.carryOut(s)
}

func (j *repair) unreadable(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return fmt.Errorf("failed to read session file: %w", reason(err))
}

func (j *repair) close() {
	if j.src != nil {
		j.src.Close()
		j.src = nil
	}
}

func (j *repair) same(info fs.FileInfo) bool {
	return j.fs.Same(j.info, info) && j.info.Size() == info.Size() && j.info.ModTime().Equal(info.ModTime())
}

// awaitTail gives whoever may be writing the last line a moment (F-B07).
func (j *repair) awaitTail() error {
	if j.Lock != nil {
		return nil
	}
	time.Sleep(j.wait)
	is, err := j.fs.Stat(j.file)
	if err == nil && !j.same(is) {
		j.report.PendingTail = true
		return swap.ErrChanged
	}
	return err
}

// carryOut does what the survey found out: it writes the file or a copy, or
// tells what it would do.
func (j *repair) carryOut(s *survey) error {
	r := j.report
	out := output{report: r, each: j.Each}
	switch {
	case j.Out != "":
		return j.copyOut(s, out)
	case s.clean():
		r.BytesAfter, r.Snapshot = r.BytesBefore, j.info
		return nil
	case !j.Write:
		var err error
		r.BytesAfter, err = s.write(out)
		return err
	}
	return j.replace(s, out, swap.Job{Path: j.file, Was: j.info, Keep: j.KeepBackup, Now: j.now()})
}

// copyOut writes the repaired copy.
func (j *repair) copyOut(s *survey, out output) error {
	return j.replace(s, out, swap.Job{Path: j.Out, Now: j.now()})
}

// replace puts the repaired file in its place.
func (j *repair) replace(s *survey, out output, job swap.Job) error {
	r := j.report
	j.kept = &quarantine{fs: j.fs, file: job.Path, dir: j.Quarantine, now: j.now()}
	out.quarantine = j.kept.add
	job.Write = func(w io.Writer) (err error) {
		out.text = w
		r.BytesAfter, err = s.write(out)
		j.close()
		return errors.Join(err, j.kept.finish())
	}
	done, err := swap.Do(j.fs, job)
	r.Repaired, r.BackupPath = done.Replaced, done.Backup
	if done.Temp != "" {
		r.Leftovers = append(r.Leftovers, done.Temp)
	}
	if !done.Replaced {
		j.kept.discard()
		return j.unwritten(err)
	}
	r.QuarantinePath = j.kept.path
	if err != nil {
		r.Reason = reason(err).Error() // it is done all the same
		return nil
	}
	r.Snapshot, _ = j.fs.Stat(job.Path)
	return nil
}

// unwritten says why the file was not written, and whether there is a way on.
func (j *repair) unwritten(err error) error {
	err = unwritten(err)
	j.report.InMemoryOnly = errors.Is(err, ErrNoSpace) || errors.Is(err, ErrReadOnly)
	return err
}

// OpenRepaired repairs the file at path as Repair does with Write, and reads it.
// Where the disk takes no new file it reads what that would hold, so that the
// user can go on (F-B17). A file that others keep writing to is read as it is.
// The report says why; the error is that of a session which cannot be read.
func OpenRepaired(path string, o RepairOptions) (*Session, *RepairReport, error) {
	o.Write, o.Out = true, ""
	r, err := Repair(path, o)
	switch {
	case r.InMemoryOnly:
	case err != nil && !errors.Is(err, ErrBusy):
		return nil, r, err
	default:
		s, err := Load(path, Options{MaxLine: o.MaxLine})
		return s, r, err
	}
	s, err := loadRepaired(path, o)
	return s, r, err
}

// loadRepaired reads the repaired text of a file that cannot be written.
func loadRepaired(path string, o RepairOptions) (*Session, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, failed(path, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, failed(path, err)
	}
	v, err := newSurvey(f, info.Size(), path, surveyOptions{Options: lines.Options{MaxLine: o.MaxLine}})
	if err != nil {
		return nil, failed(path, err)
	}
	r, w := io.Pipe()
	go func() {
		_, err := v.write(output{text: w, report: &RepairReport{}})
		w.CloseWithError(err)
	}()
	defer r.Close()
	return read(r, path, info.Size(), Options{MaxLine: o.MaxLine})
}

// IsSessionFile reports whether a file of that name is a session: neither one of
// its neighbours nor a copy of it (F-02, F-05).
func IsSessionFile(name string) bool {
	base := strings.TrimSuffix(filepath.Base(name), ".jsonl")
	return base != filepath.Base(name) && base != "" && !nameOther.MatchString(base)
}
