package google_test

import (
	"strings"
	"testing"

	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/google"
	"hygeia/payload/internal/buildtest"
	"hygeia/policy"
	"hygeia/transcript"
)

const (
	silent  = `[{"role":"user","content":"q"}]`
	thought = `[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","thinkingSignature":"QUJD"},{"type":"text","text":"A"}]},{"role":"user","content":"r"}]`
	behind  = `[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"text","text":"A"},{"type":"thinking","thinking":"t","thinkingSignature":"QUJD"}]},{"role":"user","content":"r"}]`
	openRun = `[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","thinkingSignature":"QUJD"},{"type":"text","text":"A"}]},{"role":"user","content":"r"},{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"read","arguments":{}}]},{"role":"toolResult","toolCallId":"a","content":"ok"}]`
	caller  = `[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"read","arguments":{}},{"type":"thinking","thinking":"t","thinkingSignature":"QUJD"}]},{"role":"toolResult","toolCallId":"a","content":"ok"}]`
	thinker = `[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"u"},{"type":"thinking","thinking":"t","thinkingSignature":"QUJD"},{"type":"toolCall","id":"a","name":"read","arguments":{}}]},{"role":"toolResult","toolCallId":"a","content":"ok"},{"role":"user","content":"r"}]`
)

// What a request says about thinking, for every kind of model. Goes tells
// whether the signed thinking of the list goes out.
func TestThinking(t *testing.T) {
	for _, c := range []struct {
		target   string
		level    payload.Level
		limit    int
		messages string
		want     string // generationConfig
		goes     bool
		note     string // of the report, a part of it
		rules    string
	}{
		{"google/gemini-3-pro", "", 0, thought, `{"maxOutputTokens":32000}`, true, "", "D-38"},
		{"google/gemini-3-pro", "high", 0, silent, `{"maxOutputTokens":32000,"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"high"}}`, false, "", "W-621"},
		{"google/gemini-3-pro", "low", 0, silent, `{"maxOutputTokens":32000,"thinkingConfig":{"includeThoughts":true,"thinkingLevel":"low"}}`, false, "", "W-621"},
		{"google/gemini-3-pro", "off", 0, thought, `{"maxOutputTokens":32000,"thinkingConfig":{"thinkingLevel":"low"}}`, true, "as low as it can be", "W-621: the lowest level"},
		{"google/gemini-2.5-pro", "medium", 100, silent, `{"maxOutputTokens":100,"thinkingConfig":{"includeThoughts":true,"thinkingBudget":8192}}`, false, "", "W-621"},
		{"google/gemini-2.5-pro", "off", 0, silent, `{"maxOutputTokens":32000,"thinkingConfig":{"thinkingBudget":128}}`, false, "as low as it can be", "W-621, GG-19"},
		{"google/gemini-2.5-computer-use", "off", 0, silent, `{"maxOutputTokens":32000}`, false, "stays on", "GG-19"},
		{"google/gemini-2.5-flash", "off", 0, silent, `{"maxOutputTokens":32000,"thinkingConfig":{"thinkingBudget":0}}`, false, "", "W-621"},
		{"google/gemini-2.5-flash", "max", 0, silent, `{"maxOutputTokens":32000,"thinkingConfig":{"includeThoughts":true,"thinkingBudget":24576}}`, false, "", "W-621, GG-19: in range"},
		{"google/gemini-2.0-flash", "high", 0, silent, `{"maxOutputTokens":8192}`, false, "does not reason", "D-38, GG-19"},
		{"google/gemini-2.0-flash", "off", 0, silent, `{"maxOutputTokens":8192}`, false, "", "D-38"},
		{"google-antigravity/gpt-oss-120b", "low", 0, silent, `{"maxOutputTokens":8192,"thinkingConfig":{"includeThoughts":true,"thinkingBudget":2048}}`, false, "", "W-621"},

		{"google-antigravity/claude-sonnet-4-5", "", 0, silent, `{"maxOutputTokens":32000}`, false, "", "D-38: no thinking would go out"},
		{"google-antigravity/claude-sonnet-4-5", "", 0, thought, `{"maxOutputTokens":40192,"thinkingConfig":{"includeThoughts":true,"thinkingBudget":8192}}`, true, "", "D-31, D-38"},
		{"google-antigravity/claude-sonnet-4-5", "", 0, behind, `{"maxOutputTokens":32000}`, false, "", "D-38, W-219"},
		{"google-antigravity/claude-sonnet-4-5", "", 0, openRun, `{"maxOutputTokens":32000}`, false, "W-218", "W-218, W-214"},
		{"google-antigravity/claude-sonnet-4-5", "", 0, thinker, `{"maxOutputTokens":40192,"thinkingConfig":{"includeThoughts":true,"thinkingBudget":8192}}`, true, "", "W-218: text behind results ends no round"},
		{"google-antigravity/claude-sonnet-4-5", "high", 0, caller, `{"maxOutputTokens":32000}`, false, "W-218", "W-218: thinking behind the call"},
		{"google-antigravity/claude-sonnet-4-5", "off", 0, thought, `{"maxOutputTokens":32000}`, false, "", "W-214"},
		{"google-antigravity/claude-sonnet-4-5", "high", 100, silent, `{"maxOutputTokens":16484,"thinkingConfig":{"includeThoughts":true,"thinkingBudget":16384}}`, false, "", "AN-21"},
		{"google-antigravity/claude-3-5-haiku", "high", 0, thought, `{"maxOutputTokens":8192}`, false, "does not reason", "D-38, W-214"},
		{"google-antigravity/claude-opus-4-6", "", 0, behind, `{"maxOutputTokens":40192,"thinkingConfig":{"includeThoughts":true,"thinkingBudget":8192}}`, true, "", "D-38: W-219 is not for adaptive thinking"},
		{"google-antigravity/claude-opus-4-6", "low", 0, openRun, `{"maxOutputTokens":34048,"thinkingConfig":{"includeThoughts":true,"thinkingBudget":2048}}`, true, "", "W-218 is not for adaptive thinking"},
		{"google-antigravity/claude-opus-5-5", "off", 0, thought, `{"maxOutputTokens":32000}`, true, "stays on", "W-216"},
	} {
		target, err := policy.ParseTarget(c.target)
		if err != nil {
			t.Fatal(err)
		}
		in := buildtest.Input(target)
		in.Messages = buildtest.Messages(t, c.messages)
		in.Options.Thinking, in.Options.MaxTokens = c.level, c.limit
		body, err := google.Build(in)
		if err != nil {
			t.Fatal(err)
		}
		o := jsonline.Parse(body).Object()
		if r := o.Get("request"); r.Exists() {
			o = r.Object()
		}
		if got := string(o.Get("generationConfig").Raw); got != c.want {
			t.Errorf("%s %q (%s): got %s, want %s", c.target, c.level, c.rules, got, c.want)
		}
		if got := strings.Contains(string(body), `{"thought":true,"text":"t","thoughtSignature":"QUJD"}`); got != c.goes {
			t.Errorf("%s %q (%s): thinking goes out: %v", c.target, c.level, c.rules, got)
		}
		if notes := strings.Join(in.Report.Notes, "\n"); c.note == "" && notes != "" || !strings.Contains(notes, c.note) {
			t.Errorf("%s %q (%s): notes %q", c.target, c.level, c.rules, notes)
		}
		for _, f := range findings(body, in) {
			t.Errorf("%s %q: %s", c.target, c.level, f)
		}
	}
}

// W-621: a profile names levels that only some Gemini 3 know, and the smallest
// budget.
func TestThinkingOfProfile(t *testing.T) {
	for want, w := range map[string]policy.Wire{
		`"thinkingLevel":"medium"`: {ThinkingLevel: true, Efforts: map[string]string{"low": "medium"}},
		`"thinkingBudget":4096`:    {ThinkingFloor: 4096},
	} {
		in := buildtest.Input(policy.Target{Provider: "google", Model: "gemini-3-flash"})
		in.Policy, in.Messages = &policy.Policy{Model: in.Policy.Model, Wire: w}, buildtest.Messages(t, silent)
		in.Options.Thinking = payload.ThinkLow
		if body, err := google.Build(in); err != nil || !strings.Contains(string(body), want) {
			t.Errorf("%v %s: no %s", err, body, want)
		}
	}
}

// Options that cannot be sent are an error.
func TestErrors(t *testing.T) {
	in := buildtest.Input(policy.Target{Provider: "google", Model: "gemini-3-pro"})
	in.Options.Thinking = "deep"
	if _, err := google.Build(in); err == nil || err.Error() != `unknown thinking level "deep"` {
		t.Error(err)
	}
	in.Options = payload.Options{Tools: jsonline.Parse([]byte(`{}`))}
	if _, err := google.Build(in); err == nil || err.Error() != "tools: want a JSON array, found object" {
		t.Error(err)
	}
}

// G-6: a schema that is nested very deep costs no more than its length.
func TestDeepSchema(t *testing.T) {
	const deep = 9000
	schema := strings.Repeat(`{"type":"array","items":`, deep) + `{"type":"string"}` + strings.Repeat(`}`, deep)
	for model, want := range map[string]int{"gemini-3-pro": deep, "claude-sonnet-4-5": 33} {
		in := buildtest.Input(policy.Target{Provider: "google-antigravity", Model: model})
		in.Options.Tools = jsonline.Parse([]byte(`[{"functionDeclarations":[{"name":"f","parameters":` + schema + `}]}]`))
		body, err := google.Build(in)
		if n := strings.Count(string(body), `"items"`); err != nil || n != want || !jsonline.Valid(body) {
			t.Errorf("%s: %d levels, %v", model, n, err)
		}
	}
}

// W-176: a name of the answer is mapped back by the same input.
func TestNames(t *testing.T) {
	for model, want := range map[string]string{"gemini-3-pro": "fs.read", "claude-sonnet-4-5": "fs_read_4074bc02"} {
		in := buildtest.Input(policy.Target{Provider: "google-antigravity", Model: model})
		in.Options.Tools = jsonline.Parse([]byte(`[{"functionDeclarations":[{"name":"fs.read"}]}]`))
		in.Messages = []*transcript.Message{transcript.NewText(transcript.User, "hi")}
		in.Names = &payload.Names{}
		if _, err := google.Build(in); err != nil {
			t.Fatal(err)
		}
		names := in.Names
		if got := names.Wire("fs.read"); got != want || names.Original(got) != "fs.read" {
			t.Errorf("%s: %q", model, got)
		}
	}
}
