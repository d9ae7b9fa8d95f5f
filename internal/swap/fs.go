package swap

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// FS is what a swap needs of a file system.
type FS interface {
	// Open opens a file for reading.
	Open(name string) (File, error)
	// Create makes a file that is not there yet, for writing, with the mode and,
	// as far as the system allows, the owner of like. Without it nobody but the
	// owner may read the file.
	Create(name string, like fs.FileInfo) (File, error)
	Link(name, other string) error
	Rename(name, other string) error
	Remove(name string) error
	Stat(name string) (fs.FileInfo, error)
	// Same reports whether both are of one file.
	Same(a, b fs.FileInfo) bool
	// SyncDir brings the names in a folder to the disk.
	SyncDir(dir string) error
}

// File is an open file.
type File interface {
	io.ReadWriteCloser
	io.ReaderAt
	io.Seeker
	Stat() (fs.FileInfo, error)
	Sync() error
}

// OS is the file system of the machine.
var OS FS = osFS{}

type osFS struct{}

func (osFS) Open(name string) (File, error)        { return openFile(name) }
func (osFS) Link(name, other string) error         { return os.Link(name, other) }
func (osFS) Rename(name, other string) error       { return os.Rename(name, other) }
func (osFS) Remove(name string) error              { return os.Remove(name) }
func (osFS) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }
func (osFS) Same(a, b fs.FileInfo) bool            { return os.SameFile(a, b) }
func (osFS) SyncDir(dir string) error              { return syncDir(dir) }

func (osFS) Create(name string, like fs.FileInfo) (File, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if like == nil {
		return newFile(f), nil
	}
	own(f, like)
	if err := f.Chmod(like.Mode().Perm()); err != nil {
		return nil, errors.Join(err, f.Close(), os.Remove(name))
	}
	return newFile(f), nil
}

// leftover matches the end of the names of backups and temporary files.
var leftover = regexp.MustCompile(`\.bak-\d+-\d+$|\.repair\.\d+\.[0-9a-f-]+\.tmp$`)

// Leftovers returns the paths of what swaps of files in dir left behind, those of
// the file base alone if that is not "". One that is under way counts, too.
func Leftovers(dir, base string) ([]string, error) {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, d := range list {
		name := d.Name()
		at := leftover.FindStringIndex(name)
		if at != nil && (base == "" || name[:at[0]] == base) {
			found = append(found, filepath.Join(dir, name))
		}
	}
	slices.Sort(found)
	return found, nil
}

// Original returns the name of the file of which name is a backup, "" if it is
// none.
func Original(name string) string {
	at := backup.FindStringIndex(name)
	if at == nil {
		return ""
	}
	return name[:at[0]]
}

var backup = regexp.MustCompile(`\.bak-\d+-\d+$`)
