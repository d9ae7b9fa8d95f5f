package anthropicmessages_test

import (
	"fmt"
	"strings"
	"testing"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/anthropicmessages"
	"hygeia/payload/internal/buildtest"
)

const (
	thought = `[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","thinkingSignature":"U2ln"},{"type":"text","text":"A"}]},{"role":"user","content":"q"}]`
	silent  = `[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"text","text":"A"}]},{"role":"user","content":"q"}]`
	openRun = `[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","thinkingSignature":"U2ln"},{"type":"text","text":"A"}]},{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"read","arguments":{}}]},{"role":"toolResult","toolCallId":"a","content":"ok"}]`
	trailed = `[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","thinkingSignature":"U2ln"},{"type":"text","text":"A"}]}]`
)

// What a request says about thinking, for every kind of model. The last column
// tells whether the signed thinking of the list goes out (D-32, W-214).
func TestThinking(t *testing.T) {
	tests := []struct {
		target   string
		level    payload.Level
		limit    int
		messages string
		want     string
		goesOut  bool
		rules    string
	}{
		{"anthropic/claude-3-5-haiku-20241022", "high", 0, thought, ``, false, "D-38: the model does not reason"},
		{"anthropic/claude-sonnet-4-5", "", 0, thought, `"max_tokens":40192,"thinking":{"type":"enabled","budget_tokens":8192}`, true, "D-38"},
		{"anthropic/claude-sonnet-4-5", "", 0, silent, `"max_tokens":32000`, false, "D-38: no thinking would go out"},
		{"anthropic/claude-sonnet-4-5", "off", 0, thought, `"thinking":{"type":"disabled"}`, false, "W-214, W-216"},
		{"anthropic/claude-sonnet-4-5", "minimal", 0, silent, `"max_tokens":33024,"thinking":{"type":"enabled","budget_tokens":1024}`, false, "W-216"},
		{"anthropic/claude-sonnet-4-5", "low", 0, silent, `"max_tokens":34048,"thinking":{"type":"enabled","budget_tokens":2048}`, false, "W-216"},
		{"anthropic/claude-sonnet-4-5", "high", 0, silent, `"max_tokens":48384,"thinking":{"type":"enabled","budget_tokens":16384}`, false, "W-216"},
		{"anthropic/claude-sonnet-4-5", "max", 0, silent, `"max_tokens":64000,"thinking":{"type":"enabled","budget_tokens":32768}`, false, "W-216: up to the model's limit"},
		{"anthropic/claude-sonnet-4-5", "high", 100, silent, `"max_tokens":16484,"thinking":{"type":"enabled","budget_tokens":16384}`, false, "W-216, AN-21"},
		{"anthropic/claude-opus-4-1", "max", 0, silent, `"max_tokens":32000,"thinking":{"type":"enabled","budget_tokens":30976}`, false, "W-216, AN-21: below the limit"},
		{"anthropic/claude-sonnet-4-5", "high", 0, openRun, `"max_tokens":32000`, false, "W-218"},
		{"anthropic/claude-sonnet-4-5", "", 0, trailed, `"max_tokens":32000`, false, "D-38, W-223: none goes out with a trailing turn"},
		{"cloudflare-ai-gateway/claude-sonnet-4-5", "low", 0, trailed, `"thinking":{"type":"enabled","budget_tokens":2048}`, false, "W-220, W-242"},
		{"anthropic/claude-opus-4-6", "", 0, thought, `"thinking":{"type":"adaptive"},"output_config":{"effort":"medium"}`, true, "W-216"},
		{"anthropic/claude-opus-4-6", "max", 0, silent, `"max_tokens":32000,"thinking":{"type":"adaptive"},"output_config":{"effort":"max"}`, false, "W-216"},
		{"anthropic/claude-opus-4-6", "minimal", 0, silent, `"thinking":{"type":"adaptive"},"output_config":{"effort":"low"}`, false, "W-216"},
		{"anthropic/claude-opus-4-6", "", 0, openRun, `"thinking":{"type":"adaptive"},"output_config":{"effort":"medium"}`, true, "W-218: adaptive thinking may be missing"},
		{"anthropic/claude-opus-4-6", "off", 0, thought, `"thinking":{"type":"disabled"}`, false, "W-214"},
		{"anthropic/claude-opus-5-5", "off", 0, thought, `"thinking":{"type":"adaptive"},"output_config":{"effort":"low"}`, true, "W-216, AN-25: it cannot be off"},
		{"anthropic/claude-opus-5-5", "", 0, silent, `"max_tokens":32000`, false, "D-38"},
		{"anthropic/claude-sonnet-5-5", "off", 0, thought, `"thinking":{"type":"between_tools"}`, true, "W-216"},
		{"anthropic/claude-opus-5", "off", 0, thought, `"thinking":{"type":"disabled"}`, false, "W-216"},
		{"minimax/MiniMax-M2.7", "", 0, silent, `"thinking":{"type":"disabled"}`, false, "W-252: nothing is set"},
		{"minimax/MiniMax-M2.7", "", 0, thought, `"thinking":{"type":"enabled","budget_tokens":8192}`, true, "W-252"},
		{"minimax/MiniMax-M2.7", "", 0, openRun, `"thinking":{"type":"disabled"}`, false, "W-252, W-218"},
		{"minimax/MiniMax-M3", "", 0, silent, ``, false, "W-252: no disabled that nobody asked for"},
		{"minimax/MiniMax-M3", "high", 0, thought, `"thinking":{"type":"adaptive"}`, true, "W-252, MM-06"},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%s %s (%s)", test.target, test.level, test.rules), func(t *testing.T) {
			in := buildtest.Named("anthropic-messages", test.target)[0].Input()
			in.Messages = buildtest.Messages(t, test.messages)
			in.Options = payload.Options{Thinking: test.level, MaxTokens: test.limit}
			body, err := anthropicmessages.Build(in)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, name := range []string{"max_tokens", "thinking", "output_config"} {
				if v := jsonline.Parse(body).Object().Get(name); v.Exists() && (name != "max_tokens" || strings.Contains(test.want, name)) {
					got += `,"` + name + `":` + string(v.Raw)
				}
			}
			if got = strings.TrimPrefix(got, ","); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
			if out := strings.Contains(string(body), `"signature"`); out != test.goesOut {
				t.Errorf("thinking goes out: %v", out)
			}
			for _, f := range findings(body, in) {
				t.Error(f)
			}
		})
	}
}

// The output limit is too small for any budget: thinking is off (W-216).
func TestNoRoomForThinking(t *testing.T) {
	in := &payload.Input{Messages: buildtest.Messages(t, thought), Report: &hygiene.Report{}, Target: format.Target}
	p := format.Policy
	p.Model.MaxOutputTokens = 1024
	in.Policy = &p
	body, err := anthropicmessages.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(body), "thinking") || len(in.Report.Notes) != 1 {
		t.Errorf("notes %q, body %s", in.Report.Notes, body)
	}
}

func TestOptionErrors(t *testing.T) {
	for _, o := range []payload.Options{{Thinking: "huge"}, {Tools: jsonline.Parse([]byte(`{}`))}} {
		in := &payload.Input{Messages: buildtest.Messages(t, silent), Report: &hygiene.Report{}, Target: format.Target, Policy: &format.Policy, Options: o}
		if _, err := anthropicmessages.Build(in); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

// A body over the limit of the service is named in the report (W-104, AN-46).
func TestTooLarge(t *testing.T) {
	p := format.Policy
	p.Wire.MaxBodyBytes = 100
	in := &payload.Input{Messages: buildtest.Messages(t, silent), Report: &hygiene.Report{}, Target: format.Target, Policy: &p}
	if _, err := anthropicmessages.Build(in); err != nil || len(in.Report.Notes) != 1 {
		t.Errorf("%v, notes %q", err, in.Report.Notes)
	}
}
