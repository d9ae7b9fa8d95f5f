package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
)

func init() {
	// "full" appends with a bound on the size of files, which is reached in the
	// middle of a line, and again without.
	deeds["full"] = func(args []string) error {
		signal.Ignore(syscall.SIGXFSZ)
		w, err := OpenWriter(context.Background(), args[0], writeOptions())
		if err != nil {
			return err
		}
		info, err := os.Stat(args[0])
		if err != nil {
			return err
		}
		var was syscall.Rlimit
		if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
			return err
		}
		bound := syscall.Rlimit{Cur: uint64(info.Size()) + 200, Max: was.Max}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &bound); err != nil {
			return err
		}
		if _, err := w.Append(user("fits")); err != nil {
			return fmt.Errorf("the first: %w", err)
		}
		if _, err := w.Append(user("does not")); !errors.Is(err, syscall.EFBIG) {
			return fmt.Errorf("the second: %w", err)
		}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was); err != nil {
			return err
		}
		if _, err := w.Append(user("again")); err != nil {
			return fmt.Errorf("the third: %w", err)
		}
		return w.Close()
	}
}

// F-B17, G-8: of a line for which there is no room nothing stays, and what comes
// behind it goes on from the last whole one.
func TestNoRoom(t *testing.T) {
	path := file(t, head, hi, hey)
	c := otherProcess(t, "full", path)
	if out, err := c.Output(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got := linesOf(t, path); len(got) != 5 || got[2] != hey {
		t.Errorf("%q", got)
	}
	if got := branchOf(t, path); len(got) != 4 {
		t.Errorf("branch %q", got)
	}
	if list, _ := os.ReadDir(filepath.Dir(path)); len(list) != 1 {
		t.Errorf("left %v", list)
	}
}
