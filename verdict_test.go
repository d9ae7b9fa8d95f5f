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

// What is no message, or has a role or a content that no format has, is a finding
// in the words that fit it.
func TestCheckStrangers(t *testing.T) {
	claude, gpt := Target{Provider: "anthropic", Model: "claude-opus-4-6"}, Target{Provider: "openai", Model: "gpt-5.1"}
	qwen, gemini := Target{Provider: "vllm", Model: "qwen3"}, Target{Provider: "google", Model: "gemini-2.5-flash"}
	const asked = `{"role":"user","content":"q"},`
	for _, c := range []struct {
		list         string
		target       Target
		status       int
		rule, answer string
	}{
		{`[1,2]`, claude, 0, "R-B14", "message is no object"}, // an element each
		{`[` + asked + `1,{"role":"user","content":"r"}]`, gpt, 0, "R-B14", "message is no object"},
		{`[` + asked + `{"role":"wizard","content":"x"}]`, claude, 400, "AN-10", "messages.1.role: Input should be 'user' or 'assistant'"},
		{`[` + asked + `{"role":"wizard","content":"x"}]`, gpt, 400, "OR-13", "Invalid value: 'wizard'."},
		{`[` + asked + `{"role":"wizard","content":"x"}]`, qwen, 400, "CC-25", "Invalid value: 'wizard'."},
		{`[{"role":"user","content":7}]`, claude, 400, "AN-13", "messages.0.content: Input should be a valid list"},
		{`[{"role":"user","content":true}]`, qwen, 400, "CC-06", "Invalid type for 'messages[0].content'"},
		{`[{"role":"user","content":7}]`, gemini, 0, "R-20", "the content is neither a text nor a list"},
	} {
		findings := checked(t, c.list, c.target)
		if len(findings) == 0 || c.list == `[1,2]` && len(findings) != 2 {
			t.Errorf("%s at %s: %d findings", c.list, c.target.Provider, len(findings))
		}
		for _, f := range findings {
			if f.Rule != c.rule || f.Status != c.status || !strings.HasPrefix(f.Message, c.answer) || f.Path == "" {
				t.Errorf("%s at %s: %+v", c.list, c.target.Provider, f)
			}
		}
	}
	found := checked(t, `[`+asked+`{"role":"assistant","content":[{"type":"toolCall","id":"a.b","name":"f","arguments":{}}]},{"role":"toolResult","toolCallId":"a.b","toolName":"f","content":"ok"}]`, claude)
	if len(found) != 2 || !strings.HasPrefix(found[0].Message, "messages.1.content.0.tool_use.id:") || !strings.HasPrefix(found[1].Message, "messages.2.content.0.tool_result.tool_use_id:") {
		t.Errorf("the answers to an id that is not legal: %+v", found)
	}
}
