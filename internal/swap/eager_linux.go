package swap

import (
	"io"
	"math"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// eager is a file that is being written and whose text goes to the disk while
// more of it comes, so that the sync at its end has less to wait for.
type eager struct {
	*os.File
	written, started int64 // bytes so far, and how many of them are on their way
	telling          sync.WaitGroup
}

// stretch is after how many bytes the disk is told.
const stretch = 2 << 20

// newFile returns a file that is being written.
func newFile(f *os.File) File { return &eager{File: f} }

func (e *eager) Write(p []byte) (int, error) {
	n, err := e.File.Write(p)
	e.wrote(int64(n))
	return n, err
}

// ReadFrom lets the system copy a part of a file, a stretch at a time.
func (e *eager) ReadFrom(r io.Reader) (total int64, err error) {
	part, ok := r.(*io.LimitedReader)
	if !ok {
		part = &io.LimitedReader{R: r, N: math.MaxInt64}
	}
	for part.N > 0 {
		step := io.LimitedReader{R: part.R, N: min(part.N, stretch)}
		n, err := e.File.ReadFrom(&step)
		e.wrote(n)
		part.N -= n
		total += n
		if err != nil || step.N > 0 {
			return total, err
		}
	}
	return total, nil
}

func (e *eager) wrote(n int64) {
	if e.written += n; e.written-e.started < stretch {
		return
	}
	e.telling.Wait()
	from, n, fd := e.started, e.written-e.started, int(e.Fd())
	e.started = e.written
	// It is a hint: whatever becomes of it, the sync at the end tells.
	e.telling.Go(func() { unix.SyncFileRange(fd, from, n, unix.SYNC_FILE_RANGE_WRITE) })
}

// Sync and Close let no hint outlive the file.
func (e *eager) Sync() error {
	e.telling.Wait()
	return e.File.Sync()
}

func (e *eager) Close() error {
	e.telling.Wait()
	return e.File.Close()
}
