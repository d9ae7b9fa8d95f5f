package swap

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Put replaces a file that a program keeps for itself by one with that text, or makes
// it, readable for nobody else. The folder is made where it is missing. The errors are
// those of [Do] and of the file system.
func Put(path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	was, err := os.Stat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	_, err = Do(OS, Job{Path: path, Was: was, Now: time.Now(), Write: func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}})
	return err
}
