package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// F-44: out of band a file is begun with a header, entries go on from its end
// with full ids, and a delivered row behind a side entry is one, too.
func TestAppender(t *testing.T) {
	path := filepath.Join(t.TempDir(), "dir", "s-1.jsonl")
	a := NewAppender(path, writeOptions())
	add := func(e *transcript.Entry) string {
		t.Helper()
		id, err := a.Append(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	first := add(user("hi"))
	told := add(mirror("told"))
	side := add(mirror("seen").With("appendMode", jsonline.Text("side")))
	second := add(mirror("seen again"))
	last := add(user("on"))
	got := linesOf(t, path)
	if got[0] != head || len(first) != 36 || strings.Contains(got[2], "side") || !strings.Contains(got[4], `"parentId":"`+side+`"`) || !strings.Contains(got[4], `"appendMode":"side"`) {
		t.Errorf("%q", got)
	}
	if got := fmt.Sprint(branchOf(t, path)); got != "["+first+" "+told+" "+last+"]" || second == "" {
		t.Errorf("branch %s", got)
	}
	if list, _ := os.ReadDir(filepath.Dir(path)); len(list) != 1 {
		t.Errorf("left %v", list)
	}
}

// G-6: an appender reads only what was added, whoever added it, and the whole
// file when that does not follow from the end.
func TestAppenderFollows(t *testing.T) {
	path := file(t, head, hi, hey)
	a := NewAppender(path, writeOptions())
	grows := func(want bool, text string) {
		t.Helper()
		appendText(t, path, text)
		info, err := a.stat()
		if err != nil {
			t.Fatal(err)
		}
		if got := a.grown(info); got != want {
			t.Errorf("followed is %v after %s", got, text)
		}
		if _, err := a.Append(t.Context(), user("mine")); err != nil {
			t.Error(err)
		}
		s, err := Load(path, Options{})
		if err != nil || s.Leaf() != a.tail.leaf || s.Cursor() != a.tail.cursor {
			t.Errorf("leaf %s and %s, cursor %s and %s, %v", s.Leaf(), a.tail.leaf, s.Cursor(), a.tail.cursor, err)
		}
	}
	next := func(typ, id, more string) string {
		return fmt.Sprintf(`{"type":%q,"id":%q,"parentId":%q%s}`+"\n", typ, id, a.tail.cursor, more)
	}
	const hello = `,"message":{"role":"user","content":"x"}`
	if _, err := a.Append(t.Context(), user("mine")); err != nil {
		t.Fatal(err)
	}
	grows(true, next("message", "x1", hello))
	grows(true, next("message", "x2", hello+`,"appendMode":"side"`))
	grows(true, next("custom", "x3", ``))
	grows(true, next("future", "x4", ``))
	grows(true, next("leaf", "x5", `,"targetId":"b"`))
	grows(true, next("leaf", "x6", `,"targetId":null`))
	grows(false, next("leaf", "x7", `,"targetId":"a","appendParentId":"b"`))
	grows(false, next("leaf", "x8", `,"targetId":"zz"`))
	grows(false, `{"type":"message","id":"y1","parentId":"a"`+hello+"}\n")
	grows(false, `{"type":"custom","id":"y2","parentId":"a"}`+"\n")
	grows(false, `{"type":"message","id":"y3"`+hello+"}\n")
	grows(false, next("message", "a", hello))
	grows(false, strings.TrimSuffix(next("message", "y4", hello), "\n"))
}
