package openairesponses_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hygeia/hygiene"
	"hygeia/internal/casetest"
	"hygeia/internal/gen"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/internal/buildtest"
	"hygeia/payload/openairesponses"
	"hygeia/policy"
	"hygeia/transcript"
)

// endpoints stand for every kind of policy in this format: the three APIs,
// routers and hosts that are not OpenAI's own, models that do not reason, turns
// that must alternate, and items that are stored.
var endpoints = []struct {
	target policy.Target
	stored bool
}{
	{target: policy.Target{Provider: "openai", Model: "gpt-5.1"}},
	{target: policy.Target{Provider: "openai-codex", Model: "gpt-5.4"}},
	{target: policy.Target{Provider: "azure-openai", Model: "gpt-5.1"}},
	{target: policy.Target{Provider: "github-copilot", API: "openai-responses", Model: "gpt-5.1"}},
	{target: policy.Target{Provider: "xai", API: "openai-responses", Model: "grok-4"}},
	{target: policy.Target{Provider: "openai", Model: "gpt-4o"}},
	{target: policy.Target{Provider: "openai", Model: "gpt-3.5-turbo"}},
	{target: policy.Target{Provider: "mybox", API: "openai-responses", Model: "claude-sonnet-4-5"}},
	{target: policy.Target{Provider: "openai", Model: "gpt-5.1"}, stored: true},
	{target: policy.Target{Provider: "azure-openai", Model: "gpt-5.1"}, stored: true},
	{target: policy.Target{Provider: "openai-codex", Model: "gpt-5.4"}, stored: true},
}

// endpoint returns an input without messages for one of the endpoints.
func endpoint(t interface{ Fatalf(string, ...any) }, n int) *payload.Input {
	e := endpoints[n]
	res, err := policy.Resolve(e.target, policy.Options{})
	if err != nil {
		t.Fatalf("%v", err)
	}
	p := *res.Policy
	p.Wire.StoreItems = e.stored
	return &payload.Input{Target: res.Target, Policy: &p, Report: &hygiene.Report{}}
}

var levels = []payload.Level{"", "", payload.ThinkOff, payload.ThinkMinimal, payload.ThinkMedium, payload.ThinkMax}

// drawInput draws everything but the messages.
func drawInput(t *rapid.T) *payload.Input {
	return drawOptions(t, endpoint(t, rapid.IntRange(0, len(endpoints)-1).Draw(t, "endpoint")))
}

func drawOptions(t *rapid.T, in *payload.Input) *payload.Input {
	in.Options.Thinking = rapid.SampledFrom(levels).Draw(t, "level")
	in.Options.MaxTokens = rapid.SampledFrom([]int{0, 0, 1024, 1_000_000}).Draw(t, "limit")
	in.Options.System = rapid.SampledFrom([]string{"", " ", "s", "a\n<!-- OPENCLAW_CACHE_BOUNDARY -->\nb"}).Draw(t, "system")
	in.Options.SessionID = rapid.SampledFrom([]string{"", "s1", strings.Repeat("ö", 70)}).Draw(t, "session")
	if tools := rapid.SampledFrom([]string{
		"", "[]", `[{"type":"function","name":"read"}]`, `[{"type":"function","name":"b b"},{"type":"web_search"},{"type":"function","name":"a"}]`,
	}).Draw(t, "tools"); tools != "" {
		in.Options.Tools = jsonline.Parse([]byte(tools))
	}
	return in
}

// sane draws a list as the passes leave it for a target: each call with its
// result behind the turn, ids legal and unique, reasoning of the target alone.
func sane(t *rapid.T) string {
	g := &history{t: t}
	for range rapid.IntRange(0, 7).Draw(t, "turns") {
		switch rapid.IntRange(0, 2).Draw(t, "turn") {
		case 0:
			g.lines = append(g.lines, `{"role":"user","content":`+g.pick(g.text(), `[{"type":"text","text":`+g.text()+`},`+picture+`]`)+`}`)
		case 1:
			g.lines = append(g.lines, `{"role":"assistant","content":[`+strings.Join(g.blocks(), ",")+`]}`)
		case 2:
			g.round()
		}
	}
	return "[" + strings.Join(g.lines, ",") + "]"
}

type history struct {
	t     *rapid.T
	lines []string
	n     int // of ids
}

const picture = `{"type":"image","data":"` + gen.PNG + `","mimeType":"image/png"}`

func (g *history) pick(list ...string) string { return rapid.SampledFrom(list).Draw(g.t, "pick") }

func (g *history) text() string {
	return g.pick(`"plain"`, `"two\nlines "`, `"caf\u00e9 ☕ \ud83d\ude80"`, `"a \"b\" \\ c"`)
}

// blocks draws what an assistant says: reasoning, if any, leads to something.
func (g *history) blocks() []string {
	var list []string
	for range rapid.IntRange(0, 2).Draw(g.t, "said") {
		for range rapid.IntRange(0, 2).Draw(g.t, "thoughts") {
			g.n++
			content := g.pick(`,\"encrypted_content\":\"gAAA\"`, `,\"encrypted_content\":\"gAAA\"`, ``, `,\"encrypted_content\":null`)
			id := g.pick(fmt.Sprintf(`,\"id\":\"rs_%d\"`, g.n), fmt.Sprintf(`,\"id\":\"rs_%d\"`, g.n), `,\"id\":\"rs_1\"`, ``)
			list = append(list, `{"type":"thinking","thinking":"t","thinkingSignature":"{\"type\":\"reasoning\"`+id+g.pick(`,\"summary\":[]`, ``)+content+`}"}`)
		}
		g.n++
		list = append(list, `{"type":"text","text":`+g.text()+g.pick(``, fmt.Sprintf(`,"textSignature":"msg_%d"`, g.n), fmt.Sprintf(`,"textSignature":"{\"v\":1,\"id\":\"msg_%d\",\"phase\":\"commentary\"}"`, g.n))+`}`)
	}
	return list
}

func (g *history) round() {
	blocks := g.blocks()
	if n := len(blocks); n > 0 && rapid.Bool().Draw(g.t, "silent") {
		blocks = blocks[:n-1] // the reasoning led to the call
	}
	var results []string
	for range rapid.IntRange(1, 3).Draw(g.t, "calls") {
		g.n++
		id := fmt.Sprintf("call_%d", g.n) + g.pick("", fmt.Sprintf("|fc_%d", g.n), fmt.Sprintf("|fc_%d", g.n))
		blocks = append(blocks, fmt.Sprintf(`{"type":"toolCall","id":%q,"name":"read","arguments":%s}`, id, g.pick(`{}`, `{"n": 1.0, "s":"x\"\\y"}`)))
		results = append(results, fmt.Sprintf(`{"role":"toolResult","toolCallId":%q,"toolName":"read","content":[{"type":"text","text":%s}%s]}`, id, g.text(), g.pick("", ","+picture)))
	}
	g.lines = append(append(g.lines, `{"role":"assistant","content":[`+strings.Join(blocks, ",")+`]}`), results...)
}

// refused is findings without OR-20: what the bytes of a picture are is the
// concern of the images pass alone.
func refused(body []byte, in *payload.Input) []string {
	return slices.DeleteFunc(findings(body, in), func(f string) bool { return strings.HasPrefix(f, "OR-20") })
}

// build builds twice and asserts everything that holds for any list. It returns
// nil where the list cannot be sent.
func build(t *rapid.T, in *payload.Input) []byte {
	before := string(casetest.Lines(in.Messages))
	body, err := openairesponses.Build(in)
	buildtest.Declared(t, in.Report, openairesponses.Rules)
	if d := cmp.Diff(before, string(casetest.Lines(in.Messages))); d != "" {
		t.Errorf("input was changed (G-3): %s", d)
	}
	again := *in
	again.Report = &hygiene.Report{}
	if second, _ := openairesponses.Build(&again); !bytes.Equal(body, second) {
		t.Errorf("a second build gives other bytes (W-003)")
	}
	var invalid *openairesponses.TranscriptError
	switch {
	case err == nil:
		for _, f := range refused(body, in) {
			t.Errorf("%s", f)
		}
	case errors.As(err, &invalid), errors.Is(err, payload.ErrNothingToSend):
	default:
		t.Errorf("build: %v", err)
	}
	if t.Failed() {
		t.Logf("input: %s\nbody: %s", before, body)
	}
	return body
}

// G-1: what the passes leave of any transcript is accepted by every endpoint,
// unless nothing is left. A call never goes out alone (W-335).
func TestPropertyAccepted(t *testing.T) {
	for n, e := range endpoints {
		t.Run(fmt.Sprintf("%s %s stored %v", e.target.Provider, e.target.Model, e.stored), rapid.MakeCheck(func(t *rapid.T) {
			in := drawOptions(t, endpoint(t, n))
			c := gen.Context(t)
			c.Messages = buildtest.Adopt(t, c.Messages, in.Target)
			buildtest.Sanitize(in, c)
			body, err := openairesponses.Build(in)
			if err != nil {
				if !errors.Is(err, payload.ErrNothingToSend) {
					t.Fatalf("%v\n%s\nfrom:\n%s", err, casetest.Lines(in.Messages), casetest.Lines(c.Messages))
				}
				return
			}
			if found := findings(body, in); len(found) > 0 {
				t.Fatalf("%s\n%s\nfrom:\n%s", strings.Join(found, "\n"), body, casetest.Lines(c.Messages))
			}
		}))
	}
}

// G-1 and W-335 for lists that no pass has seen: a body that is accepted, or an
// error.
func TestPropertyOdd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		in.Messages = buildtest.Messages(t, gen.Messages(t))
		build(t, in)
	})
}

// G-4: of a list that is fine every text, argument and readable reasoning item
// goes out.
func TestPropertyNothingLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		in.Messages = buildtest.Messages(t, sane(t))
		body := string(build(t, in))
		if body == "" {
			if len(in.Messages) > 0 && len(in.Report.Changes) == 0 {
				t.Fatal("nothing goes out, and no change says why")
			}
			return
		}
		changed := map[int]bool{}
		for _, c := range in.Report.Changes {
			changed[c.Message] = true
		}
		reasoning := 0
		for i, m := range in.Messages {
			for _, b := range m.Blocks() {
				if b.IsThinking() && !changed[i] {
					reasoning++
				}
				if v := b.TextValue(); b.IsText() && !changed[i] && !strings.Contains(body, string(v.Raw)) {
					t.Fatalf("text %s of message %d is gone without a change:\n%s", v.Raw, i, body)
				}
				if v := b.Get("arguments"); b.IsToolCall() && !strings.Contains(body, string(jsonline.Quote(string(v.Raw)))) {
					t.Fatalf("arguments %s of message %d are gone:\n%s", v.Raw, i, body)
				}
			}
		}
		if n := strings.Count(body, `{"type":"reasoning"`); n < reasoning {
			t.Fatalf("%d of %d reasoning items go out:\n%s", n, reasoning, body)
		}
	})
}

// G-5: appending turns leaves the earlier items as they were, unless a rule says
// so that declares it (D-21).
func TestPropertyPrefixStable(t *testing.T) {
	unstable := map[string]bool{}
	for _, r := range openairesponses.Rules {
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
		a, b := items(build(t, &shorter)), items(build(t, in))
		for _, r := range []*hygiene.Report{shorter.Report, in.Report} {
			for _, c := range r.Changes {
				if unstable[c.Rule] {
					return
				}
			}
		}
		if len(a) > len(b) {
			t.Fatalf("%d items became %d", len(a), len(b))
		}
		for i := range a {
			if a[i] != b[i] {
				t.Fatalf("item %d changed:\n%s\n%s", i, a[i], b[i])
			}
		}
	})
}

// items returns the items of a body as they are spelled.
func items(body []byte) []string {
	var out []string
	for it := range jsonline.Parse(body).Object().Get("input").Elements() {
		out = append(out, string(it.Raw))
	}
	return out
}

func FuzzBuild(f *testing.F) {
	f.Add([]byte(`[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","thinkingSignature":"{\"type\":\"reasoning\",\"id\":\"rs_1\",\"encrypted_content\":\"gAAA\"}"},{"type":"toolCall","id":"call_1|fc_1","name":"read","arguments":{}}]},{"role":"toolResult","toolCallId":"call_1|fc_1","content":[]}]`), uint8(8), "s")
	f.Add([]byte(`[{"role":"assistant","content":[{"type":"text","text":"\ud800 ","textSignature":"msg_1"},{"type":"refusal","refusal":"n"}]},{"role":"user","content":null}]`), uint8(1), "")
	f.Add([]byte(`[{"role":"user","content":[{"type":"image","data":"AA==","mimeType":"image/png"},{"type":"input_file"}]}]`), uint8(7), "a<!-- OPENCLAW_CACHE_BOUNDARY -->b")
	f.Fuzz(func(t *testing.T, text []byte, which uint8, system string) {
		var r transcript.Reader
		list, err := r.Messages(text)
		if err != nil {
			t.Skip()
		}
		in := endpoint(t, int(which)%len(endpoints))
		in.Messages = list
		in.Options = payload.Options{System: system, SessionID: "s1", Thinking: levels[int(which)%len(levels)]}
		body, err := openairesponses.Build(in)
		if err != nil {
			return
		}
		if found := refused(body, in); len(found) > 0 {
			t.Fatalf("%s\n%s", strings.Join(found, "\n"), body)
		}
		buildtest.Declared(t, in.Report, openairesponses.Rules)
	})
}
