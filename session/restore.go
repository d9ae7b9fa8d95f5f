package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"hygeia/internal/swap"
)

// Restored says what Restore did.
type Restored struct {
	File       string `json:"file"`       // that was restored
	From       string `json:"from"`       // the backup, which is still there
	BackupPath string `json:"backupPath"` // of what the file was before, "" if there was none
	Bytes      int64  `json:"bytes"`      // of the restored file
}

// ErrNotBackup says that a file has not the name of a backup, so that it is not
// known what it is a backup of.
var ErrNotBackup = errors.New("not the name of a backup")

// BackupOf returns the path of the file that a backup is of, by its name alone, ""
// for one that has not the name of a backup.
func BackupOf(backup string) string { return swap.Original(backup) }

// Restore puts the backup of a repair back in the place of the file, durably and
// with its mode and owner. What the file was before becomes a backup itself:
// nothing is lost by a restore. Of the options only Lock counts. The errors wrap
// [ErrNotBackup], [ErrNotRegular], what Lock gives, and those of the file system, and
// name the file.
func Restore(backup string, o RepairOptions) (r *Restored, err error) {
	file := BackupOf(backup)
	if file == "" {
		return nil, failed(backup, ErrNotBackup)
	}
	o.init()
	held := Held(unguarded{})
	if o.Lock != nil {
		if held, err = o.Lock(file); err != nil {
			return nil, failed(file, fmt.Errorf("locking: %w", err))
		}
		defer func() { err = errors.Join(err, held.Release()) }()
	}
	if err := regularAt(backup); err != nil {
		return nil, failed(backup, err)
	}
	from, err := o.fs.Open(backup)
	if err != nil {
		return nil, failed(backup, err)
	}
	defer from.Close()
	job := swap.Job{Path: file, Keep: true, Now: o.now()}
	if job.Like, err = from.Stat(); err != nil {
		return nil, failed(backup, err)
	}
	if err := regular(job.Like); err != nil {
		return nil, failed(backup, err)
	}
	if job.Was, err = o.fs.Stat(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, failed(file, err)
	}
	r = &Restored{File: file, From: backup}
	job.Write = func(w io.Writer) (err error) {
		r.Bytes, err = io.Copy(w, from)
		return err
	}
	var done swap.Result
	err = held.Do(func() (err error) {
		done, err = swap.Do(o.fs, job)
		return err
	})
	if r.BackupPath = done.Backup; err != nil {
		return nil, failed(file, unwritten(err))
	}
	return r, nil
}
