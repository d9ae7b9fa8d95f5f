//go:build unix

package oslock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

func open(name string, flag int) (*os.File, error) { return os.OpenFile(name, flag, 0o600) }

// Try takes the lock on f without waiting. ok is false when another open file
// has it. The error is [errors.ErrUnsupported] where the file system has no
// locks.
func Try(f *os.File) (ok bool, err error) {
	for {
		switch err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
		case err == nil:
			return true, nil
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		case errors.Is(err, unix.ENOLCK), errors.Is(err, errors.ErrUnsupported):
			return false, errors.ErrUnsupported
		default:
			return false, &os.PathError{Op: "lock", Path: f.Name(), Err: err}
		}
	}
}

// Alive reports whether a process of that id exists.
func Alive(pid int) bool {
	err := unix.Kill(pid, 0)
	return err == nil || errors.Is(err, unix.EPERM)
}
