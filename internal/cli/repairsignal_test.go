//go:build unix

package cli_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"hygeia/session"
)

const (
	signalHead = `{"type":"session","version":3,"id":"s"}` + "\n"
	signalTorn = `{"type":"message","id":"t","parentId":null,"mess` + "\n"
)

// damaged writes a session of n long entries behind a torn line.
func damaged(t *testing.T, n int) (path, text string) {
	t.Helper()
	line := `{"type":"message","id":"eNNNNNN","parentId":null,"message":{"role":"user","content":"` + strings.Repeat("words ", 200) + `"}}` + "\n"
	text = signalHead + signalTorn + strings.Repeat(line, n)
	path = filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, text
}

// hygeiaCommand runs the command line in a process of its own.
func hygeiaCommand(args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Args[0] = "hygeia" // by which TestMain knows it
	return c
}

// F-41: a repair that is told to end gives up its lock. What it was writing is
// written, what it was not stays as it is, and nothing is left beside it.
func TestRepairSignalled(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGABRT, syscall.SIGHUP} {
		for tries := 1; !signalled(t, sig); tries++ {
			if tries == 10 {
				t.Fatalf("%v: it always ended before", sig)
			}
		}
	}
}

// signalled sends a signal to a repair that has its lock. It returns false if the
// repair was faster.
func signalled(t *testing.T, sig syscall.Signal) bool {
	path, text := damaged(t, 10_000)
	c := hygeiaCommand("repair", path, "--write")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for has := false; !has; {
		select {
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
			return false
		default:
		}
		_, err := os.Stat(path + ".lock")
		has = err == nil
	}
	c.Process.Signal(sig)
	if <-ended; c.ProcessState.Success() {
		return false
	}
	if status := c.ProcessState.Sys().(syscall.WaitStatus); sig != syscall.SIGQUIT && sig != syscall.SIGABRT && status.Signal() != sig {
		t.Errorf("%v: it ended by %v", sig, status)
	}
	if _, err := os.Stat(path + ".lock"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v: the lock is left: %v", sig, err)
	}
	now, err := os.ReadFile(path)
	left, err2 := session.Leftovers(filepath.Dir(path))
	if err != nil || err2 != nil || len(left) > 0 {
		t.Errorf("%v: left %q, %v, %v", sig, left, err, err2)
	}
	if old := string(now) == text; !old && (strings.Contains(string(now), signalTorn) || !strings.HasPrefix(string(now), signalHead)) {
		t.Errorf("%v: the file is neither the old nor the new one", sig)
	}
	return true
}

// F-41: one that waits for somebody else's lock ends at once, and leaves that
// alone.
func TestRepairSignalledWaiting(t *testing.T) {
	path, text := damaged(t, 1)
	lock, err := session.Acquire(context.Background(), path, session.LockOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c := hygeiaCommand("repair", path, "--write")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond) // it should wait by now; if it does not yet, it ends all the same
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	c.Wait()
	if ended := c.ProcessState.Sys().(syscall.WaitStatus); ended.Signal() != syscall.SIGTERM {
		t.Errorf("it ended by %v", ended)
	}
	if err := lock.Do(func() error { return nil }); err != nil {
		t.Errorf("the lock of another: %v", err)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != text {
		t.Errorf("the file was written: %v", err)
	}
	if err := lock.Release(); err != nil {
		t.Error(err)
	}
}
