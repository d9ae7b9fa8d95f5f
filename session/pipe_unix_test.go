//go:build unix

package session

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A pipe in the place of a session is refused without being opened, which would
// wait for somebody who writes to it.
func TestPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	for name, open := range map[string]func(string) error{
		"Load":       func(path string) error { _, err := Load(path, Options{}); return err },
		"Open":       func(path string) error { _, _, err := Open(path, OpenOptions{}); return err },
		"Open as is": func(path string) error { _, _, err := Open(path, OpenOptions{AsIs: true}); return err },
		"Repair":     func(path string) error { _, err := Repair(path, RepairOptions{}); return err },
		"write":      func(path string) error { _, err := Repair(path, RepairOptions{Write: true}); return err },
		"Restore": func(path string) error {
			backup := path + ".bak-1-2"
			if err := os.Rename(path, backup); err != nil {
				return err
			}
			_, err := Restore(backup, RepairOptions{})
			return errors.Join(err, os.Rename(backup, path))
		},
		"OpenWriter": func(path string) error {
			_, err := OpenWriter(context.Background(), path, WriteOptions{})
			return err
		},
	} {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skip(err)
		}
		answer := make(chan error, 1)
		go func() { answer <- open(path) }()
		select {
		case err := <-answer:
			if !errors.Is(err, ErrNotRegular) {
				t.Errorf("%s: %v", name, err)
			}
		case <-time.After(time.Minute): // rather than for ever
			t.Fatalf("%s waits for somebody who writes", name)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}
