package session

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

func init() {
	deeds["append"] = func(args []string) error {
		n, err := strconv.Atoi(args[1])
		if err != nil {
			return err
		}
		a := NewAppender(args[0], WriteOptions{Lock: LockOptions{Wait: -1}})
		for i := range n {
			m := transcript.NewText(transcript.User, args[2]+strconv.Itoa(i))
			e := transcript.NewMessageEntry(m.With("idempotencyKey", jsonline.Text(args[2]+strconv.Itoa(i))))
			if _, err := a.Append(context.Background(), e); err != nil {
				return fmt.Errorf("entry %d: %w", i, err)
			}
			time.Sleep(100 * time.Microsecond) // else each takes long turns
		}
		return nil
	}
}

// F-44, F-40, F-B24: two processes append to one session at the same time.
// Nothing is lost, doubled or torn, and all of it hangs together.
func TestTwoProcesses(t *testing.T) {
	n := 5000
	if testing.Short() {
		n = 100
	}
	dir := t.TempDir()
	if shm, err := os.MkdirTemp("/dev/shm", "hygeia"); err == nil { // what is synced there costs nothing
		t.Cleanup(func() { os.RemoveAll(shm) })
		dir = shm
	}
	path := filepath.Join(dir, "s-1.jsonl")
	start := time.Now()
	var running []*exec.Cmd
	for _, name := range []string{"a", "b"} {
		c := otherProcess(t, "append", path, strconv.Itoa(n), name)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, c)
	}
	for _, c := range running {
		if err := c.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Load(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, _ := s.Branch("")
	seen := map[string]int{}
	turns := 0
	var last byte
	for _, e := range b.Entries() {
		text := e.Message.Text().String()
		seen[text]++
		if text[0] != last {
			turns++
		}
		last = text[0]
	}
	for _, p := range s.Problems() {
		t.Errorf("%v", p)
	}
	if len(s.Entries()) != 2*n || len(seen) != 2*n {
		t.Errorf("%d entries, %d different ones on the branch", len(s.Entries()), len(seen))
	}
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("left %v", list)
	}
	t.Logf("%v, %d changes of turn", time.Since(start), turns)
}
