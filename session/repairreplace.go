package session

import (
	"errors"
	"fmt"
	"io"

	"hygeia/internal/swap"
)

// copyOut writes the repaired copy. Its path is named where something is in the
// way there: the file that is repaired is another.
func (j *repair) copyOut(s *survey, out output) error {
	err := j.replace(s, out, swap.Job{Path: j.Out, Now: j.now()})
	if errors.Is(err, ErrExists) {
		return fmt.Errorf("%s: %w", j.Out, err)
	}
	return err
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
	done, err := j.swap(job)
	r.Repaired, r.BackupPath = done.Replaced, done.Backup
	if done.Temp != "" {
		r.Leftovers = append(r.Leftovers, done.Temp)
	}
	if !done.Replaced {
		j.kept.discard()
		return j.unwritten(err)
	}
	r.QuarantinePath, r.Expired = j.kept.path, j.kept.expire()
	if err != nil {
		r.Reason = reason(err).Error() // it is done all the same
		return nil
	}
	r.Snapshot, _ = j.fs.Stat(job.Path)
	return nil
}

// swap replaces the file while the lock is ours, if there is one (F-B24).
func (j *repair) swap(job swap.Job) (done swap.Result, err error) {
	if j.held == nil {
		return swap.Do(j.fs, job)
	}
	err = j.held.Do(func() (err error) {
		done, err = swap.Do(j.fs, job)
		return err
	})
	return done, err
}

// unwritten says why the file was not written, and whether there is a way on.
func (j *repair) unwritten(err error) error {
	err = unwritten(err)
	j.report.InMemoryOnly = errors.Is(err, ErrNoSpace) || errors.Is(err, ErrReadOnly)
	return err
}
