package oslock

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// Make makes the file name with that text in it, locked by try, all at once: there
// is no moment at which somebody could find it empty or free, or at which a process
// that is killed would leave it so. The error is fs.ErrExist where there is such a
// file, and [errors.ErrUnsupported] where the file system cannot do that.
func Make(name string, text []byte, try func(*os.File) (bool, error)) (*os.File, error) {
	fd, err := unix.Open(filepath.Dir(name), unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, errors.ErrUnsupported
	}
	f := os.NewFile(uintptr(fd), name)
	if err := fill(f, text, try); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	err = unix.Linkat(unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(fd), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, fs.ErrExist):
		err = fs.ErrExist
	default:
		err = errors.ErrUnsupported // without /proc, say
	}
	return nil, errors.Join(err, f.Close())
}

func fill(f *os.File, text []byte, try func(*os.File) (bool, error)) error {
	ok, err := try(f)
	if err == nil && !ok {
		err = errors.ErrUnsupported // nobody else can have it
	}
	if err == nil {
		_, err = f.WriteAt(text, 0)
	}
	return err
}
