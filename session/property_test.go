package session

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hygeia/transcript"
)

type failer interface {
	Helper()
	Errorf(format string, args ...any)
}

// checkRead asserts what holds for every file, whatever is in it: reading ends,
// says the same twice, gives every entry an id of its own, puts every problem on
// a line, and no path holds an entry twice (F-B12, F-B13, G-3).
func checkRead(t failer, file []byte) *Session {
	t.Helper()
	s, err := Read(bytes.NewReader(file), "x.jsonl", Options{})
	again, err2 := Read(bytes.NewReader(file), "x.jsonl", Options{})
	if fmt.Sprint(err) != fmt.Sprint(err2) {
		t.Errorf("%v, then %v", err, err2)
	}
	if err != nil {
		if strings.ContainsAny(err.Error(), "\r\n") {
			t.Errorf("error of more than one line: %q", err)
		}
		return nil
	}
	if d := cmp.Diff(s.Problems(), again.Problems()); d != "" {
		t.Errorf("other problems the second time:\n%s", d)
	}
	count := bytes.Count(file, []byte("\n")) + 1
	for _, p := range s.Problems() {
		if p.Line < 1 || p.Last < p.Line || p.Last > count || p.Rule == "" || p.Reason == "" {
			t.Errorf("problem without a place: %+v", p)
		}
	}
	for i, n := range s.nodes {
		hops := 0
		for up := n.up; up != none && s.nodes[up].kind != canonical; up = s.nodes[up].up {
			hops++
		}
		if hops > 1 {
			t.Errorf("record %d is %d records away from its parent: walking branches is not linear (G-6)", i, hops)
		}
	}
	ids := map[string]bool{}
	for _, e := range s.Entries() {
		if e.ID == "" || e.Type == transcript.EntrySession {
			continue
		}
		if ids[e.ID] {
			t.Errorf("two entries %q", e.ID)
		}
		ids[e.ID] = true
	}
	for _, tip := range s.Branches() {
		checkBranch(t, s, tip.Leaf)
	}
	checkBranch(t, s, "")
	return s
}

func checkBranch(t failer, s *Session, leaf string) {
	t.Helper()
	b, err := s.Branch(leaf)
	if err != nil {
		t.Errorf("branch %q: %v", leaf, err)
		return
	}
	seen := map[*transcript.Entry]bool{}
	for _, e := range b.Entries() {
		if seen[e] {
			t.Errorf("branch %q holds %q twice", leaf, e.ID)
		}
		seen[e] = true
	}
	for _, m := range b.Context().Messages {
		if o := m.Origin; o.Position < 0 || o.Position >= len(b.Entries()) || b.Entries()[o.Position].ID != o.Entry {
			t.Errorf("branch %q: origin %+v", leaf, o)
		}
	}
}

// chain is a generated conversation without branches: one line for each message,
// with its token in the text.
type chain struct {
	lines []string
	ids   []string
	token []string
}

var pieces = rapid.SampledFrom([]string{"plain", " ", `\"`, `\\`, "{", "}", "[", "],", `\n`, "ü", "語", `\ud83d`, `{\"type\":\"message\",`, ":"})

func drawChain(t *rapid.T) chain {
	var c chain
	parent := "null"
	for i := range rapid.IntRange(1, 12).Draw(t, "messages") {
		id, token := fmt.Sprintf("id%d", i), fmt.Sprintf("token-%d.", i)
		text := token + strings.Join(rapid.SliceOfN(pieces, 0, 6).Draw(t, "text"), "")
		message := fmt.Sprintf(`{"role":"user","content":"%s"}`, text)
		if i%2 == 1 {
			message = fmt.Sprintf(`{"role":"assistant","content":[{"type":"text","text":"%s"},{"type":"toolCall","id":"t","name":"f","arguments":{}}]}`, text)
		}
		c.lines = append(c.lines, fmt.Sprintf(`{"type":"message","id":"%s","parentId":%s,"timestamp":"2026-03-01T10:00:00.000Z","message":%s}`, id, parent, message))
		c.ids, c.token = append(c.ids, id), append(c.token, token)
		parent = `"` + id + `"`
	}
	return c
}

// damage harms line i. It reports whether the message can no longer be there.
type damage func(t *rapid.T, c *chain, i int) (lost bool)

func cutAt(t *rapid.T, c *chain, i int) int {
	return rapid.IntRange(1, len(c.lines[i])-1).Draw(t, "at")
}

// harms are the ways in which files go bad. Those of relinking make no branch
// unless there are two of them; then the context may do without a message.
var harms = map[string]damage{
	"cut": func(t *rapid.T, c *chain, i int) bool {
		c.lines[i] = c.lines[i][:cutAt(t, c, i)] + "\n"
		return true
	},
	"head gone": func(t *rapid.T, c *chain, i int) bool {
		c.lines[i] = c.lines[i][cutAt(t, c, i):] + "\n"
		return true
	},
	"glued": func(t *rapid.T, c *chain, i int) bool { return false },
	"NULs in front": func(t *rapid.T, c *chain, i int) bool {
		c.lines[i] = strings.Repeat("\x00", 3) + c.lines[i] + "\n"
		return false
	},
	"written twice": func(t *rapid.T, c *chain, i int) bool {
		c.lines[i] = c.lines[i][:cutAt(t, c, i)] + c.lines[i] + "\n"
		return false
	},
	"broken": func(t *rapid.T, c *chain, i int) bool {
		at := strings.Index(c.lines[i], c.token[i]) + len(c.token[i])
		c.lines[i] = c.lines[i][:at] + "\n\n" + c.lines[i][at:] + "\n"
		return false
	},
	"a note inside": func(t *rapid.T, c *chain, i int) bool {
		// Whoever writes it knows nothing of the message, which says already where it hangs.
		from := strings.Index(c.lines[i], `"timestamp"`)
		at, parent := rapid.IntRange(from, len(c.lines[i])-1).Draw(t, "at"), "null"
		if i > 0 {
			parent = `"` + c.ids[i-1] + `"`
		}
		note := fmt.Sprintf(`{"type":"custom","id":"note%d","parentId":%s,"customType":"x"}`, i, parent)
		c.lines[i] = c.lines[i][:at] + "\n" + note + "\n" + c.lines[i][at:] + "\n"
		return false
	},
	"id of another": func(t *rapid.T, c *chain, i int) bool {
		other := c.ids[rapid.IntRange(0, i).Draw(t, "other")]
		c.lines[i] = strings.Replace(c.lines[i], `"id":"`+c.ids[i], `"id":"`+other, 1) + "\n"
		return false
	},
	"parent missing": func(t *rapid.T, c *chain, i int) bool { return reparent(c, i, "gone") },
	"parent behind": func(t *rapid.T, c *chain, i int) bool {
		return reparent(c, i, c.ids[rapid.IntRange(i, len(c.ids)-1).Draw(t, "other")])
	},
	"rubbish behind": func(t *rapid.T, c *chain, i int) bool {
		c.lines[i] += "\n" + rapid.StringMatching(`[^\n{]{0,12}`).Draw(t, "rubbish") + "\n"
		return false
	},
	"blank": func(t *rapid.T, c *chain, i int) bool {
		c.lines[i] += "\r\n \t\r\n"
		return false
	},
}

func reparent(c *chain, i int, id string) bool {
	at := strings.Index(c.lines[i], `"parentId":`)
	end := at + strings.IndexByte(c.lines[i][at:], ',')
	c.lines[i] = c.lines[i][:at] + `"parentId":"` + id + `"` + c.lines[i][end:] + "\n"
	return false
}

// drawHarm draws a conversation and harms some of its lines. It says which
// messages can no longer be there, which may be there twice, since the next line
// may happen to end the first of them, and how often links were changed.
func drawHarm(t *rapid.T) (c chain, lost, twice map[int]bool, relinking int) {
	c, lost, twice = drawChain(t), map[int]bool{}, map[int]bool{}
	names := slices.Sorted(maps.Keys(harms))
	for i := range c.lines {
		if !rapid.Bool().Draw(t, "harmed") {
			c.lines[i] += "\n"
			continue
		}
		name := rapid.SampledFrom(names).Draw(t, "harm")
		lost[i] = harms[name](t, &c, i)
		twice[i] = name == "written twice"
		if name == "id of another" || name == "parent behind" {
			relinking++
		}
	}
	return c, lost, twice, relinking
}

// F-B01, F-B12, F-B13, D-18, F-B11: whatever happens to some lines of a
// conversation, every other message is there once, and in the context.
func TestDamageKeepsTheRest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, lost, twice, relinking := drawHarm(t)
		file := `{"type":"session","version":3,"id":"s"}` + "\n" + strings.Join(c.lines, "")
		s := checkRead(t, []byte(file))
		if s == nil {
			t.Fatalf("refused: %q", file)
		}
		var stored, context []byte
		for _, e := range s.Entries() {
			if e.Message != nil {
				stored = e.Message.AppendJSON(stored)
			}
		}
		for _, m := range s.active.Context().Messages {
			context = m.AppendJSON(context)
		}
		for i, token := range c.token {
			n, shown := bytes.Count(stored, []byte(token)), bytes.Count(context, []byte(token))
			if n > 1 && !twice[i] || shown > n || !lost[i] && (n == 0 || shown == 0 && relinking < 2) {
				t.Errorf("message %d is there %d times and %d times in the context\n%s", i, n, shown, file)
			}
		}
	})
}

// F-20…F-24, F-B13: links of every kind, forward, circular, to nothing.
func TestLinksOfEveryKind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkRead(t, drawLinks(t)) })
}

// linkMessages are messages about which repair has rules, and others.
var linkMessages = []string{
	`{"role":"user","content":"x"}`, `{"role":"user","content":"x"}`, `{"content":"no role"}`,
	`{"role":"user","content":" "}`,
	`{"role":"assistant","content":[],"stopReason":"error"}`,
	`{"role":"assistant","api":"openai-chatgpt-responses","provider":"openai","content":[{"type":"toolCall","id":"t1","name":"f"},{"type":"toolCall","id":"t2","name":"g"}]}`,
	`{"role":"assistant","api":"openai-codex-responses","provider":"openai","content":[{"type":"toolCall","id":"t3","name":"f"}]}`,
	`{"role":"assistant","api":"openai-responses","provider":"openai","content":[{"type":"toolCall","id":"t4","name":"message"}]}`,
	`{"role":"assistant","provider":"openclaw","model":"delivery-mirror","content":[{"type":"text","text":"x"}]}`,
	`{"role":"toolResult","toolCallId":"t1","content":[{"type":"text","text":"x"}]}`,
}

func drawLinks(t *rapid.T) []byte {
	n := rapid.IntRange(0, 14).Draw(t, "entries")
	id := func(label string) string { return fmt.Sprint("e", rapid.IntRange(0, n).Draw(t, label)) }
	rest := map[string]func() string{
		"message": func() string { return `"message":{"role":"user","content":"x"}` },
		"custom": func() string {
			return `"customType":"` + rapid.SampledFrom([]string{"k", RejectedThinking}).Draw(t, "custom") + `","data":{"entryId":"` + id("rejected") + `"}`
		},
		"label":      func() string { return `"targetId":"` + id("target") + `","label":"l"` },
		"compaction": func() string { return `"summary":"s","firstKeptEntryId":"` + id("kept") + `"` },
		"future":     func() string { return `"x":1` },
		"leaf":       func() string { return `"targetId":"` + id("target") + `","appendParentId":"` + id("append") + `"` },
		"session":    func() string { return `"version":3` },
	}
	types := slices.Sorted(maps.Keys(rest))
	var file strings.Builder
	file.WriteString(`{"type":"session","version":3,"id":"s"}` + "\n")
	for range n {
		typ := rapid.SampledFrom(types).Draw(t, "type")
		parent := rapid.SampledFrom([]string{`,"parentId":null`, `,"parentId":"` + id("parent") + `"`, "", `,"parentId":7`}).Draw(t, "link")
		side := rapid.SampledFrom([]string{"", `,"appendMode":"side"`}).Draw(t, "side")
		line := `{"type":"` + typ + `","id":"` + id("id") + `"` + parent + side + "," + rest[typ]()
		file.WriteString(line + rapid.SampledFrom([]string{"}\n", "}\n", "\n"}).Draw(t, "end"))
	}
	return []byte(file.String())
}

func FuzzRead(f *testing.F) {
	for _, a := range archives(f, "testdata") {
		f.Add(a.input(f))
	}
	f.Fuzz(func(t *testing.T, file []byte) { checkRead(t, file) })
}
