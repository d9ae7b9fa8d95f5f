package session

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rotated writes lines behind a header, rotates the file, and returns the
// successor and its text.
func rotated(t *testing.T, lines ...string) (*Rotation, []string) {
	t.Helper()
	head := `{"type":"session","version":3,"id":"s-1","timestamp":"2026-03-01T09:00:00.000Z","cwd":"/srv/app","extra":1.0}`
	path := file(t, append([]string{head}, lines...)...)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	w := openWriter(t, path, writeOptions())
	r, err := w.Rotate()
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || !bytes.Equal(text, before) {
		t.Errorf("the old file changed: %v", err)
	}
	got := linesOf(t, r.Path)
	wantHead := fmt.Sprintf(`{"type":"session","version":3,"id":%q,"timestamp":"2026-03-01T10:00:00.000Z","cwd":"/srv/app","extra":1.0,"parentSession":%q}`, r.SessionID, path)
	if got[0] != wantHead {
		t.Errorf("header %s\nwant   %s", got[0], wantHead)
	}
	if want := filepath.Join(filepath.Dir(path), "2026-03-01T10-00-00-000Z_"+r.SessionID+".jsonl"); r.Path != want {
		t.Errorf("successor %s, want %s", r.Path, want) // F-02
	}
	if r.Kept != len(got)-1 || r.Kept+r.Left != len(lines) {
		t.Errorf("%d records kept, %d left; there were %d, and are %d", r.Kept, r.Left, len(lines), len(got)-1)
	}
	return r, got[1:]
}

func said(id, parent, role, text string) string {
	if parent != "null" {
		parent = fmt.Sprintf("%q", parent)
	}
	return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":"2026-03-01T09:00:00.000Z","message":{"role":%q,"content":[{"type":"text","text":%q}],"big":12345678901234567890}}`,
		id, parent, role, text)
}

func entryLine(typ, id, parent, more string) string {
	if parent != "null" {
		parent = fmt.Sprintf("%q", parent)
	}
	return fmt.Sprintf(`{"type":%q,"id":%q,"parentId":%s,"timestamp":"2026-03-01T09:00:00.000Z"%s}`, typ, id, parent, more)
}

func idsOf(t *testing.T, lines []string) (ids []string) {
	t.Helper()
	for _, line := range lines {
		ids = append(ids, entryOf(t, line).ID)
	}
	return ids
}

// C-08: what goes into a successor, and what stays behind.
func TestRotate(t *testing.T) {
	r, got := rotated(t,
		entryLine("model_change", "d1", "null", `,"provider":"p","modelId":"old"`),
		said("a1", "d1", "user", "first"),
		entryLine("custom_message", "h1", "a1", `,"customType":"hint","display":true,"content":"early hint"`),
		said("a2", "h1", "assistant", "summed up"),
		said("x1", "a2", "user", "another branch"),
		said("a3", "a2", "user", "second"),
		entryLine("thinking_level_change", "t1", "a3", `,"thinkingLevel":"low"`),
		entryLine("model_change", "d2", "t1", `,"provider":"p","modelId":"new"`),
		`{"type":"message","id":"a4","parentId":"d2","timestamp":"2026-03-01T09:00:00.000Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"f","arguments":{}}],"stopReason":"toolUse"}}`,
		`{"type":"message","id":"a5","parentId":"a4","timestamp":"2026-03-01T09:00:00.000Z","message":{"role":"toolResult","toolCallId":"c1","toolName":"f","content":[{"type":"text","text":"r"}]}}`,
		entryLine("custom_message", "h2", "a5", `,"customType":"hint","display":true,"content":"late hint"`),
		entryLine("label", "l1", "h2", `,"targetId":"a1","label":"gone"`),
		entryLine("label", "l2", "l1", `,"targetId":"a6","label":"here"`),
		entryLine("future", "o1", "l2", `,"x":1`),
		said("a6", "o1", "user", "kept"),
		entryLine("custom", "n1", "a6", `,"customType":"note"`),
		entryLine("session_info", "i1", "n1", `,"name":"old name"`),
		entryLine("session_info", "i2", "i1", `,"name":"garden"`),
		entryLine("thinking_level_change", "t2", "i2", `,"thinkingLevel":"high"`),
		entryLine("compaction", "k1", "t2", `,"summary":"s","firstKeptEntryId":"a6","tokensBefore":5`),
		said("a7", "k1", "assistant", "behind"),
		entryLine("model_change", "d3", "a7", `,"provider":"p","modelId":"newest"`),
	)
	want := []string{"h1", "x1", "d2", "a4", "a5", "l2", "o1", "a6", "n1", "i2", "t2", "k1", "a7", "d3"}
	if d := cmp.Diff(want, idsOf(t, got)); d != "" {
		t.Errorf("records (-want +got)\n%s", d)
	}
	s, err := Load(r.Path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"k1", "a6", "a7"}, origins(s.context.Messages)); d != "" {
		t.Errorf("context (-want +got)\n%s", d)
	}
	if s.Name() != "garden" || s.Label("a6") != "here" || s.context.ThinkingLevel != "high" || s.Leaf() != "d3" {
		t.Errorf("name %q, label %q, level %q, leaf %q", s.Name(), s.Label("a6"), s.context.ThinkingLevel, s.Leaf())
	}
	if route := s.active.Route(); route.Model != "newest" {
		t.Errorf("route %v", route)
	}
	if got[slices.Index(want, "a6")] != said("a6", "o1", "user", "kept") {
		t.Error("a record that did not change is not the same to the byte") // G-7
	}
	if p := entryOf(t, got[slices.Index(want, "x1")]).Parent; p != "h1" {
		t.Errorf("the other branch hangs from %q", p)
	}
	w := openWriter(t, r.Path, writeOptions())
	put(t, w, user("and on"))
	if ids := branchOf(t, r.Path); ids[len(ids)-2] != "d3" {
		t.Errorf("what comes next does not go on from the end: %v", ids)
	}
}

// F-23, F-B29: what hangs from the active branch stands behind that, notes stay on
// it, and so does what somebody went on from beside the conversation.
func TestRotateBranches(t *testing.T) {
	side := strings.Replace(said("m1", "a3", "assistant", "mirrored"), `"parentId":"a3"`, `"parentId":"a3","appendMode":"side"`, 1)
	r, got := rotated(t,
		said("a1", "null", "user", "first"),
		said("a2", "a1", "assistant", "second"),
		entryLine("custom", "n1", "a2", `,"customType":"note"`),
		said("a3", "n1", "user", "third"),
		entryLine("custom", "n2", "a3", `,"customType":"note"`),
		side,
		said("x1", "n2", "user", "another branch"),
		entryLine("custom", "x2", "x1", `,"customType":"note"`),
		entryLine("leaf", "f1", "x2", `,"targetId":"n2"`),
		said("a4", "f1", "assistant", "fourth"),
		entryLine("custom", "n3", "a4", `,"customType":"note"`),
		entryLine("compaction", "k1", "n3", `,"summary":"s","firstKeptEntryId":"a3","tokensBefore":5`),
	)
	if d := cmp.Diff([]string{"a2", "n1", "a3", "n2", "m1", "x1", "x2", "a4", "n3", "k1"}, idsOf(t, got)); d != "" {
		t.Errorf("records (-want +got)\n%s", d)
	}
	if d := cmp.Diff([]string{"a2", "n1", "a3", "n2", "a4", "n3", "k1"}, branchOf(t, r.Path)); d != "" {
		t.Errorf("branch (-want +got)\n%s", d)
	}
}

// Somebody went on from a row beside the conversation: it is on the branch now,
// and stays there.
func TestRotateSide(t *testing.T) {
	r, got := rotated(t,
		said("a1", "null", "user", "first"),
		strings.Replace(said("m1", "a1", "assistant", "mirrored"), `"parentId":"a1"`, `"parentId":"a1","appendMode":"side"`, 1),
		said("a2", "a1", "assistant", "second"),
		said("a3", "m1", "user", "third"),
		entryLine("compaction", "k1", "a3", `,"summary":"s","firstKeptEntryId":"a1","tokensBefore":5`),
	)
	if d := cmp.Diff([]string{"a1", "a2", "m1", "a3", "k1"}, idsOf(t, got)); d != "" {
		t.Errorf("records (-want +got)\n%s", d)
	}
	if d := cmp.Diff([]string{"a1", "m1", "a3", "k1"}, branchOf(t, r.Path)); d != "" {
		t.Errorf("branch (-want +got)\n%s", d)
	}
}

// C-08: what stays of what was summed up is the last turn that a model said, and
// its results, not those of earlier ones.
func TestRotateAnswer(t *testing.T) {
	call := func(id, parent string) string {
		return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%q,"timestamp":"2026-03-01T09:00:00.000Z","message":{"role":"assistant","content":[{"type":"toolCall","id":"c-%s","name":"f","arguments":{}}],"stopReason":"toolUse"}}`, id, parent, id)
	}
	result := func(id, parent, of string) string {
		return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%q,"timestamp":"2026-03-01T09:00:00.000Z","message":{"role":"toolResult","toolCallId":"c-%s","toolName":"f","content":[{"type":"text","text":"r"}]}}`, id, parent, of)
	}
	mirrored := strings.Replace(said("m1", "r2", "assistant", "mirrored"), `"big"`, `"provider":"openclaw","model":"delivery-mirror","big"`, 1)
	_, got := rotated(t,
		said("a1", "null", "user", "first"),
		call("b1", "a1"), result("r1", "b1", "b1"),
		call("b2", "r1"), result("r2", "b2", "b2"),
		mirrored,
		said("a2", "m1", "user", "second"),
		entryLine("compaction", "k1", "a2", `,"summary":"s","firstKeptEntryId":"a2","tokensBefore":5`),
	)
	if d := cmp.Diff([]string{"b2", "r2", "a2", "k1"}, idsOf(t, got)); d != "" {
		t.Errorf("records (-want +got)\n%s", d)
	}
}

// F-B29: a note that begins the branch, or stands where others part from it, stays
// on it.
func TestRotateNotesFirst(t *testing.T) {
	for name, parent := range map[string]string{"roots": "null", "below a note": "n1"} {
		r, _ := rotated(t,
			entryLine("custom", "n1", "null", `,"customType":"note"`),
			entryLine("custom", "n2", "n1", `,"customType":"note"`),
			said("a1", "n2", "user", "first"),
			said("x1", parent, "user", "another branch"),
			said("a2", "a1", "assistant", "second"),
			entryLine("compaction", "k1", "a2", `,"summary":"s","firstKeptEntryId":"n1","tokensBefore":5`),
		)
		if d := cmp.Diff([]string{"n1", "n2", "a1", "a2", "k1"}, branchOf(t, r.Path)); d != "" {
			t.Errorf("%s: branch (-want +got)\n%s", name, d)
		}
	}
}

// What is wrong with a file without being damage to repair stays so, and is no
// reason to keep it whole (F-B14).
func TestRotateOddTime(t *testing.T) {
	r, _ := rotated(t,
		said("a1", "null", "user", "first"),
		said("a2", "a1", "assistant", "second"),
		`{"type":"custom_message","id":"h1","parentId":"a2","timestamp":"soon","customType":"hint","display":true,"content":"hint"}`,
		entryLine("compaction", "k1", "h1", `,"summary":"s","firstKeptEntryId":"a2","tokensBefore":5`),
	)
	if got := origins(contextOf(t, r.Path).Messages); !slices.Equal(got, []string{"k1", "a2", "h1"}) {
		t.Errorf("context %v", got)
	}
}

// C-05, C-08: behind a hard boundary nothing of what was summed up stays.
func TestRotateHard(t *testing.T) {
	_, got := rotated(t,
		said("a1", "null", "user", "first"),
		said("a2", "a1", "assistant", "second"),
		entryLine("message", "a3", "a2", `,"message":{"role":"toolResult","toolCallId":"c","content":[]}`),
		entryLine("compaction", "k1", "a3", `,"summary":"s","firstKeptEntryId":"k1","tokensBefore":5`),
	)
	if want := []string{entryLine("compaction", "k1", "null", `,"summary":"s","firstKeptEntryId":"k1","tokensBefore":5`)}; !slices.Equal(got, want) {
		t.Errorf("got %s", got)
	}
}

// C-08: signatures in front of the compaction are stale and go, items of a
// Responses API are no signatures and stay, those behind stay.
func TestRotateSignatures(t *testing.T) {
	thinking := func(id, parent, more string) string {
		return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%q,"timestamp":"2026-03-01T09:00:00.000Z","message":{"role":"assistant","content":[%s],"stopReason":"stop"}}`, id, parent, more)
	}
	const (
		signed = `{"type":"thinking","thinking":"hm","thinkingSignature":"c2lnbmVk","n":1.0}`
		sealed = `{"type":"redacted_thinking","data":"c2VhbGVk"}`
		item   = `{"type":"thinking","thinking":"","thinkingSignature":"{\"type\":\"reasoning\",\"id\":\"rs_1\"}"}`
		call   = `{"type":"toolCall","id":"c1","name":"f","arguments":{},"thoughtSignature":"c2lnbmVk"}`
	)
	_, got := rotated(t,
		said("a1", "null", "user", "first"),
		said("a2", "a1", "user", "second"),
		thinking("a3", "a2", signed+","+sealed+","+item+","+call),
		entryLine("compaction", "k1", "a3", `,"summary":"s","firstKeptEntryId":"a2","tokensBefore":5`),
		thinking("a4", "k1", signed),
	)
	want := []string{
		said("a2", "null", "user", "second"),
		thinking("a3", "a2", `{"type":"thinking","thinking":"hm","n":1.0},{"type":"redacted_thinking"},`+item+","+call),
		entryLine("compaction", "k1", "a3", `,"summary":"s","firstKeptEntryId":"a2","tokensBefore":5`),
		thinking("a4", "k1", signed),
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// C-08, C-B02: the compaction names an entry that is in the successor.
func TestRotateFirstKept(t *testing.T) {
	for name, c := range map[string]struct{ first, want string }{
		"a message":        {"a2", "a2"},
		"a stale entry":    {"d1", "a2"},
		"an unknown entry": {"nowhere", "a2"},
		"another branch":   {"x1", "a2"},
	} {
		t.Run(name, func(t *testing.T) {
			r, _ := rotated(t,
				said("a1", "null", "user", "first"),
				said("x1", "a1", "user", "another branch"),
				entryLine("model_change", "d1", "a1", `,"provider":"p","modelId":"old"`),
				said("a2", "d1", "user", "second"),
				entryLine("model_change", "d2", "a2", `,"provider":"p","modelId":"new"`),
				said("a3", "d2", "assistant", "third"),
				entryLine("compaction", "k1", "a3", fmt.Sprintf(`,"summary":"s","firstKeptEntryId":%q,"tokensBefore":5`, c.first)),
			)
			s, err := Load(r.Path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			k := s.entries[len(s.entries)-1]
			if got := k.Get("firstKeptEntryId").String(); got != c.want {
				t.Errorf("kept from %s, want %s", got, c.want)
			}
			if got := origins(s.context.Messages); !slices.Equal(got, []string{"k1", "a2", "a3"}) {
				t.Errorf("context %v", got)
			}
		})
	}
}

// up to where a provider rejected thinking is the same in the successor,
// where the turn that was named is not there any more.
func TestRotateRejected(t *testing.T) {
	rejection := func(id string) string {
		return entryLine("custom", "n1", "a5", fmt.Sprintf(`,"customType":"hygeia.rejected-thinking","data":{"entryId":%q,"x":1}`, id))
	}
	r, got := rotated(t,
		said("a1", "null", "user", "first"),
		said("a2", "a1", "assistant", "second"),
		said("x1", "a1", "user", "retried"),
		said("a3", "a2", "user", "third"),
		said("a4", "a3", "assistant", "fourth"),
		entryLine("compaction", "k1", "a4", `,"summary":"s","firstKeptEntryId":"a4","tokensBefore":5`),
		said("a5", "k1", "user", "fifth"),
		rejection("a3"),
		said("a6", "n1", "assistant", "sixth"),
	)
	if want := rejection("a2"); !slices.Contains(got, want) {
		t.Errorf("not in the successor: %s\n%s", want, strings.Join(got, "\n"))
	}
	s, err := Load(r.Path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := rejected(s.context); n != 0 {
		t.Errorf("the thinking of %d messages is rejected", n)
	}
}

// C-08, C-B04: names and labels are in the successor what they are in the file, also
// where the last word was said beside the active branch, or on it but before the
// other.
func TestRotateLastWord(t *testing.T) {
	for name, c := range map[string]struct {
		lines       []string
		name, label string
	}{
		"late notes": {[]string{
			entryLine("session_info", "i1", "k1", `,"name":"old name"`),
			entryLine("label", "l1", "i1", `,"targetId":"a2","label":"old label"`),
			said("a3", "l1", "user", "third"),
			entryLine("session_info", "i2", "a1", `,"name":"new name"`), // F-B29
			entryLine("label", "l2", "a1", `,"targetId":"a2","label":"new label"`),
		}, "new name", "new label"},
		"another branch": {[]string{
			entryLine("session_info", "i1", "k1", `,"name":"old name"`),
			said("x1", "a2", "user", "tried"),
			entryLine("session_info", "i2", "x1", `,"name":"new name"`),
			entryLine("label", "l2", "i2", `,"targetId":"a2","label":"new label"`),
			said("a3", "i1", "user", "third"),
		}, "new name", "new label"},
		"on the branch in front of what another hangs from": {[]string{
			entryLine("session_info", "i0", "a1", `,"name":"old name"`),
			entryLine("session_info", "i1", "k1", `,"name":"new name"`),
			said("x1", "i1", "user", "tried"),
			said("a3", "i1", "user", "third"),
		}, "new name", ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t, append([]string{
				`{"type":"session","version":3,"id":"s-1","timestamp":"2026-03-01T09:00:00.000Z","cwd":"/srv/app"}`,
				said("a1", "null", "user", "first"),
				said("a2", "a1", "assistant", "second"),
				entryLine("compaction", "k1", "a2", `,"summary":"s","firstKeptEntryId":"a2","tokensBefore":5`),
			}, c.lines...)...)
			r, err := openWriter(t, path, writeOptions()).Rotate()
			if err != nil {
				t.Fatal(err)
			}
			s, err := Load(r.Path, Options{})
			if err != nil || s.Name() != c.name || s.Label("a2") != c.label || s.Leaf() != "a3" {
				t.Errorf("%q, %q, leaf %s, %v", s.Name(), s.Label("a2"), s.Leaf(), err)
			}
		})
	}
}

// C-B04: a successor that would not say the same is not left behind. Here the
// name of the session was given beside the active branch, but later than by the
// entry at which that ends.
func TestRotateProof(t *testing.T) {
	path := file(t,
		`{"type":"session","version":3,"id":"s-1","timestamp":"2026-03-01T09:00:00.000Z","cwd":"/srv/app"}`,
		said("a1", "null", "user", "first"),
		said("a2", "a1", "assistant", "second"),
		entryLine("compaction", "k1", "a2", `,"summary":"s","firstKeptEntryId":"a2","tokensBefore":5`),
		said("a3", "k1", "user", "third"),
		entryLine("session_info", "i1", "a3", `,"name":"old name"`),
		entryLine("session_info", "i2", "a1", `,"name":"new name"`), // F-B29
	)
	w := openWriter(t, path, writeOptions())
	if _, err := w.Rotate(); !errors.Is(err, ErrProof) || !strings.Contains(err.Error(), `"old name"`) {
		t.Errorf("error %v", err)
	}
	if list, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.jsonl*")); err != nil || len(list) != 2 {
		t.Errorf("beside the file and its lock: %v", list)
	}
}

// A session that was never compacted has nothing to leave behind.
func TestRotateNothing(t *testing.T) {
	w := openWriter(t, file(t, strings.Split(strings.TrimSpace(talk("u10 a10")), "\n")...), writeOptions())
	if _, err := w.Rotate(); !errors.Is(err, ErrNotCompacted) {
		t.Errorf("error %v", err)
	}
	w = openWriter(t, filepath.Join(t.TempDir(), "new.jsonl"), writeOptions())
	if _, err := w.Rotate(); !errors.Is(err, ErrNotCompacted) {
		t.Errorf("new session: %v", err)
	}
}

// The proof finds what is missing or different (C-B04).
func TestRotationProves(t *testing.T) {
	text := talk("u10 a10 u10 a10 k3 u10 d n")
	whole := filepath.Join(t.TempDir(), "s-1.jsonl")
	if err := os.WriteFile(whole, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	w := openWriter(t, whole, writeOptions())
	r := &rotation{Session: w.read, b: w.read.active, c: w.read.active.compaction()}
	if err := r.mark(); err != nil {
		t.Fatal(err)
	}
	var good bytes.Buffer
	if err := r.write(&good, []byte(`{"type":"session","version":3,"id":"s-2","timestamp":"2026-03-01T09:00:00.000Z"}`+"\n")); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(lines []string) []string{
		"a record less": func(l []string) []string { return slices.Delete(l, 4, 5) },
		"another text":  func(l []string) []string { l[2] = strings.Replace(l[2], "text 3", "text 9", 1); return l },
		"another parent": func(l []string) []string {
			l[6] = strings.Replace(l[6], `"parentId":"e6"`, `"parentId":"e3"`, 1)
			return l
		},
		"another id":        func(l []string) []string { l[7] = strings.Replace(l[7], `"id":"e8"`, `"id":"e9"`, 1); return l },
		"a torn line":       func(l []string) []string { l[7] = l[7][:20]; return l },
		"another summary":   func(l []string) []string { l[4] = strings.Replace(l[4], "summary 5", "summary", 1); return l },
		"another beginning": func(l []string) []string { l[4] = strings.Replace(l[4], `"e3"`, `"e4"`, 1); return l },
		"nothing":           func(l []string) []string { return nil },
	} {
		path := filepath.Join(t.TempDir(), "s-2.jsonl")
		lines := change(strings.Split(strings.TrimSpace(good.String()), "\n"))
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := r.prove(path); !errors.Is(err, ErrProof) {
			t.Errorf("%s: %v\n%s", name, err, strings.Join(lines, "\n"))
		}
	}
	path := filepath.Join(t.TempDir(), "s-2.jsonl")
	if err := os.WriteFile(path, good.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := r.prove(path); err != nil {
		t.Error(err)
	}
}
