package session

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// inFull reports whether tests that kill processes or fill disks do so as often and
// as much as the guarantees are stated for (test.sh).
func inFull() bool { return os.Getenv("HYGEIA_FULL") != "" }

// killFile names the file that a child process repairs again and again.
const killFile = "HYGEIA_TEST_REPAIR"

// TestKilledChild is that process. It says so each time before it begins.
func TestKilledChild(t *testing.T) {
	path := os.Getenv(killFile)
	if path == "" {
		t.Skip("run by TestRepairKilled")
	}
	damaged, _ := killTexts()
	for {
		if err := os.WriteFile(path+".new", []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
		fmt.Println("repairing")
		if _, err := Repair(path, RepairOptions{Write: true, KeepBackup: rand.IntN(4) == 0}); err != nil {
			t.Fatal(err)
		}
	}
}

// killTexts returns a damaged file and the same repaired.
func killTexts() (damaged, whole string) { return torn + behindC(40), mended + behindC(40) }

// behindC returns n entries that go on from c.
func behindC(n int) string {
	_, rest, _ := strings.Cut(string(synthetic(n, 3)), "\n")
	return strings.Replace(rest, "null", `"c"`, 1)
}

// G-8: a process that is killed at any moment leaves the old or the new complete
// file, and what else it leaves is found by the next start.
func TestRepairKilled(t *testing.T) {
	kills := 60
	if inFull() {
		kills = 1000
	}
	var w sync.WaitGroup
	const workers = 4
	states := make([][3]int, workers)
	for i := range workers {
		dir := t.TempDir()
		w.Go(func() {
			for range kills / workers {
				killOnce(t, dir, &states[i])
			}
		})
	}
	w.Wait()
	var sum [3]int
	for _, s := range states {
		for i := range sum {
			sum[i] += s[i]
		}
	}
	t.Logf("%d times the old file, %d times the new one, %d times something beside it", sum[0], sum[1], sum[2])
	if inFull() && (sum[0] == 0 || sum[1] == 0 || sum[2] == 0) {
		t.Errorf("not all moments were hit: %v", sum)
	}
}

// killOnce kills a child and looks at what it left.
func killOnce(t *testing.T, dir string, state *[3]int) {
	path := filepath.Join(dir, "s.jsonl")
	child := exec.Command(os.Args[0], "-test.run=^TestKilledChild$")
	child.Env = append(os.Environ(), killFile+"="+path)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Error(err)
		return
	}
	if err := child.Start(); err != nil {
		t.Error(err)
		return
	}
	lines := bufio.NewScanner(out)
	for n := 1 + rand.IntN(3); n > 0 && lines.Scan(); n-- {
	}
	time.Sleep(time.Duration(rand.Int64N(int64(4 * time.Millisecond))))
	if err := child.Process.Kill(); err != nil {
		t.Errorf("it ended by itself: %v", err)
	}
	child.Wait()

	damaged, whole := killTexts()
	switch text := contentOf(path); text {
	case damaged:
		state[0]++
	case whole:
		state[1]++
	default:
		t.Errorf("the file is neither: %d bytes", len(text))
	}
	left, err := Leftovers(dir)
	r, err2 := Repair(path, RepairOptions{Write: true})
	if err != nil || err2 != nil || len(r.Leftovers) != len(left) || contentOf(path) != whole {
		t.Errorf("next start: %+v, %v, %v, left %q", r, err, err2, left)
	}
	if len(left) > 0 {
		state[2]++
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Error(err)
	}
	for _, e := range entries {
		name := e.Name()
		if known := name == "s.jsonl" || name == "s.jsonl.new" || strings.Contains(name, ".dropped-"); !known && !contains(left, name) {
			t.Errorf("%s would not be found", name)
		}
		if name != "s.jsonl" {
			os.Remove(filepath.Join(dir, name))
		}
	}
}

func contains(paths []string, name string) bool {
	for _, p := range paths {
		if filepath.Base(p) == name {
			return true
		}
	}
	return false
}
