package swap

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// openFile opens a file for writing as well where that is allowed: else its
// text could not be brought to the disk.
func openFile(name string) (*os.File, error) {
	if f, err := os.OpenFile(name, os.O_RDWR, 0); err == nil {
		return f, nil
	}
	return os.Open(name)
}

// own does nothing: a new file has the owner of the folder's files.
func own(*os.File, fs.FileInfo) {}

// syncDir does nothing: the system writes names through.
func syncDir(string) error { return nil }

const (
	errorWriteProtect   = syscall.Errno(19)
	errorHandleDiskFull = syscall.Errno(39)
	errorDiskFull       = syscall.Errno(112)
)

// NoSpace reports whether err says that the disk is full.
func NoSpace(err error) bool {
	return errors.Is(err, errorDiskFull) || errors.Is(err, errorHandleDiskFull)
}

// ReadOnly reports whether err says that nothing may be written here.
func ReadOnly(err error) bool {
	return errors.Is(err, errorWriteProtect) || errors.Is(err, fs.ErrPermission)
}
