package swap_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"testing"
	"time"

	"hygeia/internal/swap"
)

var (
	oldText = bytes.Repeat([]byte("an old line\n"), 20_000)
	newText = bytes.Repeat([]byte("a line of the new file\n"), 10_000)
	now     = time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
)

// writeNew writes the new text in a few pieces.
func writeNew(w io.Writer) error {
	for piece := range slices.Chunk(newText, 100_000) {
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	return nil
}

// setUp makes a folder with the old file in it and a job that replaces it.
func setUp(t *testing.T) swap.Job {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, oldText, 0o640); err != nil {
		t.Fatal(err)
	}
	return swap.Job{Path: path, Was: stat(t, path), Now: now, Write: writeNew}
}

func stat(t *testing.T, path string) fs.FileInfo {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// others returns the names in the folder of a job besides the file.
func others(t *testing.T, j swap.Job) (names []string) {
	t.Helper()
	list, err := os.ReadDir(filepath.Dir(j.Path))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		if d.Name() != filepath.Base(j.Path) {
			names = append(names, filepath.Join(filepath.Dir(j.Path), d.Name()))
		}
	}
	return names
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// F-62, F-B05: the new text is in place with the old mode and owner, and nothing
// is left.
func TestReplace(t *testing.T) {
	j := setUp(t)
	r, err := swap.Do(swap.OS, j)
	if err != nil || r != (swap.Result{Replaced: true}) {
		t.Fatalf("%+v, %v", r, err)
	}
	if !bytes.Equal(content(t, j.Path), newText) || len(others(t, j)) > 0 {
		t.Errorf("%d bytes, besides %q", len(content(t, j.Path)), others(t, j))
	}
	if got := stat(t, j.Path).Mode(); got != j.Was.Mode() {
		t.Errorf("mode %v, want %v", got, j.Was.Mode())
	}
}

// F-62, F-B05: the backup is the old file to the byte, has the name of F-05, and
// is never written over another.
func TestKeep(t *testing.T) {
	for _, fsys := range []swap.FS{swap.OS, noLinks{swap.OS}} {
		j := setUp(t)
		j.Keep = true
		taken := fmt.Sprintf("%s.bak-%d-%d", j.Path, os.Getpid(), now.UnixMilli())
		if err := os.WriteFile(taken, []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := swap.Do(fsys, j)
		if err != nil || !regexp.MustCompile(`^.*/s\.jsonl\.bak-\d+-\d+$`).MatchString(filepath.ToSlash(r.Backup)) {
			t.Fatalf("%+v, %v", r, err)
		}
		if !bytes.Equal(content(t, r.Backup), oldText) || stat(t, r.Backup).Mode() != j.Was.Mode() || string(content(t, taken)) != "mine" {
			t.Errorf("%d bytes of mode %v", len(content(t, r.Backup)), stat(t, r.Backup).Mode())
		}
		if got := swap.Original(r.Backup); got != j.Path {
			t.Errorf("backup of %q", got)
		}
	}
}

// noLinks is a file system on which no file has two names.
type noLinks struct{ swap.FS }

func (noLinks) Link(name, other string) error {
	return &os.LinkError{Op: "link", Old: name, New: other, Err: errors.ErrUnsupported}
}

// A file that is not there yet is made, and none is written over.
func TestNew(t *testing.T) {
	j := setUp(t)
	j.Path, j.Was = filepath.Join(filepath.Dir(j.Path), "new.jsonl"), nil
	if r, err := swap.Do(swap.OS, j); err != nil || r != (swap.Result{Replaced: true}) {
		t.Fatalf("%+v, %v", r, err)
	}
	if got := stat(t, j.Path).Mode(); !bytes.Equal(content(t, j.Path), newText) || runtime.GOOS != "windows" && got != 0o600 {
		t.Errorf("mode %v", got)
	}
	if r, err := swap.Do(swap.OS, j); !errors.Is(err, fs.ErrExist) || r != (swap.Result{}) || len(others(t, j)) != 1 {
		t.Errorf("%+v, %v, %q", r, err, others(t, j))
	}
}

// F-B06: what happened to the file since it was read is never lost.
func TestFence(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"grown":   func(path string) error { return appendTo(path, "more\n") },
		"touched": func(path string) error { return os.Chtimes(path, now, now) },
		"replaced": func(path string) error {
			return errors.Join(os.WriteFile(path+"2", oldText, 0o640), os.Rename(path+"2", path))
		},
		"gone": os.Remove,
	} {
		j := setUp(t)
		j.Write = func(w io.Writer) error { return errors.Join(writeNew(w), change(j.Path)) }
		r, err := swap.Do(swap.OS, j)
		if err == nil || r != (swap.Result{}) || len(others(t, j)) > 0 {
			t.Errorf("%s: %+v, %v, left %q", name, r, err, others(t, j))
		}
		if name != "gone" && (!errors.Is(err, swap.ErrChanged) || !bytes.HasPrefix(content(t, j.Path), oldText)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func appendTo(path, text string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// late appends to the file between the fence and the rename.
type late struct{ swap.FS }

func (f late) Rename(name, other string) error {
	return errors.Join(appendTo(other, "more\n"), f.FS.Rename(name, other))
}

// F-B06: nor is what a writer without the lock adds at the last moment.
func TestLateWriter(t *testing.T) {
	j := setUp(t)
	r, err := swap.Do(late{swap.OS}, j)
	if !errors.Is(err, swap.ErrGrew) || !r.Replaced || !bytes.Equal(content(t, r.Backup), append(bytes.Clone(oldText), "more\n"...)) {
		t.Errorf("%+v, %v", r, err)
	}
}

// F-B03, F-05: what a crash leaves is found by its name.
func TestLeftovers(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"a.jsonl", "a.jsonl.bak-12-1700000000000", "a.jsonl.repair.12.0f9b2c00-1111-4222-8333-444444444444.tmp",
		"b.jsonl.bak-12-1700000000000", "a.jsonl.bak.2026-02-01T08-00-00Z", "a.jsonl.lock", "a.jsonl.dropped-2026-02-01T08-00-00.000Z",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for base, want := range map[string]int{"a.jsonl": 2, "b.jsonl": 1, "c.jsonl": 0, "": 3} {
		if got, err := swap.Leftovers(dir, base); err != nil || len(got) != want {
			t.Errorf("%q: %q, %v", base, got, err)
		}
	}
	if swap.Original("a.jsonl.repair.12.0f9b2c00.tmp") != "" || swap.Original("a.jsonl") != "" {
		t.Error("a temporary file is taken for a backup")
	}
}
