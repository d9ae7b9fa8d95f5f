package session

import (
	"io/fs"
	"os"
)

// openRegular opens a file for reading. What a name leads to is looked at before,
// and again behind, as it may be another one by then. The error is ErrDirectory,
// ErrNotRegular or of package os.
func openRegular(path string) (*os.File, fs.FileInfo, error) {
	if err := regularAt(path); err != nil {
		return nil, nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = regular(info)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// regularAt refuses what must not be opened: opening a pipe waits for somebody who
// writes to it.
func regularAt(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return nil // opening it says what is wrong
	}
	return regular(info)
}

// regular refuses what is no file to read a session from.
func regular(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return ErrDirectory
	case !info.Mode().IsRegular():
		return ErrNotRegular
	}
	return nil
}
