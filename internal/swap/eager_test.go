package swap_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hygeia/internal/swap"
)

// What goes to the disk while it comes is what came, and all of it: text, parts of
// files and streams in turn, over more than one stretch.
func TestCreatedFileTakesEverything(t *testing.T) {
	dir := t.TempDir()
	line := []byte(strings.Repeat("0123456789abcde\n", 4096))
	old := bytes.Repeat(line, 20<<20/len(line))
	if err := os.WriteFile(filepath.Join(dir, "old"), old, 0o600); err != nil {
		t.Fatal(err)
	}
	from, err := swap.OS.Open(filepath.Join(dir, "old"))
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	to, err := swap.OS.Create(filepath.Join(dir, "new"), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, from := range []io.Reader{
		strings.NewReader("front\n"), io.LimitReader(from, 17<<20), bytes.NewReader(line), io.LimitReader(from, 1<<20), from, strings.NewReader("end"),
	} {
		if n, err := io.Copy(to, from); err != nil || n == 0 {
			t.Fatal(n, err)
		}
	}
	want := append([]byte("front\n"), old[:17<<20]...)
	want = append(append(want, line...), old[17<<20:]...)
	want = append(want, "end"...)
	if err := to.Sync(); err != nil {
		t.Fatal(err)
	}
	if err := to.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, "new"))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes of %d, %v", len(got), len(want), err)
	}
}
