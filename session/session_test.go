package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"hygeia/transcript"
)

func open(t *testing.T, file string) *Session {
	t.Helper()
	s, err := Read(strings.NewReader(file), "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLoadErrors(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.jsonl")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(dir, "missing.jsonl")
	for _, c := range []struct {
		path string
		want error
		text string
	}{
		{missing, fs.ErrNotExist, "session " + missing + ": no such file or directory"},
		{dir, ErrDirectory, "session " + dir + ": is a directory"},
		{empty, ErrEmpty, "session " + empty + ": is empty"},
	} {
		_, err := Load(c.path, Options{})
		if !errors.Is(err, c.want) || err.Error() != c.text {
			t.Errorf("got %v, want %s", err, c.text)
		}
	}
}

func TestReadErrors(t *testing.T) {
	broken := &fs.PathError{Op: "read", Path: "x.jsonl", Err: errors.New("input/output error")}
	line := `{"type":"session","id":"s"}` + "\n"
	_, err := Read(io.MultiReader(strings.NewReader(line), iotest.ErrReader(broken)), "x.jsonl", Options{})
	if want := "session x.jsonl: reading behind byte 28: input/output error"; !errors.Is(err, broken.Err) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	for text, want := range map[string]error{"hello\n": ErrNotSession, " \n": ErrEmpty} {
		if _, err := Read(strings.NewReader(text), "x.jsonl", Options{}); !errors.Is(err, want) {
			t.Errorf("%q: got %v, want %v", text, err, want)
		}
	}
	if _, err := open(t, line).Context("zz"); !errors.Is(err, ErrUnknownEntry) {
		t.Errorf("got %v", err)
	}
}

// wild is a session with the shape of one found in the wild.
const wild = "testdata/wild-session.jsonl"

// G-7, F-18: entries keep the bytes of their lines, and messages those of their
// place in them.
func TestBytesStay(t *testing.T) {
	s, err := Load(wild, Options{})
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(wild)
	if err != nil {
		t.Fatal(err)
	}
	got := append(s.Header().Entry.AppendJSON(nil), '\n')
	for _, e := range s.Entries() {
		got = append(e.AppendJSON(got), '\n')
	}
	if !bytes.Equal(got, file) {
		t.Errorf("the entries are not the lines of the file")
	}
	if p := s.Problems(); len(p) > 0 {
		t.Errorf("problems in a sound file: %v", p)
	}
	c, err := s.Context("")
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Messages) == 0 || len(c.Snapshots) == 0 || c.ThinkingLevel != "off" {
		t.Errorf("%d messages, %d snapshots, thinking %q", len(c.Messages), len(c.Snapshots), c.ThinkingLevel)
	}
	for _, m := range c.Messages {
		if !bytes.Contains(file, m.AppendJSON(nil)) {
			t.Errorf("message %d was changed", m.Origin.Index)
		}
	}
}

// D-27: derived ids can be made again from the file alone.
func TestDerivedIDs(t *testing.T) {
	digits := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:])
	}
	line := `{"type":"message","message":{"role":"user","content":"one"}}`
	s := open(t, `{"type":"session","id":"s"}`+"\r\n\n"+line+"\r\n"+line+"\n")
	for i, want := range []string{digits("3:" + line)[:8], digits("4:" + line)[:8]} {
		if got := s.Entries()[i].ID; got != want {
			t.Errorf("entry %d has id %s, want %s", i, got, want)
		}
	}

	entry := func(id string) string {
		return `{"type":"message","id":"` + id + `","parentId":null,"message":{"role":"user","content":"one"}}` + "\n"
	}
	taken := digits("a:2")[:8]
	s = open(t, `{"type":"session","version":3,"id":"s"}`+"\n"+entry("a")+entry("a")+entry("a")+entry(taken))
	for i, want := range []string{"a", digits("a:2")[:12], digits("a:3")[:8], taken} {
		if got := s.Entries()[i].ID; got != want {
			t.Errorf("entry %d has id %s, want %s", i, got, want)
		}
	}
}

// F-B09: the cap on lines is an option.
func TestMaxLine(t *testing.T) {
	file := `{"type":"session","version":3,"id":"s"}` + "\n" +
		`{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"one"}}` + "\n" +
		`{"type":"message","id":"b","parentId":"a","message":{"role":"user","content":"` + strings.Repeat("long ", 40) + `"}}` + "\n" +
		`{"type":"message","id":"c","parentId":"b","message":{"role":"user","content":"three"}}` + "\n"
	for limit, want := range map[int]string{0: "a b c", 150: "a c"} {
		s, err := Read(strings.NewReader(file), "", Options{MaxLine: limit})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(path(t, s), " "); got != want {
			t.Errorf("limit %d: path %s, want %s", limit, got, want)
		}
		if reported := len(s.Problems()) > 0; reported != (limit > 0) {
			t.Errorf("limit %d: %v", limit, s.Problems())
		}
	}
}

func path(t *testing.T, s *Session) (ids []string) {
	t.Helper()
	b, err := s.Branch("")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range b.Entries() {
		ids = append(ids, e.ID)
	}
	return ids
}

// B134-1: a message of nine million characters is kept whole.
func TestLongMessage(t *testing.T) {
	text := strings.Repeat("abc ", 2_250_000) + "to the end"
	s := open(t, `{"type":"session","version":3,"id":"s"}`+"\n"+
		`{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"`+text+`"}}`+"\n")
	if got := s.Entries()[0].Message.Text().String(); got != text {
		t.Errorf("%d bytes, want %d", len(got), len(text))
	}
}

// D-29: the messages of a branch carry its own origins, and asking for it leaves
// those of the active one alone.
func TestBranchesDoNotMix(t *testing.T) {
	entry := func(id, parent, text string) string {
		return `{"type":"message","id":"` + id + `","parentId":` + parent + `,"message":{"role":"user","content":"` + text + `"}}` + "\n"
	}
	s := open(t, `{"type":"session","version":3,"id":"s"}`+"\n"+entry("a", "null", "one")+entry("b", `"a"`, "two")+
		`{"type":"custom","id":"x","parentId":"b","customType":"k"}`+"\n"+entry("c", `"x"`, "three")+
		`{"type":"compaction","id":"K","parentId":"c","summary":"s","firstKeptEntryId":"c","timestamp":1}`+"\n")
	want := func(leaf string, origins ...transcript.Origin) {
		t.Helper()
		c, err := s.Context(leaf)
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range c.Messages {
			if i >= len(origins) || m.Origin != origins[i] {
				t.Errorf("leaf %q: message %d has origin %+v, want one of %+v", leaf, i, m.Origin, origins)
			}
		}
	}
	for range 2 {
		want("", transcript.Origin{Entry: "K", Index: 0, Position: 4}, transcript.Origin{Entry: "c", Index: 1, Position: 3})
		want("c", transcript.Origin{Entry: "a", Index: 0, Position: 0}, transcript.Origin{Entry: "b", Index: 1, Position: 1},
			transcript.Origin{Entry: "c", Index: 2, Position: 3})
	}
	if got := s.Entries()[2].ID; got != "x" {
		t.Errorf("third entry %q", got)
	}
	// A record that is no entry stands for the one that it hangs from.
	want("x", transcript.Origin{Entry: "a", Index: 0, Position: 0}, transcript.Origin{Entry: "b", Index: 1, Position: 1})
}

// F-02, F-05: the id in the three spellings of a file name, and none in the names
// of neighbour files.
func TestIDFromName(t *testing.T) {
	for name, want := range map[string]string{
		"/x/0f9b2c.jsonl":                                              "0f9b2c",
		"0f9b2c-topic-a%20b.jsonl":                                     "0f9b2c",
		"2026-02-01T08-00-00-000Z_0f9b2c.jsonl":                        "0f9b2c",
		"2026-02-01T08-00-00Z_0f9b2c.jsonl":                            "0f9b2c",
		"0f9b2c.checkpoint.11111111-2222-4333-8444-555555555555.jsonl": "",
		"0f9b2c.jsonl.corrupt-2026-02-01T08-00-00Z-0a1b2c3d.jsonl":     "",
		"0f9b2c.trajectory.jsonl":                                      "",
		"0f9b2c.jsonl.reset.2026-02-01T08-00-00Z":                      "",
		"-0f.jsonl":                         "",
		"a b.jsonl":                         "",
		strings.Repeat("a", 129) + ".jsonl": "",
		".jsonl":                            "",
		"-":                                 "",
		"":                                  "",
	} {
		if got := idFromName(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// F-B09: a read session takes less than three times its file.
func TestMemory(t *testing.T) {
	file := synthetic(20_000, 3)
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	s, err := Read(bytes.NewReader(file), "", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if used := heap() - before; used > 3*uint64(len(file)) {
		t.Errorf("%d bytes for a file of %d", used, len(file))
	}
	runtime.KeepAlive(s)
	runtime.KeepAlive(file)
}

func TestConcurrentReaders(t *testing.T) {
	s, err := Load(wild, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var w sync.WaitGroup
	for range 4 {
		w.Go(func() {
			for _, tip := range s.Branches() {
				if _, err := s.Context(tip.Leaf); err != nil {
					t.Error(err)
				}
			}
			s.Problems()
		})
	}
	w.Wait()
}

// G-6: trees made to be walked again and again are read in linear time. Any of
// these takes minutes if that is not so.
func TestHostileTrees(t *testing.T) {
	const n = 60_000
	message := `"message":{"role":"user","content":"x"}}`
	line := func(typ string, id int, parent string, rest string) string {
		return fmt.Sprintf(`{"type":"%s","id":"e%d","parentId":%s,%s`+"\n", typ, id, parent, rest)
	}
	named := func(i int) string { return fmt.Sprintf(`"e%d"`, i) }
	for name, write := range map[string]func(i int) string{
		"chain":      func(i int) string { return line("message", i, named(i-1), message) },
		"backwards":  func(i int) string { return line("message", n-i, named(n-i-1), message) },
		"circles":    func(i int) string { return line("message", i, named(i^1), message) },
		"one circle": func(i int) string { return line("message", i, named((i+1)%n), message) },
		"opaque chain": func(i int) string {
			return line([]string{"future", "message"}[2*i/n], i, named(min(i-1, n/2-1)), message)
		},
		"opaque backwards": func(i int) string { return line([]string{"future", "message"}[2*i/n], n-i, named(n-i-1), message) },
		"opaque ahead": func(i int) string {
			if i < n/2 {
				return line("future", i, named(i+1), message)
			}
			return line("message", i, named(0), message)
		},
		"one id":      func(int) string { return line("message", 1, named(1), message) },
		"controls":    func(i int) string { return line("leaf", i, named(i-1), fmt.Sprintf(`"targetId":"e%d"}`, i-1)) },
		"compactions": func(i int) string { return line("compaction", i, named(i-1), `"firstKeptEntryId":"zz"}`) },
		"bad times":   func(i int) string { return line("custom_message", i, named(i-1), `"content":"x","timestamp":"x"}`) },
		"branches":    func(i int) string { return line("message", i, named(i/2), message) },
		"torn":        func(i int) string { return line("message", i, named(i-1), `"mess`) },
		"kept torn": func(i int) string {
			if i == 0 {
				return `{"type":"compaction","id":"e0","parentId":null,"mess` + "\n"
			}
			return line("compaction", i, named(i-1), `"summary":"s","firstKeptEntryId":"e0"}`)
		},
		"calls": func(i int) string {
			return line("message", i, named(i-1), fmt.Sprintf(`"message":{"role":"assistant","api":"openai-codex-responses","provider":"openai","content":[{"type":"toolCall","id":"t%d","name":"f"}]}}`, i/2*3))
		},
		"stand-ins": func(i int) string {
			if i == 0 {
				return line("message", i, "null", `"message":{"role":"assistant","api":"openai-codex-responses","provider":"openai","content":[`+strings.Repeat(`{"type":"toolCall","id":"t","name":"f"},`, n)+`{}]}}`)
			}
			return line("message", i, named(0), message)
		},
		"rejected": func(i int) string { return line("custom", i, named(i-1), `"customType":"hygeia.rejected-thinking"}`) },
	} {
		t.Run(name, func(t *testing.T) {
			var file strings.Builder
			file.WriteString(`{"type":"session","version":3,"id":"s"}` + "\n" + line("message", n+1, "null", message))
			for i := range n {
				file.WriteString(write(i))
			}
			s := open(t, file.String())
			s.Problems()
			if _, err := s.Context(""); err != nil {
				t.Error(err)
			}
			r := repairText([]byte(file.String()), "", surveyOptions{})
			if again := repairText(r.text, "", surveyOptions{}); r.err != nil || again.err != nil || again.report.Changes > 0 {
				t.Errorf("%v, then %v: %+v", r.err, again.err, again.report)
			}
		})
	}
}
