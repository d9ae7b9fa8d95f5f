package hygeia

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/session"
)

// written are the options with which a damaged session is repaired on the disk.
var written = OpenOptions{Session: session.OpenOptions{RepairOptions: session.RepairOptions{Write: true}}}

// G-9: a damaged session gives the same request whether it is
// repaired in memory or on the disk before, from a file or from a stream; in
// memory nothing on the disk changes, and what was repaired is told alike.
func TestOpenedAlike(t *testing.T) {
	var files [][]byte
	for _, name := range []string{"examples/poisoned.jsonl", "session/testdata/wild-session.jsonl"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, text)
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	rapid.Check(t, func(t *rapid.T) {
		file := bytes.Clone(rapid.SampledFrom(files).Draw(t, "file"))
		at := rapid.IntRange(300, len(file)-2).Draw(t, "at")
		file = slices.Delete(file, at, min(len(file), at+rapid.SampledFrom([]int{1, 10, 1000}).Draw(t, "cut")))
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		target := rapid.SampledFrom(targets).Draw(t, "target")
		open := func(r *Transcript, err error) (*Transcript, []byte) {
			if err != nil {
				t.Fatal(err)
			}
			replay, err := r.Replay(target, ReplayOptions{})
			if errors.Is(err, ErrNoConverter) {
				replay, err = r.Replay(target, ReplayOptions{MessagesOnly: true})
			}
			if err != nil {
				t.Fatal(err)
			}
			return r, append(replay.MessagesJSON(), replay.Body...)
		}
		inMemory, body := open(Open(path, OpenOptions{}))
		_, streamed := open(Read(struct{ *bytes.Buffer }{bytes.NewBuffer(file)}, path, OpenOptions{}))
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, file) {
			t.Fatalf("the disk changed: %v", err)
		}
		onDisk, repaired := open(Open(path, written))
		if !bytes.Equal(body, repaired) || !bytes.Equal(body, streamed) {
			t.Errorf("in memory\n%s\nstreamed\n%s\non disk\n%s", body, streamed, repaired)
		}
		if !slices.Equal(inMemory.Repairs, onDisk.Repairs) || onDisk.Repair.Repaired != (len(onDisk.Repairs) > 0) {
			t.Errorf("told %+v\n%+v", inMemory.Repairs, onDisk.Repairs)
		}
	})
}

// What is no session file cannot be repaired on the disk, and is not touched.
func TestOpenWriteRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.json")
	text := `[{"role":"user","content":" "}]`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, written); !errors.Is(err, ErrWrite) {
		t.Errorf("%v", err)
	}
	if _, err := Read(strings.NewReader(`{"type":"session","id":"s"}`), "s.jsonl", written); !errors.Is(err, ErrWrite) {
		t.Errorf("a stream: %v", err)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != text {
		t.Errorf("%s, %v", now, err)
	}
}
