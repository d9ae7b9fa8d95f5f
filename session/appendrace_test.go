package session

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
			fmt.Println(i)
			time.Sleep(100 * time.Microsecond) // else each takes long turns
		}
		return nil
	}
	deeds["repair"] = func(args []string) error {
		stop := make(chan struct{})
		go func() {
			io.Copy(io.Discard, os.Stdin)
			close(stop)
		}()
		for {
			start := time.Now()
			if err := tear(args[0]); err != nil {
				return err
			}
			select {
			case <-stop:
				return nil
			case <-time.After(max(10*time.Millisecond, 5*time.Since(start))): // the others want to get on
			}
		}
	}
}

// tear makes repairs have something to do, again and again: a torn line at the
// end of the file, which one of them takes away.
func tear(path string) error {
	lock, err := Acquire(context.Background(), path, LockOptions{Wait: -1})
	if err != nil {
		return err
	}
	err = lock.Do(func() error {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		_, err = f.WriteString(`{"type":"mess`)
		return errors.Join(err, f.Close())
	})
	if err := errors.Join(err, lock.Release()); err != nil {
		return err
	}
	locker := LockOptions{Wait: -1}.Locker(context.Background())
	_, err = Repair(path, RepairOptions{Write: true, Quarantine: filepath.Dir(path) + "/dropped", Lock: locker})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// F-44, F-40, F-B24, F-B28, F-B06: two processes append to one session while
// another repairs it over and over. Nothing is lost, doubled or torn, and all of
// it hangs together.
func TestThreeProcesses(t *testing.T) {
	n := 100
	if inFull() {
		n = 5000
	}
	dir := memory(t)
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
	repairing := otherProcess(t, "repair", path)
	stop, err := repairing.StdinPipe()
	if err == nil {
		err = repairing.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range running {
		if err := c.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	stop.Close()
	if err := repairing.Wait(); err != nil {
		t.Fatal(err)
	}
	s, err := Load(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	turns := 0
	var last byte
	for _, e := range s.active.Entries() {
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
	if len(s.Entries()) != 2*n || len(seen) != 2*n || len(linesOf(t, path)) != 2*n+1 {
		t.Errorf("%d entries on %d lines, %d different ones on the branch", len(s.Entries()), len(linesOf(t, path)), len(seen))
	}
	if list, _ := os.ReadDir(dir); len(list) > 2 { // with what was dropped
		t.Errorf("left %v", list)
	}
	dropped, _ := os.ReadDir(filepath.Join(dir, "dropped"))
	t.Logf("%v, %d changes of turn, %d repairs", time.Since(start), turns, len(dropped))
	if inFull() && len(dropped) < 2 { // a few entries may be over before the repairs begin
		t.Error("nothing was repaired")
	}
}

// G-8, F-B24: a process that is killed while it appends leaves every entry that
// it was told of, whole, and no lock that keeps the next one out.
func TestKilledAppender(t *testing.T) {
	path := filepath.Join(memory(t), "s-1.jsonl")
	told := map[string]bool{}
	for round := range 10 {
		name := string(rune('a' + round))
		c := otherProcess(t, "append", path, "1000000", name)
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		for range 20 + 7*round {
			if !lines.Scan() {
				t.Fatal("it ended")
			}
			told[name+lines.Text()] = true
		}
		c.Process.Kill()
		for lines.Scan() {
			told[name+lines.Text()] = true
		}
		c.Wait()
	}
	s, err := Load(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range s.Problems() {
		t.Errorf("%v", p)
	}
	for _, e := range s.active.Entries() {
		delete(told, e.Message.Text().String())
	}
	if len(told) > 0 {
		t.Errorf("lost %v", told)
	}
}
