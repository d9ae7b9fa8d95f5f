package session

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hygeia/internal/swap"
)

// learned writes down all that a reader learns of a session.
func learned(s *Session) (list []string) {
	h := s.Header()
	h.Entry = nil
	list = append(digest(s, false, true), fmt.Sprintf("%+v", h))
	for _, e := range s.Entries() {
		list = append(list, e.ID+" "+string(e.AppendJSON(nil)))
	}
	for _, m := range s.active.Context().Messages {
		list = append(list, fmt.Sprintf("%+v", m.Origin))
	}
	return list
}

// checkOpened asserts that a text opens in memory as its repaired form reads
// that what was repaired is told, and that places are those in the text.
func checkOpened(t failer, file []byte, r repaired) {
	t.Helper()
	var changes []RepairChange
	s, report, err := OpenText(bytes.NewReader(file), int64(len(file)), "x.jsonl", OpenOptions{
		RepairOptions: RepairOptions{Each: func(c *RepairChange) { changes = append(changes, *c) }},
	})
	if err != nil {
		t.Errorf("opening: %v\n%s", err, file)
		return
	}
	want, err := Read(bytes.NewReader(r.text), "x.jsonl", Options{})
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	if d := cmp.Diff(learned(want), learned(s)); d != "" {
		t.Errorf("opens otherwise:\n%s\n%s\n%s", d, file, r.text)
	}
	if !slices.Equal(changes, r.changes) || report.Changes != len(changes) || report.InMemoryOnly != (len(changes) > 0) || report.Repaired ||
		report.BytesAfter != int64(len(r.text)) || report.BytesBefore != int64(len(file)) {
		t.Errorf("told %+v\n%+v\nwant %+v\n%s", changes, report, r.changes, file)
	}
	lines := bytes.Split(file, []byte("\n"))
	for i, e := range s.entries {
		raw := e.AppendJSON(nil)
		n := slices.IndexFunc(lines, func(l []byte) bool { return bytes.Equal(l, raw) })
		at := int(s.places[i].line) - 1
		changed := slices.ContainsFunc(changes, func(c RepairChange) bool { return c.Line == at+1 })
		if n >= 0 && !changed && (at >= len(lines) || !bytes.Equal(lines[at], raw)) {
			t.Errorf("%s stands on line %d, not %d\n%s", raw, n+1, at+1, file)
		}
	}
}

// a damaged session opens repaired in memory, and the disk stays as it is;
// with Write it is repaired there; AsIs switches that off.
func TestOpen(t *testing.T) {
	path := tornFile(t)
	told := 0
	o := OpenOptions{RepairOptions: RepairOptions{Each: func(*RepairChange) { told++ }}}
	s, r, err := Open(path, o)
	if err != nil || r.Changes != 2 || r.DroppedLines != 1 || !r.InMemoryOnly || r.Repaired || told != 2 || len(s.Problems()) > 0 || s.Leaf() != "c" {
		t.Errorf("%+v, %v, told %d, %v", r, err, told, s.Problems())
	}
	if content(t, path) != torn || len(names(t, filepath.Dir(path))) != 1 {
		t.Errorf("something was written: %q", names(t, filepath.Dir(path)))
	}
	s, r, err = Open(path, OpenOptions{AsIs: true})
	if err != nil || r != nil || len(s.Problems()) != 2 {
		t.Errorf("as it is: %+v, %v, %v", r, err, s.Problems())
	}
	o.Write = true
	s, r, err = Open(path, o)
	if err != nil || !r.Repaired || r.InMemoryOnly || len(s.Problems()) > 0 || content(t, path) != mended || r.QuarantinePath == "" || r.Snapshot == nil {
		t.Errorf("written: %+v, %v", r, err)
	}
	s, r, err = Open(path, o)
	if err != nil || r.Repaired || r.Changes > 0 || s.Leaf() != "c" {
		t.Errorf("again: %+v, %v", r, err)
	}
}

// What Load refuses Open refuses, with the reasons of F-58.
func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "empty"), "")
	write(t, filepath.Join(dir, "rubbish"), "hello\n")
	for name, want := range map[string]error{"missing": os.ErrNotExist, "empty": ErrEmpty, "rubbish": ErrNotSession, ".": ErrDirectory} {
		path := filepath.Join(dir, name)
		for _, o := range []OpenOptions{{}, {RepairOptions: RepairOptions{Write: true}}} {
			if s, r, err := Open(path, o); !errors.Is(err, want) || s != nil || r.Reason == "" || r.File != path {
				t.Errorf("%s: %+v, %v", name, r, err)
			}
		}
		if s, r, err := Open(path, OpenOptions{AsIs: true}); !errors.Is(err, want) || s != nil || r != nil {
			t.Errorf("%s as it is: %v", name, err)
		}
	}
}

// F-B06, F-B07: a file that somebody keeps writing to is read as it is.
func TestOpenBusy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	write(t, path, torn+strings.TrimSuffix(lateLine, "\"late\"}}\n"))
	for _, write := range []bool{false, true} {
		fsys := &tailWriter{growing{FS: swap.OS, path: path, times: 6}}
		s, r, err := Open(path, OpenOptions{RepairOptions: RepairOptions{Write: write, fs: fsys}})
		if err != nil || r.Repaired || !r.PendingTail || r.Reason != "changed during repair" || s == nil || len(s.Entries()) < 2 {
			t.Errorf("write %v: %+v, %v", write, r, err)
		}
	}
}

// cached is a file that grows, and what is remembered of it.
type cached struct {
	path string
	o    OpenOptions
}

func newCached(t failer, dir, text string) *cached {
	c := &cached{filepath.Join(dir, "s.jsonl"), OpenOptions{Cache: &Cache{}}}
	if err := os.WriteFile(c.path, []byte(text), 0o600); err != nil {
		t.Errorf("%v", err)
	}
	return c
}

func (c *cached) open(t failer) *Session {
	t.Helper()
	s, r, err := Open(c.path, c.o)
	if err != nil || s == nil || r == nil {
		t.Errorf("%+v, %v", r, err)
	}
	return s
}

func (c *cached) append(t failer, text string) {
	f, err := os.OpenFile(c.path, os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Errorf("%v", err)
	}
}

// F-63: an unchanged session is not read again, and of one that was appended to
// only the suffix.
func TestCache(t *testing.T) {
	c := newCached(t, t.TempDir(), mended)
	first := c.open(t)
	if c.open(t) != first {
		t.Error("read again without a change")
	}
	c.append(t, lateLine)
	second := c.open(t)
	if second == first || second.Leaf() != "x" || first.Leaf() != "c" {
		t.Errorf("leaves %q and %q", first.Leaf(), second.Leaf())
	}
	for i, m := range first.active.Context().Messages {
		if second.active.Context().Messages[i] != m {
			t.Errorf("message %d was read again", i)
		}
	}
	if c.open(t) != second {
		t.Error("the longer one is not remembered")
	}
	for what, change := range map[string]func() error{
		"other end": func() error {
			return os.WriteFile(c.path, []byte(mended+strings.ReplaceAll(lateLine, "late", "LATE")+lateLine), 0o600)
		},
		"same length": func() error {
			return os.WriteFile(c.path, []byte(strings.ReplaceAll(contentOf(c.path), "one", "two")), 0o600)
		},
		"shorter": func() error { return os.Truncate(c.path, int64(len(mended))) },
		"replaced": func() error {
			return errors.Join(os.WriteFile(c.path+"2", []byte(contentOf(c.path)+lateLine), 0o600), os.Rename(c.path+"2", c.path))
		},
	} {
		before := c.open(t)
		if err := change(); err != nil {
			t.Fatal(err)
		}
		after := c.open(t)
		if len(after.entries) > 0 && after.entries[0] == before.entries[0] {
			t.Errorf("%s: what was known was taken for true", what)
		}
	}
}

// F-63: something to repair in the suffix leads to a whole repair.
// F-63: a file that was written to in place is read again, however long it is and
// whatever its end says.
func TestCacheEdited(t *testing.T) {
	c := newCached(t, t.TempDir(), header1+lineA+strings.Repeat("\n", 2*maxEnd)+lineC2)
	before := c.open(t)
	if c.open(t) != before {
		t.Fatal("not remembered")
	}
	f, err := os.OpenFile(c.path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(header1+lineA, `"user"`)
	_, err = f.WriteAt([]byte(`"USER"`), int64(at))
	if err := errors.Join(err, f.Close(), os.Chtimes(c.path, time.Time{}, time.Now().Add(time.Hour))); err != nil {
		t.Fatal(err)
	}
	if after := c.open(t); after == before || after.Entries()[0].Message.Role() != "USER" {
		t.Errorf("read %s", after.Entries()[0].AppendJSON(nil))
	}
}

// F-B04, F-B09: what earlier repairs left is told of a file that needs none, and lines
// that are too long are counted in a text that is no file.
func TestOpenTells(t *testing.T) {
	path := onDisk(t, []byte(mended))
	left := path + ".bak-1-2"
	if err := os.WriteFile(left, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, r, err := Open(path, OpenOptions{}); err != nil || !slices.Equal(r.Leftovers, []string{left}) {
		t.Errorf("%+v, %v", r, err)
	}
	if _, r, err := Open(path, OpenOptions{RepairOptions: RepairOptions{SkipLeftovers: true}}); err != nil || len(r.Leftovers) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
	long := header1 + lineA + `{"x":"` + strings.Repeat("y", 2000) + `"}` + "\n"
	if _, r, err := OpenText(strings.NewReader(long), int64(len(long)), "x.jsonl", OpenOptions{RepairOptions: RepairOptions{MaxLine: 1000}}); err != nil || r.OversizedLines != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestCacheFinding(t *testing.T) {
	c := newCached(t, t.TempDir(), mended)
	c.o.Write = true
	c.open(t)
	for _, text := range []string{tornLine, `{"type":"message","id":"y","parentId":"c","message":{"role":"user","content":" "}}` + "\n", "\x00\x00\n", lineA} {
		c.append(t, text)
		if _, r, err := Open(c.path, c.o); err != nil || !r.Repaired {
			t.Errorf("%q: %+v, %v", text, r, err)
		}
		if s, r, err := Open(c.path, c.o); err != nil || r.Changes > 0 || c.open(t) != s {
			t.Errorf("%q: %+v, %v", text, r, err)
		}
	}
}

// F-63: no more than eight files, and no more bytes than allowed.
func TestCacheBounds(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		max  int64
		want int
	}{{0, maxRemembered}, {3 * int64(len(mended)), 3}, {1, 0}} {
		cache := &Cache{MaxBytes: c.max}
		for i := range 12 {
			path := filepath.Join(dir, fmt.Sprintf("%d.jsonl", i))
			write(t, path, mended)
			if _, _, err := Open(path, OpenOptions{Cache: cache}); err != nil {
				t.Fatal(err)
			}
		}
		if len(cache.files) != c.want {
			t.Errorf("at most %d bytes: %d files", c.max, len(cache.files))
		}
	}
}

// A cache serves many at the same time, while the file grows.
func TestCacheConcurrent(t *testing.T) {
	c := newCached(t, t.TempDir(), mended)
	var w sync.WaitGroup
	for range 4 {
		w.Go(func() {
			for range 50 {
				s := c.open(t)
				for _, m := range s.active.Context().Messages {
					_ = m.Origin.Entry + string(m.Role())
				}
			}
		})
	}
	parent := "c"
	for i := range 20 {
		id := fmt.Sprintf("late%d", i)
		c.append(t, fmt.Sprintf(`{"type":"message","id":"%s","parentId":"%s","message":{"role":"user","content":"x"}}`+"\n", id, parent))
		parent = id
	}
	w.Wait()
	if s := c.open(t); s.Leaf() != parent {
		t.Errorf("leaf %s", s.Leaf())
	}
}

// F-63, G-3: what is appended in pieces opens as the whole file does, whatever it
// is and wherever the pieces end.
func TestPropertyCache(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		file := rapid.Custom(func(t *rapid.T) []byte {
			switch rapid.IntRange(0, 2).Draw(t, "kind") {
			case 0:
				return drawLinks(t)
			case 1:
				return drawCalls(t)
			}
			c, _, _, _ := drawHarm(t)
			return []byte(header1 + strings.Join(c.lines, ""))
		}).Draw(t, "file")
		c := newCached(t, dir, "")
		c.o.now = time.Now // nobody else writes: nothing to wait for
		for at := 0; at < len(file); {
			n := rapid.IntRange(1, len(file)-at).Draw(t, "piece")
			if i := bytes.IndexByte(file[at+n:], '\n'); i >= 0 && rapid.Bool().Draw(t, "whole lines") {
				n += i + 1
			}
			c.append(t, string(file[at:at+n]))
			at += n
			want, r, err := Open(c.path, OpenOptions{RepairOptions: c.o.RepairOptions})
			got, r2, err2 := Open(c.path, c.o)
			if fmt.Sprint(err) != fmt.Sprint(err2) {
				t.Fatalf("%v, %v", err, err2)
			}
			if err != nil {
				continue
			}
			r.Snapshot, r2.Snapshot = nil, nil
			r.ElapsedMS, r2.ElapsedMS = 0, 0
			if d := cmp.Diff(learned(want), learned(got)) + cmp.Diff(want.Problems(), got.Problems()) + cmp.Diff(r, r2); d != "" {
				t.Fatalf("%s\n%s", d, file[:at])
			}
		}
	})
}

// places are those in the file as it is stored, also of records that share a
// line, stand inside of another, and come to stand in another order.
func TestPlacesInADamagedText(t *testing.T) {
	file := header1 +
		`{"type":"custom","id":"a","parentId":null}{"type":"custom","id":"b","parentId":"a"}{"type":"custom","id":"c","parentId":"b",` + "\n" +
		`{"type":"custom","id":"note","parentId":"b"}` + "\n" +
		`"customType":"x"}` + "\n" +
		`{"type":"custom","id":"d","parentId":"c"}` + "\n" +
		"rubbish\n" +
		`{"type":"custom","id":"e","parentId":"d"}` + "\n" +
		`{"type":"message","id":"f","parentId":"e","message":{"role":"assistant","api":"openai-chatgpt-responses","provider":"openai","content":[{"type":"toolCall","id":"t","name":"f"}]}}` + "\n" +
		`{"type":"message","id":"g","parentId":"f","message":{"role":"user","content":"caf` + "\xe9" + `"}}` + "\n"
	s, _, err := OpenText(strings.NewReader(file), int64(len(file)), "x.jsonl", OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i, e := range s.entries {
		got = append(got, fmt.Sprint(e.ID[:min(len(e.ID), 6)], " ", s.places[i].line))
	}
	for _, p := range s.Problems() {
		got = append(got, fmt.Sprint(p.Rule, " ", p.Line))
	}
	if want := []string{"a 2", "b 2", "note 3", "c 2", "d 5", "e 7", "f 8", "repair 8", "g 9", "F-20 3", "F-B11 9"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
