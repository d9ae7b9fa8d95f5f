package cli

import (
	"os"
	"path/filepath"
)

// notInput refuses to write over a file that is read, by whatever name: a session
// must survive every command, and so must the user's configuration.
func (a *app) notInput(inputs []string, outputs ...string) error {
	for _, out := range outputs {
		if out == "" {
			continue
		}
		for _, list := range [][]string{inputs, userFiles()} {
			for _, in := range list {
				if a.samePlace(in, out) {
					return usage("%s is read, so it is never written over", out)
				}
			}
		}
	}
	return nil
}

// samePlace reports whether two names lead to one file, or would if it were there.
func (a *app) samePlace(one, other string) bool {
	if one == "" || other == "" {
		return false
	}
	is, err := a.stat(one)
	was, err2 := os.Stat(other)
	if err == nil && err2 == nil {
		return os.SameFile(is, was)
	}
	if err == nil || err2 == nil || filepath.Base(one) != filepath.Base(other) {
		return false
	}
	is, err = os.Stat(filepath.Dir(one))
	was, err2 = os.Stat(filepath.Dir(other))
	return err == nil && err2 == nil && os.SameFile(is, was)
}

func (a *app) stat(input string) (os.FileInfo, error) {
	if f, ok := a.stdin.(*os.File); ok && input == "-" {
		return f.Stat()
	}
	return os.Stat(input)
}
