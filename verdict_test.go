package hygeia

import (
	"strings"
	"testing"
)

func checked(t *testing.T, list string, target Target) []Finding {
	t.Helper()
	in, err := Read(strings.NewReader(list), "list", OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	findings, err := in.Check(target, ReplayOptions{})
	if err != nil {
		t.Fatalf("to %+v: %v", target, err)
	}
	return findings
}

// What a session stores in a form of its own is nothing that a provider refuses
// (F-72); a role that no request knows is.
func TestCheckOwnForms(t *testing.T) {
	const rows = `[{"role":"compactionSummary","summary":"What was said.","tokensBefore":10},
{"role":"assistant","content":[{"type":"text","text":"one"}]},{"role":"branchSummary","summary":"x","fromId":"root"},
{"role":"assistant","content":[{"type":"text","text":"two"}]},{"role":"custom","customType":"note","content":"remember"},
{"role":"assistant","content":[{"type":"text","text":"three"}]},{"role":"bashExecution","command":"ls","output":"a\n"},
{"role":"bashExecution","command":"env","output":"x","excludeFromContext":true}]`
	for _, target := range everyAPI {
		if found := checked(t, rows, target); len(found) > 0 {
			t.Errorf("to %+v: %+v", target, found)
		}
	}
	found := checked(t, `[{"role":"user","content":"a"},{"role":"system","content":"b"}]`, Target{Provider: "anthropic", Model: "claude-sonnet-4-5"})
	if len(found) != 1 || found[0].Rule != "AN-10" || found[0].Path != "/1" {
		t.Errorf("a system row: %+v", found)
	}
}

// A late or missing result is found at the turn with the call (AN-03), also
// behind results that stand where they must.
func TestCheckNamesTheCall(t *testing.T) {
	const calls = `[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"f","arguments":{}},{"type":"toolCall","id":"c2","name":"f","arguments":{}}]},`
	const first = `{"role":"toolResult","toolCallId":"c1","toolName":"f","content":"r"}`
	const second = `{"role":"toolResult","toolCallId":"c2","toolName":"f","content":"r"}`
	const user = `{"role":"user","content":"b"}`
	for name, list := range map[string]string{
		"late":    calls + user + "," + first + "," + second + "]",
		"later":   calls + first + "," + user + "," + second + "]",
		"missing": calls + first + "," + user + "]",
	} {
		found := checked(t, list, Target{Provider: "anthropic", Model: "claude-sonnet-4-5"})
		if len(found) == 0 {
			t.Errorf("%s: nothing found", name)
		}
		for _, f := range found {
			if f.Rule != "AN-03" || f.Path != "/1" || !strings.HasPrefix(f.Message, "messages.1: ") {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}

// A list of nothing is a finding for every target: by the rule of its format,
// or W-006 where the rulebook has none (AN-31, BR-22, CC-14, GG-14, OR-22).
func TestCheckNothing(t *testing.T) {
	for _, target := range everyAPI {
		found := checked(t, `[]`, target)
		if len(found) != 1 || found[0].Message == "" || found[0].Path != "" {
			t.Errorf("to %+v: %+v", target, found)
			continue
		}
		want := "W-006"
		if rule := emptyList[found[0].Target.API]; rule != "" {
			want = rule
		}
		if found[0].Rule != want {
			t.Errorf("to %+v: %s, want %s", target, found[0].Rule, want)
		}
	}
	in, err := Read(strings.NewReader(`[]`), "list", OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	verdicts, err := in.Matrix(ReplayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range verdicts {
		if !v.Empty && len(v.Rules) == 0 {
			t.Errorf("%+v accepts nothing", v.Target)
		}
	}
}
