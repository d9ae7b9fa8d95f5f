package session

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"hygeia/internal/swap"
)

// repair is a repair under way.
type repair struct {
	RepairOptions
	report *RepairReport
	file   string // that a link leads to
	held   Held   // the lock, nil while it is not needed or not there
	src    swap.File
	info   fs.FileInfo
	looked *survey // of the file without the lock, nil when it is used up
	kept   *quarantine
	read   func(*survey, output) error // takes the repaired text instead of a file, nil for none
}

func (j *repair) run(path string) (err error) {
	if path == "" {
		return fs.ErrNotExist
	}
	if j.file, err = resolve(path, j.Root); err != nil {
		return err
	}
	if !j.SkipLeftovers {
		// What cannot be listed cannot be told; it is no reason not to repair.
		j.report.Leftovers, _ = swap.Leftovers(filepath.Dir(j.file), filepath.Base(j.file))
	}
	if j.Lock == nil {
		return j.attempts()
	}
	// Most files need no repair, and then nobody has to wait.
	if done, err := j.look(); done || err != nil {
		return err
	}
	if j.held, err = j.Lock(j.file); err != nil {
		return j.unlocked(err)
	}
	defer func() { err = errors.Join(err, j.held.Release()) }()
	return j.attempts()
}

// attempts repairs the file, again when it was written to in between.
func (j *repair) attempts() error {
	for range maxAttempts {
		err := j.attempt()
		if !errors.Is(err, swap.ErrChanged) {
			return err
		}
		j.again()
	}
	return ErrBusy
}

// look reports whether nothing has to be written. Else it leaves what it found to
// the first attempt.
func (j *repair) look() (done bool, err error) {
	defer func() { j.close() }()
	s, err := j.survey()
	if s == nil || err != nil || j.Out == "" && s.clean() {
		if s != nil && err == nil {
			j.unchanged()
		}
		return true, err
	}
	j.looked = s
	return false, nil
}

// surveyed returns what the look found where the file is still the same, which is
// what the fence of the swap goes by as well, and else a survey of its own.
func (j *repair) surveyed() (*survey, error) {
	s, was := j.looked, j.info
	if j.looked = nil; s == nil {
		return j.survey()
	}
	if err := j.open(); err == nil && j.same(was) {
		s.src = j.src
		return s, nil
	}
	j.close()
	j.report.reset()
	return j.survey()
}

// unlocked says why there is no lock. Where no lock file can be made no other
// file can either.
func (j *repair) unlocked(err error) error {
	if swap.NoSpace(err) || swap.ReadOnly(err) {
		return j.unwritten(err)
	}
	return fmt.Errorf("locking: %w", err)
}

// again forgets an attempt that a writer came between.
func (j *repair) again() {
	j.report.reset()
	if j.Each != nil {
		j.Each(nil)
	}
}

// resolve follows a link, as far as it may be followed (F-B15).
func resolve(path, root string) (string, error) {
	file, err := filepath.EvalSymlinks(path)
	if err != nil || root == "" {
		return file, err
	}
	root, err = filepath.EvalSymlinks(root)
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
func (j *repair) attempt() error {
	defer func() { j.close() }()
	s, err := j.surveyed()
	if s == nil || err != nil {
		return err
	}
	j.report.PendingTail = false
	if s.pending {
		if err := j.awaitTail(); err != nil {
			return err
		}
	}
	return j.carryOut(s)
}

// survey opens the file and finds out what has to change. There is none where
// the file was checked before.
func (j *repair) survey() (s *survey, err error) {
	if err := j.open(); err != nil {
		return nil, j.unreadable(err)
	}
	r := j.report
	r.BytesBefore = j.info.Size()
	if j.Checked != nil && j.same(j.Checked) {
		j.unchanged()
		return nil, nil
	}
	s, err = newSurvey(j.src, j.info.Size(), j.file, surveyOptions{Options: j.lines()})
	if err != nil {
		if errors.Is(err, ErrNotSession) && !s.found {
			r.Reason = emptyFile
		}
		return nil, err
	}
	r.OversizedLines, r.Branches, r.Notes = s.long, len(s.tips()), s.notes
	return s, nil
}

func (j *repair) open() (err error) {
	if err = regularAt(j.file); err != nil {
		return err
	}
	if j.src, err = j.fs.Open(j.file); err != nil {
		return err
	}
	if j.info, err = j.src.Stat(); err != nil {
		return err
	}
	return regular(j.info)
}

// unchanged reports a file that stays as it is.
func (j *repair) unchanged() { j.report.BytesAfter, j.report.Snapshot = j.report.BytesBefore, j.info }

func (j *repair) unreadable(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrDirectory) {
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
	if j.held != nil {
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
		j.unchanged()
		return nil
	case j.read != nil:
		return j.read(s, out)
	case !j.Write:
		var err error
		r.BytesAfter, err = s.write(out)
		return err
	}
	return j.replace(s, out, swap.Job{Path: j.file, Was: j.info, Keep: j.KeepBackup, Now: j.now()})
}
