package hygeia

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/check"
	"hygeia/internal/jsonline"
	"hygeia/policy"
)

// growing cuts a body behind each of its turns.
func growing(body []byte) [][]byte {
	t := spansOf(body)
	var cuts [][]byte
	for _, turn := range t.list {
		cuts = append(cuts, append(bytes.Clone(body[:turn.end]), body[t.end:]...))
	}
	return cuts
}

// TestPrefixGenerated lets conversations grow turn by turn, some turns spoiled on
// the way: where the memory says that a body is clean, the rulebook finds nothing
// in the whole of it (G-9: the answer does not depend on what was asked before).
// A check has a whole conversation, so it is none of the properties of test.sh;
// for more of them:
//
//	go test -run Generated . -rapid.checks=8000
func TestPrefixGenerated(t *testing.T) {
	known, asked := 0, 0
	defer func() {
		if known == 0 || known == asked {
			t.Errorf("%d of %d clean bodies were recognised", known, asked)
		}
		t.Logf("%d of %d clean bodies were recognised", known, asked)
	}()
	rapid.Check(t, func(t *rapid.T) {
		whole, res := anyConversation(t)
		m, own := &memo{}, owner{target: res.Target}
		for _, body := range growing(whole) {
			if rapid.IntRange(0, 3).Draw(t, "spoil") == 0 {
				body = spoil(t, body)
			}
			clean := m.recall(own, body, res, ReplayOptions{}) != nil
			findings, err := check.Payload(body, own.target, check.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if clean && len(findings) > 0 {
				t.Fatalf("to %+v: %+v is overlooked in\n%s", own.target, findings[0], body)
			}
			if len(findings) > 0 {
				continue
			}
			asked++
			if clean {
				known++
			} else {
				m.learn(own, body, &Sanitized{Body: body})
			}
		}
	})
}

// spoil puts a fault into the last turn of a body: ids of other turns, blank text,
// another role, a turn that was there before, a member that changes.
func spoil(t *rapid.T, body []byte) []byte {
	s := spansOf(body)
	last := s.list[len(s.list)-1]
	turn := body[last.start:last.end]
	before := s.list[rapid.IntRange(0, len(s.list)-1).Draw(t, "before")]
	switch rapid.SampledFrom([]string{"repeat", "id", "blank", "role", "half", "mark", "rest"}).Draw(t, "fault") {
	case "repeat":
		turn = body[before.start:before.end]
	case "id":
		for _, name := range []string{"id", "call_id", "tool_use_id"} {
			old := jsonline.ParseObject(turn).Get(name)
			if other := jsonline.ParseObject(body[before.start:before.end]).Get(name); old.Exists() && other.Exists() {
				turn = bytes.Replace(turn, old.Raw, other.Raw, 1)
			}
		}
	case "blank":
		turn = bytes.Replace(turn, []byte(`"text":"`), []byte(`"text":" ","x":"`), 1)
	case "role":
		turn = bytes.Replace(turn, []byte(`"role":"assistant"`), []byte(`"role":"user"`), 1)
	case "half":
		turn = bytes.Replace(turn, []byte(`"text":"`), []byte(`"text":"\ud800`), 1)
	case "mark":
		turn = bytes.Replace(turn, []byte(`"type":"text"`), []byte(`"type":"text","cache_control":{"type":"ephemeral"}`), 1)
	case "rest":
		return bytes.Replace(body, []byte(`"thinking":{"type":"adaptive"}`), []byte(`"thinking":{"type":"disabled"}`), 1)
	}
	return append(append(bytes.Clone(body[:last.start]), turn...), body[last.end:]...)
}

// conversation returns a body of n rounds of Anthropic Messages without findings.
func conversation(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"model":"claude-opus-4-6","max_tokens":100,"messages":[`)
	for i := range n {
		fmt.Fprintf(&b, `{"role":"user","content":"question %d %s"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_%d","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_%d","content":"%s"}]},{"role":"assistant","content":"done"},`,
			i, strings.Repeat("words ", 100), i, i, strings.Repeat("result ", 200))
	}
	b.WriteString(`{"role":"user","content":"go on"}]}`)
	return b.Bytes()
}

// TestPrefix remembers a conversation from turn to turn, and nothing across
// callers, targets or what stands around the turns.
func TestPrefix(t *testing.T) {
	res, err := policy.Resolve(Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-opus-4-6"}, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, own := &memo{}, owner{1, res.Target}
	known := func(o owner, body []byte) bool { return m.recall(o, body, res, ReplayOptions{}) != nil }
	cuts := growing(conversation(30))
	hits := 0
	for i, body := range cuts {
		if known(own, body) {
			hits++
		} else if f, _ := check.Payload(body, res.Target, check.Options{}); len(f) == 0 {
			m.learn(own, body, &Sanitized{Body: body})
		}
		if i > 40 && i%4 == 0 { // ends in a user turn
			p := m.of(own)[0]
			if len(body)-p.from > 8000 || !known(own, body) {
				t.Fatalf("turn %d: %d of %d bytes are looked at", i, len(body)-p.from, len(body))
			}
			for name, other := range map[string]owner{
				"another caller": {2, res.Target}, "another model": {1, Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-sonnet-4-5"}},
			} {
				if known(other, body) {
					t.Errorf("%s profits", name)
				}
			}
			if known(own, bytes.Replace(body, []byte(`]}`), []byte(`],"thinking":{"type":"adaptive"}}`), 1)) || known(own, append(bytes.TrimSuffix(body, []byte("}")), `,"x":1}`...)) {
				t.Error("another frame is taken for the same")
			}
		}
	}
	if hits < len(cuts)/3 {
		t.Errorf("%d of %d bodies were recognised", hits, len(cuts))
	}
}

// TestPrefixBounds forgets what was not used longest.
func TestPrefixBounds(t *testing.T) {
	m, p := &memo{}, newPrefix(conversation(10))
	for i := range maxPrefixes + 10 {
		m.put(&entry{owner: owner{uint64(i % 500), Target{}}, prefix: p})
		if n := m.newest.Len(); n > maxPrefixes {
			t.Fatalf("%d conversations are remembered", n)
		}
		for _, owned := range m.prefixes {
			if owned.Len() > maxOwned {
				t.Fatalf("%d of one owner", owned.Len())
			}
			break
		}
	}
	if len(m.prefixes) != 500 || m.newest.Len() != maxPrefixes {
		t.Errorf("%d owners, %d conversations", len(m.prefixes), m.newest.Len())
	}
	for range maxOwned + 5 {
		m.put(&entry{owner: owner{7, Target{}}, prefix: p})
	}
	if m.prefixes[owner{7, Target{}}].Len() != maxOwned {
		t.Errorf("%d of one owner", m.prefixes[owner{7, Target{}}].Len())
	}
}

// TestCallers tells callers apart by any of their credentials.
func TestCallers(t *testing.T) {
	seen := map[uint64]string{}
	for _, c := range [][2]string{{"", ""}, {"Authorization", "a"}, {"Authorization", "b"}, {"X-Api-Key", "a"}, {"Api-Key", "a"}, {"X-Goog-Api-Key", "a"}, {"Cookie", "a"}, {"query", "a"}} {
		r, _ := http.NewRequest(http.MethodPost, "http://localhost/", nil)
		if c[0] == "query" {
			r.URL.RawQuery = "key=a"
		} else if c[0] != "" {
			r.Header.Set(c[0], c[1])
		}
		id := callerOf(r)
		if who := seen[id]; who != "" {
			t.Errorf("%v is taken for %s", c, who)
		}
		seen[id] = fmt.Sprint(c)
	}
}
