package session

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// compactFile names the file that a child process compacts again and again.
const compactFile = "HYGEIA_TEST_COMPACT"

const killTalk = "u10 a10 u10 c1:10 r1:10 a10 u10 a10"

// TestCompactKilledChild is that process. It says so each time before it begins.
func TestCompactKilledChild(t *testing.T) {
	path := os.Getenv(compactFile)
	if path == "" {
		t.Skip("run by TestCompactKilled")
	}
	for {
		if err := os.WriteFile(path+".new", []byte(talk(killTalk)), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
		fmt.Println("compacting")
		if _, err := Compact(t.Context(), path, CompactOptions{KeepTokens: 20, Summary: "short", Rotate: true}, WriteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

// G-8, C-B05: a process that is killed at any moment of a compaction or a rotation
// leaves the old conversation or the new one, all entries, and successors that are
// whole.
func TestCompactKilled(t *testing.T) {
	kills := 24
	if inFull() {
		kills = 1000
	}
	dir := t.TempDir()
	var states [3]int
	for range kills {
		compactKillOnce(t, dir, &states)
	}
	t.Logf("%d times the old conversation, %d times the new one, %d times a successor", states[0], states[1], states[2])
	if inFull() && slices.Contains(states[:], 0) {
		t.Errorf("not all moments were hit: %v", states)
	}
}

// compactKillOnce kills a child and looks at what it left.
func compactKillOnce(t *testing.T, dir string, states *[3]int) {
	t.Helper()
	path := filepath.Join(dir, "s-1.jsonl")
	child := exec.Command(os.Args[0], "-test.run=^TestCompactKilledChild$")
	child.Env = append(os.Environ(), compactFile+"="+path)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for n := 1 + rand.IntN(3); n > 0 && lines.Scan(); n-- {
	}
	time.Sleep(time.Duration(rand.Int64N(int64(3 * time.Millisecond))))
	if err := child.Process.Kill(); err != nil {
		t.Errorf("it ended by itself: %v", err)
	}
	child.Wait()

	text, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(text), talk(killTalk)) {
		t.Fatalf("entries are lost: %v\n%s", err, text)
	}
	os.Remove(path + ".lock")                                          // one without text would be waited for (F-41)
	w, err := OpenWriter(t.Context(), path, WriteOptions{Lock: brief}) // the next start
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	switch got := origins(contextOf(t, path).Messages); {
	case slices.Equal(got, []string{"e1", "e2", "e3", "e4", "e5", "e6", "e7", "e8"}):
		states[0]++
	case len(got) == 3 && got[1] == "e7" && got[2] == "e8":
		states[1]++
	default:
		t.Errorf("the conversation is neither: %v\n%s", got, text)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := filepath.Join(dir, e.Name())
		if strings.Contains(e.Name(), "Z_") && strings.HasSuffix(e.Name(), ".jsonl") {
			states[2]++
			if got := origins(contextOf(t, name).Messages); len(got) != 3 || got[1] != "e7" || got[2] != "e8" {
				t.Errorf("a successor says %v", got)
			}
		}
		os.Remove(name)
	}
}
