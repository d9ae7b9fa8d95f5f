package anthropicmessages_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hygeia/hygiene"
	"hygeia/internal/casetest"
	"hygeia/internal/gen"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/anthropicmessages"
	"hygeia/payload/internal/buildtest"
	"hygeia/policy"
	"hygeia/transcript"
)

// targets stand for every kind of policy in this format: manual and adaptive
// thinking, thinking that cannot be switched off, none at all, prefill that is
// legal and not, gateways and compatible services.
var targets = []string{
	"anthropic/claude-3-5-haiku-20241022", "anthropic/claude-3-7-sonnet", "anthropic/claude-sonnet-4-5",
	"anthropic/claude-opus-4-6", "anthropic/claude-opus-4-8", "anthropic/claude-opus-5", "anthropic/claude-opus-5-5",
	"anthropic/claude-sonnet-5-5", "anthropic-vertex/claude-sonnet-4-5", "cloudflare-ai-gateway/claude-sonnet-4-5",
	"cloudflare-ai-gateway/claude-opus-4-7", "minimax/MiniMax-M2.7", "minimax/MiniMax-M3", "kimi/kimi-for-coding",
	"mybox/some-model",
}

// resolve returns the policy of provider/model in this format.
func resolve(t interface{ Fatalf(string, ...any) }, name string) (policy.Target, *policy.Policy) {
	target, err := policy.ParseTarget(name)
	if err != nil {
		t.Fatalf("%v", err)
	}
	target.API = "anthropic-messages"
	res, err := policy.Resolve(target, policy.Options{})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return res.Target, res.Policy
}

var levels = []payload.Level{"", "", payload.ThinkOff, payload.ThinkMinimal, payload.ThinkMedium, payload.ThinkMax}

// drawInput draws everything but the messages.
func drawInput(t *rapid.T) *payload.Input {
	in := &payload.Input{Report: &hygiene.Report{}}
	in.Target, in.Policy = resolve(t, rapid.SampledFrom(targets).Draw(t, "target"))
	in.Options.Thinking = rapid.SampledFrom(levels).Draw(t, "level")
	in.Options.MaxTokens = rapid.SampledFrom([]int{0, 0, 1, 1024, 5000, 1_000_000}).Draw(t, "limit")
	in.Options.System = rapid.SampledFrom([]string{"", " ", "s", "a\n<!-- OPENCLAW_CACHE_BOUNDARY -->\nb"}).Draw(t, "system")
	if tools := rapid.SampledFrom([]string{
		"", "[]", `[{"name":"read"}]`, `[{"name":"a b","input_schema":{}},{"name":"read","input_schema":{},"cache_control":{"type":"ephemeral"}}]`,
	}).Draw(t, "tools"); tools != "" {
		in.Options.Tools = jsonline.Parse([]byte(tools))
	}
	return in
}

// sane draws a list as the passes leave it: calls with their results behind
// them, thinking signed or not, turns that may be empty.
func sane(t *rapid.T) string {
	var list []string
	id := 0
	texts := []string{`"x"`, `"a\u00e9 \ud83d\ude80"`, `"two\nlines "`}
	text := func() string { return rapid.SampledFrom(texts).Draw(t, "text") }
	thinking := func() string {
		return rapid.SampledFrom([]string{
			`{"type":"thinking","thinking":"t","thinkingSignature":"U2ln"},`, `{"type":"thinking","thinking":"t","thinkingSignature":"U2ln"},`,
			`{"type":"redacted_thinking","data":"UmVk"},`, `{"type":"thinking","thinking":"u"},`, `{"type":"thinking","thinking":""},`,
			`{"type":"thinking","thinking":"","thinkingSignature":"U2ln"},`, `{"type":"thinking","thinking":"t","thinkingSignature":"{\"id\":\"rs_1\"}"},`,
		}).Draw(t, "thinking")
	}
	for range rapid.IntRange(0, 6).Draw(t, "turns") {
		if rapid.IntRange(0, 3).Draw(t, "user") > 0 {
			list = append(list, `{"role":"user","content":`+text()+`}`)
		}
		for range rapid.IntRange(0, 3).Draw(t, "round") {
			content, results := "", ""
			for range rapid.IntRange(0, 2).Draw(t, "thoughts") {
				content += thinking()
			}
			if rapid.Bool().Draw(t, "spoken") {
				content += `{"type":"text","text":` + text() + `},`
			}
			for range rapid.IntRange(0, 2).Draw(t, "calls") {
				id++
				content += fmt.Sprintf(`{"type":"toolCall","id":"c%d","name":"read","arguments":{"n":1.0}},`, id)
				results += fmt.Sprintf(`,{"role":"toolResult","toolCallId":"c%d","toolName":"read","content":[{"type":"text","text":%s}],"isError":false}`, id, text())
			}
			list = append(list, `{"role":"assistant","content":[`+strings.TrimSuffix(content, ",")+`]}`+results)
		}
	}
	return "[" + strings.Join(list, ",") + "]"
}

// check builds twice and asserts everything that holds for any list.
func check(t *rapid.T, in *payload.Input) []byte {
	before := string(casetest.Lines(in.Messages))
	body, err := anthropicmessages.Build(in)
	if err != nil {
		t.Fatalf("build: %v", err)
	}
	for _, f := range findings(body, in) {
		t.Errorf("%s", f)
	}
	buildtest.Declared(t, in.Report, anthropicmessages.Rules)
	if d := cmp.Diff(before, string(casetest.Lines(in.Messages))); d != "" {
		t.Errorf("input was changed (G-3): %s", d)
	}
	again := *in
	again.Report = &hygiene.Report{}
	if second, _ := anthropicmessages.Build(&again); !bytes.Equal(body, second) {
		t.Errorf("a second build gives other bytes (W-003)")
	}
	if t.Failed() {
		t.Logf("input: %s\nbody: %s", before, body)
	}
	return body
}

// G-1: a body is accepted, for lists as the passes leave them and for lists
// that no pass has seen.
func TestPropertyAccepted(t *testing.T) {
	for name, messages := range map[string]func(*rapid.T) string{"sane": sane, "odd": gen.Messages} {
		t.Run(name, rapid.MakeCheck(func(t *rapid.T) {
			in := drawInput(t)
			in.Messages = buildtest.Messages(t, messages(t))
			check(t, in)
		}))
	}
}

// G-4: text and results of a list that is fine all go out.
func TestPropertyNothingLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		in.Messages = buildtest.Messages(t, sane(t))
		body := string(check(t, in))
		left := map[int]bool{}
		for _, c := range in.Report.Changes {
			if c.Op == hygiene.Drop || c.Op == hygiene.Replace {
				left[c.Message] = true
			}
		}
		for i, m := range in.Messages {
			for _, b := range m.Blocks() {
				if v := b.TextValue(); b.IsText() && !left[i] && !strings.Contains(body, string(v.Raw)) {
					t.Fatalf("text %s of message %d is gone without a change:\n%s", v.Raw, i, body)
				}
			}
		}
	})
}

// G-5: appending turns leaves the earlier messages of the body as they were,
// unless a rule says so that declares it (D-21).
func TestPropertyPrefixStable(t *testing.T) {
	unstable := map[string]bool{}
	for _, r := range anthropicmessages.Rules {
		unstable[r.ID] = r.Unstable != ""
	}
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		whole := buildtest.Messages(t, sane(t))
		n := rapid.IntRange(0, len(whole)).Draw(t, "prefix")
		for n < len(whole) && whole[n].Is(transcript.ToolResult) {
			n++ // a round is not cut in the middle
		}
		shorter := *in
		shorter.Report = &hygiene.Report{}
		shorter.Messages, in.Messages = whole[:n], whole
		a, b := messages(check(t, &shorter)), messages(check(t, in))
		for _, r := range []*hygiene.Report{shorter.Report, in.Report} {
			for _, c := range r.Changes {
				if unstable[c.Rule] {
					return
				}
			}
		}
		if len(shorter.Report.Changes) > 0 && shorter.Report.Counts()["W-006"] > 0 {
			return // the placeholder for nothing at all
		}
		if len(a) > len(b) {
			t.Fatalf("%d messages became %d", len(a), len(b))
		}
		for i := range a {
			// Only the last message may have grown (W-205).
			if a[i] != b[i] && (i < len(a)-1 || !strings.HasPrefix(b[i], strings.TrimSuffix(a[i], "]}"))) {
				t.Fatalf("message %d changed:\n%s\n%s", i, a[i], b[i])
			}
		}
	})
}

// messages returns the messages of a body without cache markers, a string as a
// list of one text block (D-21).
func messages(body []byte) []string {
	var out []string
	for m := range jsonline.Parse(body).Object().Get("messages").Elements() {
		o := m.Object()
		if c := o.Get("content"); c.IsString() {
			list := append(append([]byte(`[{"type":"text","text":`), c.Raw...), `}]`...)
			o = o.With("content", jsonline.Value{Raw: list, Kind: jsonline.Array})
		}
		out = append(out, strings.ReplaceAll(string(o.AppendTo(nil)), `,"cache_control":{"type":"ephemeral"}`, ""))
	}
	return out
}

func FuzzBuild(f *testing.F) {
	f.Add([]byte(`[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","thinkingSignature":"U2ln"},{"type":"toolCall","id":"a","name":"read","arguments":{}}]},{"role":"toolResult","toolCallId":"a","content":[]}]`), uint8(2))
	f.Add([]byte(`[{"role":"assistant","content":[{"type":"text","text":"\ud800 "}]},{"role":"user","content":null}]`), uint8(11))
	f.Add([]byte(`[{"role":"assistant","content":[{"type":"toolCall","id":"a b","name":"x y","input":"{}"},{"type":"toolCall","id":"a b"}]}]`), uint8(5))
	f.Fuzz(func(t *testing.T, text []byte, target uint8) {
		var r transcript.Reader
		list, err := r.Messages(text)
		if err != nil {
			t.Skip()
		}
		in := &payload.Input{Messages: list, Report: &hygiene.Report{}}
		in.Target, in.Policy = resolve(t, targets[int(target)%len(targets)])
		in.Options.Thinking = levels[int(target)%len(levels)]
		body, err := anthropicmessages.Build(in)
		if err != nil {
			t.Fatal(err)
		}
		if found := findings(body, in); len(found) > 0 {
			t.Fatalf("%s\n%s", strings.Join(found, "\n"), body)
		}
		buildtest.Declared(t, in.Report, anthropicmessages.Rules)
	})
}
