package hygeia

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"hygeia/check"
	"hygeia/policy"
)

// sanitizeCases are a body without and one with a finding for each API, and what
// becomes of the second.
var sanitizeCases = []struct {
	target               Target
	good, bad, rule, has string
}{
	{
		Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-opus-4-6"},
		`{"model":"claude-opus-4-6","max_tokens":100 ,"messages":[{"role":"user","content":"q"}] , "xFuture":1.0}`,
		`{"model":"claude-opus-4-6","max_tokens":100,"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":"go on"}],"xFuture":1.0}`,
		"R-72", `"tool_use_id":"toolu_1"`,
	},
	{
		Target{Provider: "openai", API: "openai-completions", Model: "gpt-4o"},
		`{"model":"gpt-4o","messages":[{"role":"user","content":"q"}] , "xFuture":1.0}`,
		`{"model":"gpt-4o","messages":[{"role":"user","content":"q"},{"role":"tool","tool_call_id":"call_9","content":"lost"},{"role":"user","content":"go on"}],"xFuture":1.0}`,
		"R-73", `go on`,
	},
	{
		Target{Provider: "openai", API: "openai-responses", Model: "gpt-5.1"},
		`{"model":"gpt-5.1","input":[{"role":"user","content":"q"}] , "xFuture":1.0}`,
		`{"model":"gpt-5.1","input":[{"role":"user","content":"q"},{"type":"function_call","call_id":"call_1","name":"f","arguments":"{}"},{"role":"user","content":"go on"}],"xFuture":1.0}`,
		"R-72", `"output":"aborted"`,
	},
	{
		Target{Provider: "amazon-bedrock", API: "bedrock-converse-stream", Model: "anthropic.claude-sonnet-4-5-20250929-v1:0"},
		`{"messages":[{"role":"user","content":[{"text":"q"}]}] , "xFuture":1.0}`,
		`{"messages":[{"role":"user","content":[{"text":"q"},{"text":" "}]}],"xFuture":1.0}`,
		"R-30", `"q"`,
	},
}

// TestSanitizeBody is D-39: a body without a finding comes back as it is, the
// same bytes; in another one every finding is gone and members that nobody knows
// are there.
func TestSanitizeBody(t *testing.T) {
	for _, c := range sanitizeCases {
		good, err := SanitizeBody([]byte(c.good), c.target, SanitizeOptions{})
		if err != nil || good.Changed() || good.Report != nil || string(good.Body) != c.good {
			t.Errorf("%s: %v %+v", c.target.API, err, good)
		}
		bad, err := SanitizeBody([]byte(c.bad), c.target, SanitizeOptions{})
		if err != nil {
			t.Errorf("%s: %v", c.target.API, err)
			continue
		}
		if !bad.Changed() || bad.Report.Counts()[c.rule] == 0 || !strings.Contains(string(bad.Body), c.has) || !strings.Contains(string(bad.Body), `"xFuture":1.0`) {
			t.Errorf("%s: %v %s", c.target.API, bad.Report.Counts(), bad.Body)
		}
		if left, err := check.Payload(bad.Body, bad.Target, check.Options{}); err != nil || len(left) > 0 {
			t.Errorf("%s: %v %v", c.target.API, err, left)
		}
	}
}

// TestSanitizeUnknownKeys is D-39 too: a member that nobody knows is a finding
// but no reason to change anything.
func TestSanitizeUnknownKeys(t *testing.T) {
	body := []byte(`{"model":"claude-opus-4-6","max_tokens":9,"messages":[{"role":"user","content":[{"type":"text","text":"q","future":1}]}]}`)
	s, err := SanitizeBody(body, Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-opus-4-6"}, SanitizeOptions{})
	if err != nil || s.Changed() || len(s.Findings) != 1 || s.Findings[0].Rule != "AN-35" {
		t.Errorf("%v %+v", err, s)
	}
}

// TestSanitizeCount counts tokens of a damaged body, which has no output limit
// and gets none.
func TestSanitizeCount(t *testing.T) {
	target := Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-opus-4-6"}
	for _, body := range []string{
		`{"model":"claude-opus-4-6","messages":[{"role":"user","content":"q"}]}`,
		`{"model":"claude-opus-4-6","messages":[{"role":"user","content":"q"}],"thinking":{"type":"enabled","budget_tokens":4000}}`,
		strings.Replace(sanitizeCases[0].bad, `"max_tokens":100,`, ``, 1),
	} {
		s, err := SanitizeBody([]byte(body), target, SanitizeOptions{Count: true})
		if err != nil || bytes.Contains(s.Body, []byte("max_tokens")) || s.Changed() && s.Report.Counts()["W-207"] > 0 {
			t.Errorf("%v %s", err, s.Body)
		}
		if s.Changed() != strings.Contains(body, "toolu_1") {
			t.Errorf("%s becomes %s", body, s.Body)
		}
	}
}

// TestSanitizeRemedy is W-901 and W-902: what a provider refused to read goes
// from all turns, though the rulebook finds nothing in the body.
func TestSanitizeRemedy(t *testing.T) {
	for _, c := range []struct {
		target                    Target
		body, answer, gone, stays string
	}{
		{
			sanitizeCases[0].target,
			`{"model":"claude-opus-4-6","max_tokens":100,"thinking":{"type":"adaptive"},"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"RXFzaWduYXR1cmU="},{"type":"text","text":"a"}]},{"role":"user","content":"go on"}]}`,
			"messages.1.content.0: Invalid `signature` in `thinking` block", `"signature"`, `"text":"a"`,
		},
		{
			sanitizeCases[2].target,
			`{"model":"gpt-5.1","store":false,"include":["reasoning.encrypted_content"],"input":[{"role":"user","content":"q"},{"type":"reasoning","summary":[],"encrypted_content":"gAAA"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a","annotations":[]}]},{"role":"user","content":"go on"}]}`,
			`{"error":{"code":"invalid_encrypted_content","message":"The encrypted content could not be verified."}}`, `gAAA`, `"text":"a"`,
		},
	} {
		remedy, _ := FindRemedy(c.answer)
		if remedy == nil {
			t.Fatalf("no remedy for %s", c.answer)
		}
		first, err := SanitizeBody([]byte(c.body), c.target, SanitizeOptions{})
		if err != nil || first.Changed() {
			t.Fatalf("%v %+v", err, first.Findings)
		}
		s, err := SanitizeBody([]byte(c.body), c.target, SanitizeOptions{Remedy: remedy})
		if err != nil || !s.Changed() || strings.Contains(string(s.Body), c.gone) || !strings.Contains(string(s.Body), c.stays) {
			t.Errorf("%v %v %s", err, s.Report.Counts(), s.Body)
		}
	}
}

// TestSanitizeHostile reads bodies that are none: an error, no panic.
func TestSanitizeHostile(t *testing.T) {
	for _, api := range []string{"anthropic-messages", "openai-completions", "openai-responses", "google-generative-ai", "bedrock-converse-stream"} {
		res, err := policy.Resolve(Target{API: api, Model: "m"}, policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, body := range []string{"", "null", "[]", "{}", `{"messages":7}`, `{"messages":`, strings.Repeat("[", 20_000), `{"messages":` + strings.Repeat(`[`, 9_000) + strings.Repeat(`]`, 9_000) + `}`} {
			if s, err := sanitizeBody([]byte(body), res, SanitizeOptions{}); err == nil && !json.Valid(s.Body) && body != string(s.Body) {
				t.Errorf("%s: %.50q becomes %.50q", api, body, s.Body)
			}
		}
	}
}
