package session

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"hygeia/internal/swap"
)

// quarantine is the file that takes what a repair leaves out (F-B08). It is made
// when there is something.
type quarantine struct {
	fs   swap.FS
	file string // the repaired one
	dir  string // "" for that of the file
	now  time.Time
	path string // of the quarantine, "" as long as there is none
	to   swap.File
	buf  *bufio.Writer // to it
}

// stamp is the time in the names of neighbour files (F-05).
const stamp = "2006-01-02T15-04-05.000Z"

// add appends text.
func (q *quarantine) add(text []byte) error {
	if q.to == nil {
		if err := q.open(); err != nil {
			return err
		}
	}
	_, err := q.buf.Write(text)
	return err
}

func (q *quarantine) open() error {
	dir := filepath.Dir(q.file)
	if q.dir != "" {
		dir = q.dir
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	const tries = 100
	for n := range tries {
		at := q.now.UTC().Add(time.Duration(n) * time.Millisecond).Format(stamp)
		path := filepath.Join(dir, filepath.Base(q.file)+".dropped-"+at)
		f, err := q.fs.Create(path, nil)
		if err == nil {
			q.path, q.to, q.buf = path, f, bufio.NewWriter(f)
			return nil
		}
		if !errors.Is(err, fs.ErrExist) || n == tries-1 {
			return err
		}
	}
	return nil
}

// finish brings the quarantine to the disk.
func (q *quarantine) finish() error {
	if q.to == nil {
		return nil
	}
	to := q.to
	q.to = nil
	return errors.Join(q.buf.Flush(), to.Sync(), to.Close(), q.fs.SyncDir(filepath.Dir(q.path)))
}

// maxKept is how long what was left out of a session is kept beside it (F-B27).
const maxKept = 90 * 24 * time.Hour

// keptName finds the name and the time of what was kept of a session file.
var keptName = regexp.MustCompile(`^(.+)\.(?:dropped|corrupt)-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?Z)(?:-[0-9a-f]{8}\.jsonl)?$`)

// expire removes what was kept of the file for too long, in the folder of the new
// quarantine, and returns the paths.
func (q *quarantine) expire() (gone []string) {
	if q.path == "" {
		return nil
	}
	dir := filepath.Dir(q.path)
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil // it stays until the next time
	}
	for _, d := range list {
		m := keptName.FindStringSubmatch(d.Name())
		if m == nil || m[1] != filepath.Base(q.file) {
			continue
		}
		at, err := time.Parse("2006-01-02T15-04-05Z", m[2]) // with or without fractions
		path := filepath.Join(dir, d.Name())
		if err == nil && q.now.Sub(at) > maxKept && q.fs.Remove(path) == nil {
			gone = append(gone, path)
		}
	}
	return gone
}

// discard removes the quarantine: what is in it is in the file still.
func (q *quarantine) discard() {
	if q.to != nil {
		q.to.Close()
		q.to = nil
	}
	if q.path != "" {
		q.fs.Remove(q.path)
		q.path = ""
	}
}
