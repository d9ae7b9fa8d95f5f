package hygeia_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hygeia"
	"hygeia/check"
	"hygeia/policy"
)

// TestFindRemedy looks at answers as providers give them (W-901, W-902, W-904).
func TestFindRemedy(t *testing.T) {
	for _, test := range []struct {
		text, rule      string
		known, thinking bool
	}{
		{"messages.3.content.0: Invalid `signature` in `thinking` block", "AN-20", true, true},
		{"This model does not support assistant message prefill. The conversation must end with a user message.", "AN-14", true, false},
		{"upstream says: Tool call id was abc but must be a-z, A-Z, 0-9, with a length of 9.", "MI-01", true, false},
		{"the redacted_thinking of turn 4 is missing something", "W-901", true, true},
		{`{"code":"thinking_signature_invalid"}`, "W-902", true, true},
		{"encrypted content of item 3 could not be decrypted", "W-902", true, true},
		{"max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for x-1", "AN-24", true, false},
		{"messages: at least one message is required", "", true, false},
		{"the moon is full", "", false, false},
		{"Overloaded", "", false, false},
	} {
		r, known := hygeia.FindRemedy(test.text)
		if known != test.known || (r == nil) != (test.rule == "") || r != nil && (r.Rule != test.rule || r.Thinking != test.thinking) {
			t.Errorf("%q: %+v, known %t; want %s, thinking %t, known %t", test.text, r, known, test.rule, test.thinking, test.known)
		}
	}
}

// TestRevise holds that what a remedy revises is what this replay sees alone.
func TestRevise(t *testing.T) {
	tr, err := hygeia.Read(strings.NewReader(`[{"role":"user","content":"a"},{"role":"user","content":"b"}]`), "t", hygeia.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	target := hygeia.Target{Provider: "openai", API: "openai-completions", Model: "gpt-4o"}
	size := func(revise func(*policy.Policy)) int {
		r, err := tr.Replay(target, hygeia.ReplayOptions{Revise: revise})
		if err != nil {
			t.Fatal(err)
		}
		return len(r.Messages)
	}
	remedy, _ := hygeia.FindRemedy("Conversation roles must alternate user/assistant/user/assistant/...")
	if remedy == nil {
		t.Fatal("no remedy")
	}
	if a, b, c := size(nil), size(remedy.Revise), size(nil); a != 2 || b != 1 || c != 2 {
		t.Errorf("%d, revised %d, again %d turns", a, b, c)
	}
}

// TestSmallerOutput holds that the limit that an answer names is taken.
func TestSmallerOutput(t *testing.T) {
	remedy, _ := hygeia.FindRemedy(`{"message":"max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for x-1"}`)
	var p policy.Policy
	if remedy == nil {
		t.Fatal("no remedy")
	}
	if remedy.Revise(&p); p.Model.MaxOutputTokens != 8192 {
		t.Errorf("the limit is %d", p.Model.MaxOutputTokens)
	}
	if remedy, _ := hygeia.FindRemedy("max_tokens: Field required"); remedy != nil {
		t.Errorf("%+v", remedy)
	}
}

// TestEveryRemedy holds that each remedy can be asked for: an answer in the words of
// its rule leads to it, and it changes the policy or leaves thinking out.
func TestEveryRemedy(t *testing.T) {
	remedies := 0
	for _, r := range check.Rules() {
		for _, m := range r.Messages {
			remedy, known := hygeia.FindRemedy(m)
			if len(m) > 45 && !known {
				t.Errorf("%s: %q is not known", r.ID, m)
			}
			if remedy == nil {
				continue
			}
			remedies++
			var p policy.Policy
			remedy.Revise(&p)
			var q policy.Policy
			q.AllowSyntheticToolResults, q.RepairToolUseResultPairing, q.Model.Images, q.Model.Reasoning = true, true, true, true
			q.Wire.ReasoningEffort, q.SystemTurns = "reasoning_effort", true
			q.Wire.DeveloperRole, q.Wire.CacheMarkers, q.Wire.FunctionResponseImages, q.Wire.StoreItems = true, true, true, true
			was := q
			remedy.Revise(&q)
			if !remedy.Thinking && cmp.Equal(p, policy.Policy{}) && cmp.Equal(q, was) {
				t.Errorf("%s: %s changes nothing", remedy.Rule, remedy.Title)
			}
		}
	}
	if remedies < 90 {
		t.Errorf("only %d answers have a remedy", remedies)
	}
}
