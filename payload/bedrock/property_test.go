package bedrock_test

import (
	"bytes"
	"errors"
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
	"hygeia/payload/bedrock"
	"hygeia/payload/internal/buildtest"
	"hygeia/policy"
	"hygeia/transcript"
)

// models stand for every kind of policy in this format: manual and adaptive
// thinking, thinking that cannot be switched off, none at all, prefill that is
// legal and not, cache points and none, models that refuse text beside results
// and know no status.
var models = []string{
	"anthropic.claude-3-haiku-20240307-v1:0", "us.anthropic.claude-3-7-sonnet-20250219-v1:0",
	"global.anthropic.claude-sonnet-4-5-20250929-v1:0", "us.anthropic.claude-opus-4-6-v1:0", "anthropic.claude-opus-5-5-v1:0",
	"anthropic.claude-sonnet-5-5-v1:0", "us.amazon.nova-pro-v1:0", "meta.llama3-1-70b-instruct-v1:0", "mistral.mistral-large-2407-v1:0",
	"openai.gpt-oss-120b-1:0", "deepseek.r1-v1:0",
}

func target(model string) policy.Target {
	return policy.Target{Provider: "amazon-bedrock", API: "bedrock-converse-stream", Model: model}
}

// G-1: whatever the transcript, the service takes the body, with tools and
// without (BR-01…BR-24).
func TestAccepted(t *testing.T) {
	var targets []policy.Target
	for _, m := range models {
		targets = append(targets, target(m))
	}
	buildtest.Accepted(t, format, `[{"toolSpec":{"name":"read","inputSchema":{"json":{"type":"object"}}}}]`, targets...)
}

var levels = []payload.Level{"", "", payload.ThinkOff, payload.ThinkMinimal, payload.ThinkMedium, payload.ThinkMax}

// drawInput draws everything but the messages.
func drawInput(t *rapid.T) *payload.Input {
	in := &payload.Input{Report: &hygiene.Report{}}
	in.Target, in.Policy = resolve(t, rapid.SampledFrom(models).Draw(t, "model"))
	in.Options.Thinking = rapid.SampledFrom(levels).Draw(t, "level")
	in.Options.MaxTokens = rapid.SampledFrom([]int{0, 0, 1, 1024, 5000, 1_000_000}).Draw(t, "limit")
	in.Options.System = rapid.SampledFrom([]string{"", " ", "s", "a\n<!-- OPENCLAW_CACHE_BOUNDARY -->\nb"}).Draw(t, "system")
	if tools := rapid.SampledFrom([]string{
		"", "[]", `[{"toolSpec":{"name":"read"}}]`, `[{"toolSpec":{"name":"a b"}},{"toolSpec":{"name":"read"}}]`,
	}).Draw(t, "tools"); tools != "" {
		in.Options.Tools = jsonline.Parse([]byte(tools))
	}
	return in
}

func resolve(t interface{ Fatalf(string, ...any) }, model string) (policy.Target, *policy.Policy) {
	res, err := policy.Resolve(target(model), policy.Options{})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return res.Target, res.Policy
}

// sane draws a list as the passes leave it: calls with their results behind
// them, thinking signed or not, turns that may be empty.
func sane(t *rapid.T) string {
	var list []string
	id := 0
	text := func() string {
		return rapid.SampledFrom([]string{`"x"`, `"a\u00e9 \ud83d\ude80"`, `"two\nlines "`}).Draw(t, "text")
	}
	thinking := func() string {
		return rapid.SampledFrom([]string{
			`{"type":"thinking","thinking":"t","thinkingSignature":"U2ln"},`, `{"type":"thinking","thinking":"t","thinkingSignature":"U2ln"},`,
			`{"type":"redacted_thinking","data":"UmVk"},`, `{"type":"redacted_thinking","data":"no-base64"},`, `{"type":"thinking","thinking":"u"},`,
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

// check builds twice and asserts everything that holds for any list. It returns
// nil if there is nothing to send.
func check(t *rapid.T, in *payload.Input) []byte {
	before := string(casetest.Lines(in.Messages))
	body, err := bedrock.Build(in)
	if errors.Is(err, payload.ErrNothingToSend) && !in.Policy.Wire.SignedReasoning {
		return nil // W-006
	}
	if err != nil {
		t.Fatalf("build: %v", err)
	}
	for _, f := range findings(body, in) {
		t.Errorf("%s", f)
	}
	buildtest.Declared(t, in.Report, bedrock.Rules)
	if d := cmp.Diff(before, string(casetest.Lines(in.Messages))); d != "" {
		t.Errorf("input was changed (G-3): %s", d)
	}
	again := *in
	again.Report = &hygiene.Report{}
	if second, _ := bedrock.Build(&again); !bytes.Equal(body, second) {
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

// G-4: text, results and arguments of a list that is fine all go out, as tool
// blocks or told (W-707).
func TestPropertyNothingLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		in.Messages = buildtest.Messages(t, sane(t))
		body := check(t, in)
		if body == nil {
			return
		}
		said := strings.Join(values(jsonline.Parse(body)), "\x00")
		left := map[int]bool{}
		for _, c := range in.Report.Changes {
			if c.Rule != "W-707" && (c.Op == hygiene.Drop || c.Op == hygiene.Replace) {
				left[c.Message] = true
			}
		}
		for i, m := range in.Messages {
			for _, b := range append(m.Blocks(), transcript.NewTextBlockValue(m.Text())) {
				if b.IsText() && !left[i] && !strings.Contains(said, b.Text()) {
					t.Fatalf("text %q of message %d is gone without a change:\n%s", b.Text(), i, body)
				}
				if b.IsToolCall() && !left[i] && !strings.Contains(string(body), `{"n":1.0}`) && !strings.Contains(said, `{"n":1.0}`) {
					t.Fatalf("arguments of message %d are gone without a change:\n%s", i, body)
				}
			}
		}
	})
}

// values returns all strings in a value.
func values(v jsonline.Value) []string {
	var out []string
	for e := range v.Elements() {
		out = append(out, values(e)...)
	}
	for _, e := range v.Object().Members() {
		out = append(out, values(e)...)
	}
	if v.IsString() {
		out = append(out, v.String())
	}
	return out
}

// G-5: appending turns leaves the earlier messages of the body as they were,
// unless a rule says so that declares it (D-21).
func TestPropertyPrefixStable(t *testing.T) {
	unstable := map[string]bool{}
	for _, r := range bedrock.Rules {
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
		a, b := check(t, &shorter), check(t, in)
		for _, r := range []*hygiene.Report{shorter.Report, in.Report} {
			for _, c := range r.Changes {
				if unstable[c.Rule] {
					return
				}
			}
		}
		early, late := messages(a), messages(b)
		if len(early) > len(late) {
			t.Fatalf("%d messages became %d", len(early), len(late))
		}
		for i := range early {
			// Only the last message may have grown (D-33).
			if early[i] != late[i] && (i < len(early)-1 || !strings.HasPrefix(late[i], strings.TrimSuffix(early[i], "]}"))) {
				t.Fatalf("message %d changed:\n%s\n%s", i, early[i], late[i])
			}
		}
	})
}

// messages returns the messages of a body without cache points (D-21).
func messages(body []byte) []string {
	var out []string
	for m := range jsonline.Parse(body).Object().Get("messages").Elements() {
		out = append(out, strings.ReplaceAll(string(m.Raw), `,{"cachePoint":{"type":"default"}}`, ""))
	}
	return out
}

func FuzzBuild(f *testing.F) {
	f.Add([]byte(`[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","thinkingSignature":"U2ln"},{"type":"toolCall","id":"a","name":"read","arguments":{}}]},{"role":"toolResult","toolCallId":"a","content":[]}]`), uint8(2))
	f.Add([]byte(`[{"role":"assistant","content":[{"type":"text","text":"\ud800 "}]},{"role":"user","content":null}]`), uint8(18))
	f.Add([]byte(`[{"role":"assistant","content":[{"type":"toolCall","id":"a b","name":"x\ud800y","input":"{}"},{"type":"toolCall","id":"a b"}]}]`), uint8(7))
	f.Fuzz(func(t *testing.T, text []byte, n uint8) {
		var r transcript.Reader
		list, err := r.Messages(text)
		if err != nil {
			t.Skip()
		}
		in := &payload.Input{Messages: list, Report: &hygiene.Report{}}
		in.Target, in.Policy = resolve(t, models[int(n)%len(models)])
		in.Options.Thinking = levels[int(n)%len(levels)]
		if n >= 128 {
			in.Options.Tools = jsonline.Parse([]byte(`[{"toolSpec":{"name":"read"}}]`))
		}
		body, err := bedrock.Build(in)
		if errors.Is(err, payload.ErrNothingToSend) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if found := findings(body, in); len(found) > 0 {
			t.Fatalf("%s\n%s", strings.Join(found, "\n"), body)
		}
		buildtest.Declared(t, in.Report, bedrock.Rules)
	})
}
