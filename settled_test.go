package hygeia

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hygeia/check"
	"hygeia/policy"
)

// TestSettledGenerated lets conversations grow that were spoiled at their
// beginning: what is recalled is what the engine makes of the whole body, byte for
// byte and rule for rule (G-3, G-9). For more checks see TestPrefixGenerated.
func TestSettledGenerated(t *testing.T) {
	recalled, asked := 0, 0
	grow := func(t *rapid.T) {
		body, res := anyConversation(t)
		cuts := growing(body)
		if len(cuts) < 3 {
			return
		}
		// The conversation itself is spoiled, so that each cut holds the fault.
		at := rapid.IntRange(0, len(cuts)/2).Draw(t, "at")
		bad := spoil(t, cuts[at])
		end, badEnd := spansOf(cuts[at]).end, spansOf(bad).end
		if end == 0 || badEnd == 0 {
			return
		}
		m, own := &memo{}, owner{target: res.Target}
		for i := at; i < len(cuts); i += 3 { // several turns at a time
			body = append(bytes.Clone(bad[:badEnd]), cuts[i][end:]...)
			got := m.recall(own, body, res, ReplayOptions{})
			want, err := sanitizeBody(body, res, SanitizeOptions{})
			if err != nil {
				continue
			}
			asked++
			if got == nil {
				if want.Changed() || len(want.Findings) == 0 {
					m.learn(own, body, want)
				}
				continue
			}
			if got.Changed() {
				recalled++
			}
			if d := cmp.Diff(string(want.Body), string(got.Body)); d != "" || got.Changed() != want.Changed() {
				t.Fatalf("to %+v: %s\nbody: %s\nchanges: %t", own.target, d, body, want.Changed())
			}
			if !maps.Equal(got.names, want.names) {
				t.Fatalf("tools go out as %v, not %v", got.names, want.names)
			}
			if got.Changed() && !cmp.Equal(got.Report.Counts(), want.Report.Counts()) {
				t.Fatalf("%v, not %v", got.Report.Counts(), want.Report.Counts())
			}
		}
	}
	for range 10 { // few conversations end in a recall
		if rapid.Check(t, grow); recalled > 0 {
			break
		}
	}
	if t.Logf("%d of %d bodies were recalled", recalled, asked); recalled == 0 {
		t.Error("none was")
	}
}

// anyConversation draws a body without faults and its target: a generated one, or
// one with many rounds.
func anyConversation(t *rapid.T) ([]byte, *policy.Resolution) {
	if rapid.Bool().Draw(t, "many rounds") {
		res, err := policy.Resolve(Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-opus-4-6"}, policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return conversation(rapid.IntRange(6, 14).Draw(t, "rounds")), res
	}
	tr := draw(t)
	in := &Transcript{Name: "generated", Format: FormatMessages, Context: tr.ctx}
	o := ReplayOptions{}
	o.Payload.System = strings.Repeat("Be brief. ", minPrefix/8)
	out, err := in.Replay(tr.target, o)
	if err != nil {
		t.Skip(err)
	}
	return out.Body, out.Resolution
}

// TestSettled recalls what became of a poisoned conversation from turn to turn.
func TestSettled(t *testing.T) {
	res, err := policy.Resolve(Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-opus-4-6"}, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, own := &memo{}, owner{1, res.Target}
	poisoned := bytes.Replace(conversation(30), []byte(`"tool_use_id":"toolu_3"`), []byte(`"tool_use_id":"toolu_gone"`), 1)
	recalled := 0
	for i, body := range growing(poisoned) {
		if i%4 != 0 || i < 20 {
			continue
		}
		want, err := sanitizeBody(body, res, SanitizeOptions{})
		if err != nil || !want.Changed() {
			t.Fatal(err, want)
		}
		switch got := m.recall(own, body, res, ReplayOptions{}); {
		case got == nil:
			m.learn(own, body, want)
		case !bytes.Equal(got.Body, want.Body) || !slices.Equal(rules(got), rules(want)):
			t.Errorf("turn %d: %s", i, cmp.Diff(string(want.Body), string(got.Body)))
		default:
			recalled++
		}
		if left, _ := check.Payload(want.Body, res.Target, check.Options{}); len(left) > 0 {
			t.Fatal(left)
		}
	}
	if recalled < 20 {
		t.Errorf("%d bodies were recalled", recalled)
	}
	if e := m.of(own)[0]; m.bytes != e.size() || m.bytes == 0 || e.made.report.Changes[0].Before != nil {
		t.Errorf("%d bytes are kept", m.bytes)
	}
}

// TestSettledNames holds that what is recalled of a conversation keeps the names of
// its tools (W-176), and that a tool which is called as another one went out leads to
// work on the whole body, as without memory.
func TestSettledNames(t *testing.T) {
	res, err := policy.Resolve(Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-opus-4-6"}, policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const first = `"id":"toolu_3","name":"`
	named := bytes.Replace(conversation(30), []byte(first+"f"), []byte(first+"my.tool/x"), 1)
	cuts := growing(named)
	made, err := sanitizeBody(cuts[40], res, SanitizeOptions{})
	if err != nil || len(made.names) != 1 {
		t.Fatal(err, made)
	}
	var wire string
	for name, own := range made.names {
		if wire = name; own != "my.tool/x" {
			t.Errorf("%q is %q", name, own)
		}
	}
	for name, recalled := range map[string]bool{"f": true, wire: false, "my.tool/x": false} {
		m, own := &memo{}, owner{1, res.Target}
		m.learn(own, cuts[40], made)
		last := []byte(`"id":"toolu_10","name":"`)
		body := bytes.Replace(cuts[44], append(bytes.Clone(last), 'f'), append(last, name...), 1)
		want, err := sanitizeBody(body, res, SanitizeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got := m.recall(own, body, res, ReplayOptions{})
		if (got != nil) != recalled {
			t.Errorf("with a call of %q the body is recalled: %t", name, got != nil)
		}
		if got != nil && (!bytes.Equal(got.Body, want.Body) || got.ToolName(wire) != "my.tool/x" || !maps.Equal(got.names, want.names)) {
			t.Errorf("with a call of %q tools go out as %v, not %v", name, got.names, want.names)
		}
	}
}

func rules(s *Sanitized) []string {
	var list []string
	for i := range s.Report.Changes {
		list = append(list, s.Report.Changes[i].Rule)
	}
	return list
}
