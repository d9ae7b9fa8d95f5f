//go:build unix

package tools

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestReadPipe does not wait for somebody who writes to a pipe, whatever leads
// there.
func TestReadPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink("pipe", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	s := over(t, dir, Read)
	for _, path := range []string{"pipe", "link"} {
		if r := s.Call(t.Context(), Call{Name: "read_file", Arguments: []byte(`{"path":"` + path + `"}`)}); !r.Failed || !strings.Contains(r.Text, "no regular file") {
			t.Errorf("%+v", r)
		}
	}
}
