package hygeia

import (
	"regexp"
	"strings"
	"testing"

	"hygeia/check"
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// No answer shows a word that stands for a value, and each has the places and ids
// that the change tells.
func TestAnswerText(t *testing.T) {
	call := transcript.NewBlock(transcript.TypeToolCall).With("id", jsonline.Text("call|1"))
	open := regexp.MustCompile(`[.\[](?:N|M)\b|(?:^|[^A-Za-z-])(?:N|M|X|L|NAME|MODEL)(?:[^A-Za-z-]|$)`)
	for rule, families := range answers {
		for family, id := range families {
			r := check.Lookup(id)
			if r == nil {
				t.Fatalf("%s %s: no rule %s", rule, family, id)
			}
			if len(r.Messages) == 0 {
				continue
			}
			for _, c := range []*hygiene.Change{{Rule: rule, Message: 3, Block: 1, Before: call}, {Rule: rule, Message: -1, Block: -1}} {
				text := answerText(r.Messages[0], c, c.Message, "gpt-5.1")
				if open.MatchString(text) || strings.Contains(text, ": ID") {
					t.Errorf("%s %s: %s", rule, id, text)
				}
			}
		}
	}
	for _, c := range []struct{ rule, answer, want string }{
		{"R-60", "AN-08", "messages.3.content.1.tool_use.id: String should match pattern"},
		{"R-61", "MI-01", "Tool call id was call|1 but must be"},
		{"R-80", "OR-06", "Invalid 'input[3].id': 'call|1'. Expected an ID that begins with"},
		{"R-60", "CC-05", "but got a string with length 6 instead"},
		{"W-120", "AN-27", "line 1 column … (char …)"},
		{"R-72", "OR-03", "No tool output found for function call call."},
		{"R-72", "AN-03", "messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: call|1."},
	} {
		text := answerText(check.Lookup(c.answer).Messages[0], &hygiene.Change{Rule: c.rule, Message: 3, Block: 1, Before: call}, 3, "m")
		if !strings.Contains(text, c.want) {
			t.Errorf("%s %s: %s", c.rule, c.answer, text)
		}
	}
}

// A change is answered by what the provider has against what is stored: nothing
// against an id that only the policy has something against, and against a
// stand-in that there are two results.
func TestExplainedAnswer(t *testing.T) {
	const call = `[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"toolCall","id":"ID","name":"f","arguments":{}}]},`
	const result = `{"role":"toolResult","toolCallId":"ID","toolName":"f","content":[{"type":"text","text":"ok"}]},{"role":"user","content":"r"}]`
	const standIn = `{"role":"toolResult","toolCallId":"ID","toolName":"f","content":[{"type":"text","text":"No result provided"}],"isError":true},`
	claude, bedrock := targets[1], Target{Provider: "amazon-bedrock", Model: "anthropic.claude-sonnet-4-5-20250929-v1:0"}
	gpt := Target{Provider: "openai", API: "openai-completions", Model: "gpt-4o"}
	for _, c := range []struct {
		list, id, rule string
		target         Target
		answer         string
	}{
		{call + result, "call_1", "R-60", claude, ""},
		{call + result, "call.1", "R-60", claude, "AN-08"},
		{call + result, "call_1", "R-60", bedrock, ""},
		{call + result, "call.1", "R-60", bedrock, "BR-10"},
		{call + result, "call.1", "R-60", gpt, ""},
		{call + result, strings.Repeat("x", 41), "R-60", gpt, "CC-05"},
		{call + result, "a b", "R-60", Target{Provider: "google", Model: "gemini-2.5-flash"}, ""},
		{call + standIn + result, "toolu_1", "R-72", claude, "AN-07"},
		{call + standIn + result, "call1", "R-72", bedrock, "BR-05"},
		{call + `{"role":"user","content":"r"}]`, "toolu_1", "R-72", claude, "AN-03"},
	} {
		in, err := Read(strings.NewReader(strings.ReplaceAll(c.list, "ID", c.id)), "list", OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := in.Replay(c.target, ReplayOptions{})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, e := range r.Explain() {
			if e.Change.Rule != c.rule {
				continue
			}
			found = true
			if answer := e.Answer; c.answer == "" && answer != nil || c.answer != "" && (answer == nil || answer.ID != c.answer) {
				t.Errorf("%s %q at %s: answered with %+v, not %q", c.rule, c.id, c.target.Provider, answer, c.answer)
			}
		}
		if !found {
			t.Errorf("%s %q at %s: no such change", c.rule, c.id, c.target.Provider)
		}
	}
}
