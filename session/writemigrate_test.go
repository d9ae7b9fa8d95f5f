package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// F-15, F-16, D-22, F-B19: a file of an older version is migrated when something
// is appended, and not before; what is in it stays what it was read as.
func TestMigration(t *testing.T) {
	path := file(t,
		`{"type":"session","id":"s-1","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/srv/app","x":1.0}`,
		`{"type":"message","message":{"role":"user","content":"1"}}`,
		``,
		`{"type":"message","message":{"role":"hookMessage","content":"2","n":1e400}}`,
		`7`,
		`{"type":"future","n":1}`,
		`{"type":"compaction","summary":"s","firstKeptEntryIndex":2,"tokensBefore":1}`,
		`{"type":"message","message":{"role":"assistant","content":"3"}}`)
	before, err := Load(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	stored, _ := os.ReadFile(path)
	w := openWriter(t, path, writeOptions())
	if now, _ := os.ReadFile(path); string(now) != string(stored) {
		t.Error("migrated before something was appended")
	}
	id := put(t, w, user("4"))
	e := before.Entries()
	ids := []any{e[0].ID, e[1].ID, e[0].ID, e[3].ID, e[1].ID, e[4].ID, e[3].ID, e[1].ID, e[5].ID, e[4].ID}
	want := fmt.Sprintf(`{"type":"session","id":"s-1","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/srv/app","x":1.0,"version":3}
{"type":"message","message":{"role":"user","content":"1"},"id":%q,"parentId":null}

{"type":"message","message":{"role":"custom","content":"2","n":1e400},"id":%q,"parentId":%q}
7
{"type":"future","n":1,"id":%q,"parentId":%q}
{"type":"compaction","summary":"s","tokensBefore":1,"id":%q,"parentId":%q,"firstKeptEntryId":%q}
{"type":"message","message":{"role":"assistant","content":"3"},"id":%q,"parentId":%q}`, ids...)
	got := linesOf(t, path)
	sameLines(t, path, append(strings.Split(want, "\n"), got[len(got)-1])...)
	after, err := Load(path, Options{})
	if err != nil || after.Leaf() != id || after.Header().Version != 3 {
		t.Errorf("%s, %v", after.Leaf(), err)
	}
	a, b := messages(before), messages(after)
	named := strings.Replace(strings.Join(b[:len(b)-1], "\n"), fmt.Sprintf(`"firstKeptEntryId":%q,`, e[1].ID), "", 1)
	if strings.Join(a, "\n") != named {
		t.Errorf("read as\n%q\nand now\n%q", a, b)
	}
	if info, _ := os.Stat(path); runtime.GOOS != "windows" && info.Mode() != 0o640 {
		t.Errorf("mode %v", info.Mode())
	}
	if r := w.Report(); len(r) != 1 || r[0].Rule != "F-16" || !r[0].Note {
		t.Errorf("report %v", r)
	}
	if list, _ := os.ReadDir(filepath.Dir(path)); len(list) != 2 { // with the lock
		t.Errorf("left %v", list)
	}
}

// F-16, F-45, F-B18: where entries have ids already, branches stay what they are and
// lines that hold no old role stay to the byte, whatever becomes of the header.
func TestMigrationOfBranches(t *testing.T) {
	lines := []string{
		`{"id": "a", "type":"message","parentId":null,"message":{"role":"user","content":"1"}}`,
		`{"type":"message","id":"b","parentId":"a", "message":{"role":"assistant","content":"2"}}`,
		`{"type":"message","id":"c","parentId":"a","message":{"role":"user", "content":"3"} }`,
		`{"type":"compaction","id":"k","parentId":"c","timestamp":"2026-03-01T10:00:00.000Z", "summary":"s","firstKeptEntryId":"c","firstKeptEntryIndex":1,"tokensBefore":1}`,
	}
	for old, now := range map[string]string{
		`{"type":"session","version":2,"id":"s-1","cwd":"/srv/app"}`: `{"type":"session","version":3,"id":"s-1","cwd":"/srv/app"}`,
		`{"type":"session","version":3,"id":"s-1","cwd":"/old"}`:     `{"type":"session","version":3,"id":"s-1","cwd":"/srv/app"}`,
	} {
		path := file(t, append([]string{old}, lines...)...)
		id := put(t, openWriter(t, path, writeOptions()), user("4"))
		got := linesOf(t, path)
		sameLines(t, path, append(append([]string{now}, lines...), got[len(got)-1])...)
		if ids := branchOf(t, path); fmt.Sprint(ids) != "[a c k "+id+"]" {
			t.Errorf("%s: branch %q", old, ids)
		}
	}
}

func messages(s *Session) (list []string) {
	c, _ := s.Context("")
	for _, m := range c.Messages {
		list = append(list, string(m.AppendJSON(nil)))
	}
	return list
}

// F-45, F-B18: the header gets the id and folder of the run, and nothing else
// changes to the byte, not even in a file without an answer.
func TestHeaderInLine(t *testing.T) {
	odd := `{"type":"message","id":"a","parentId":"s-0", "message":{"role":"user","content":"hi","n":1.0}}` + "\r"
	path := file(t, "\uFEFF"+`{"type":"session","version":3,"id":"s-0","cwd":"/old","y":9007199254740993}`, odd, "", "7", hey)
	o := writeOptions()
	o.ID = "s-1"
	w := openWriter(t, path, o)
	put(t, w, user("on"))
	got := linesOf(t, path)
	sameLines(t, path, `{"type":"session","version":3,"id":"s-1","cwd":"/srv/app","y":9007199254740993}`,
		`{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"hi","n":1.0}}`, "", "7", hey, got[len(got)-1])
	if r := fmt.Sprint(w.Report()); strings.Count(r, "F-45") != 0 || len(w.Report()) != 2 {
		t.Errorf("report %v", r)
	}
	if ids := branchOf(t, path); len(ids) != 3 {
		t.Errorf("branch %q", ids)
	}
	w.Close()
	w = openWriter(t, path, o)
	put(t, w, answer("once"))
	if len(w.Report()) > 0 {
		t.Errorf("again: %v", w.Report())
	}
}

// F-B18: a run without a session id of its own leaves the header's.
func TestHeaderStays(t *testing.T) {
	path := file(t, head, hi)
	o := writeOptions()
	o.CWD = ""
	put(t, openWriter(t, path, o), user("on"))
	if got := linesOf(t, path); got[0] != head || got[1] != hi || len(got) != 3 {
		t.Errorf("%q", got)
	}
}

// A file that has to be repaired first is not rewritten, and nothing is appended
// to it that could not stand in it.
func TestMigrationOfDamage(t *testing.T) {
	const old = `{"type":"session","id":"s-1"}`
	for name, lines := range map[string][]string{
		"torn":       {old, `{"type":"message","message":{"role":"user","content":"1"}}`, `{"type":"mess`},
		"no message": {old, `{"type":"message","message":{"role":" "}}`, `{"type":"message","message":{"role":"user","content":"1"}}`},
		"glued":      {old, `{"type":"message","message":{"role":"user","content":"1"}}{"type":"message","message":{"role":"user","content":"2"}}`},
	} {
		path := file(t, lines...)
		before, _ := os.ReadFile(path)
		tail, s, err := readTail(path)
		if err != nil {
			t.Fatal(err)
		}
		j := journal{path: path, o: writeOptions(), tail: tail, read: s}
		if err := j.current(); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: got %v", name, err)
		}
		if after, _ := os.ReadFile(path); string(after) != string(before) {
			t.Errorf("%s: now\n%s", name, after)
		}
	}
}

// C-06, D-22: a damaged file of an older version is repaired before it is
// migrated, by whoever appends to it.
func TestRepairBeforeMigration(t *testing.T) {
	lines := []string{`{"type":"session","id":"s-1"}`, `{"type":"message","message":{"role":"user","content":"1"}}`, `{"type":"mess`, `{"type":"message","message":{"role":"user","content":"2"}}`}
	path := file(t, lines...)
	w := openWriter(t, path, writeOptions())
	if r := w.Repair(); r == nil || r.DroppedLines != 1 || r.QuarantinePath == "" {
		t.Fatalf("%+v", r)
	}
	put(t, w, answer("3"))
	if got := branchOf(t, path); len(got) != 3 || len(linesOf(t, path)) != 4 {
		t.Errorf("branch %q", got)
	}
	path = file(t, lines...)
	if _, err := NewAppender(path, writeOptions()).Append(t.Context(), user("3")); err != nil {
		t.Fatal(err)
	}
	if got := branchOf(t, path); len(got) != 3 || len(linesOf(t, path)) != 4 || !strings.Contains(linesOf(t, path)[0], `"version":3`) {
		t.Errorf("branch %q of\n%q", got, linesOf(t, path))
	}
}

// D-15: a file without a header gets one before something is appended to it.
func TestHeaderMade(t *testing.T) {
	path := file(t, hi, hey)
	put(t, openWriter(t, path, writeOptions()), user("on"))
	if got := linesOf(t, path); len(got) != 4 || !strings.HasPrefix(got[0], `{"type":"session"`) || got[1] != hi {
		t.Errorf("%q", got)
	}
}
