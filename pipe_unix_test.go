//go:build unix

package hygeia_test

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"hygeia"
	"hygeia/session"
)

// A pipe is refused without being opened, which would wait for ever.
func TestOpenPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	for _, format := range []hygeia.Format{hygeia.FormatAuto, hygeia.FormatSession, hygeia.FormatMessages} {
		if _, err := hygeia.Open(path, hygeia.OpenOptions{Format: format}); !errors.Is(err, session.ErrNotRegular) {
			t.Errorf("%s: %v", format, err)
		}
	}
}
