//go:build unix

package swap

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

func openFile(name string) (*os.File, error) { return os.Open(name) }

// own gives f the owner and group of like, as far as that is allowed.
func own(f *os.File, like fs.FileInfo) {
	s, ok := like.Sys().(*syscall.Stat_t)
	if !ok {
		return
	}
	if f.Chown(int(s.Uid), int(s.Gid)) != nil {
		f.Chown(-1, int(s.Gid))
	}
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil // a file system without
	}
	return errors.Join(err, d.Close())
}

// NoSpace reports whether err says that the disk, or the user's part of it, is
// full.
func NoSpace(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }

// ReadOnly reports whether err says that nothing may be written here.
func ReadOnly(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission)
}
