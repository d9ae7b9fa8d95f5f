package ollama_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/hygiene"
	"hygeia/internal/casetest"
	"hygeia/internal/gen"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/internal/buildtest"
	"hygeia/payload/ollama"
	"hygeia/policy"
	"hygeia/transcript"
)

const tools = `[{"type":"function","function":{"name":"read","parameters":{"type":"object"}}}]`

// targets stand for models that think and that do not, with images and without,
// and for another server of the same format, whose turns nobody joins.
var targets = []policy.Target{
	{Provider: "ollama", API: "ollama", Model: "qwen3"},
	{Provider: "ollama", API: "ollama", Model: "llama3.3"},
	{Provider: "ollama", API: "ollama", Model: "gemma3:4b"},
	{Provider: "ollama-cloud", API: "ollama", Model: "gpt-oss:20b"},
	{Provider: "mybox", API: "ollama", Model: "deepseek-r1"},
}

// G-1: whatever the transcript, the server takes the body (LO-03, LO-06, LO-07).
func TestAccepted(t *testing.T) { buildtest.Accepted(t, format, tools, targets...) }

// drawInput draws everything but the messages.
func drawInput(t *rapid.T) *payload.Input {
	res, err := policy.Resolve(rapid.SampledFrom(targets).Draw(t, "target"), policy.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in := &payload.Input{Report: &hygiene.Report{}, Target: res.Target, Policy: res.Policy}
	in.Options.Thinking = rapid.SampledFrom([]payload.Level{"", "off", "high"}).Draw(t, "level")
	in.Options.System = rapid.SampledFrom([]string{"", " ", "s", "a\n<!-- OPENCLAW_CACHE_BOUNDARY -->\nb"}).Draw(t, "system")
	in.Options.Tools = jsonline.Parse([]byte(rapid.SampledFrom([]string{"", "[]", tools}).Draw(t, "tools")))
	return in
}

// sane draws a list as the passes leave it.
func sane(t *rapid.T) string {
	var list []string
	id := 0
	text := func() string {
		return rapid.SampledFrom([]string{`"x"`, `"a\u00e9 \ud83d\ude80"`, `"two\nlines "`}).Draw(t, "text")
	}
	block := func() string {
		return rapid.SampledFrom([]string{
			`{"type":"thinking","thinking":` + text() + `}`, `{"type":"redacted_thinking","data":"QQ=="}`, `{"type":"thinking","thinking":" "}`,
			`{"type":"text","text":` + text() + `}`, `{"type":"text","text":` + text() + `}`,
		}).Draw(t, "block")
	}
	for range rapid.IntRange(0, 6).Draw(t, "turns") {
		if rapid.IntRange(0, 3).Draw(t, "user") > 0 {
			list = append(list, `{"role":"user","content":`+text()+`}`)
		}
		for range rapid.IntRange(0, 3).Draw(t, "round") {
			var blocks, results []string
			for range rapid.IntRange(0, 2).Draw(t, "blocks") {
				blocks = append(blocks, block())
			}
			for range rapid.IntRange(0, 2).Draw(t, "calls") {
				id++
				blocks = append(blocks, fmt.Sprintf(`{"type":"toolCall","id":"c%d","name":"read","arguments":{"n":1.0}}`, id))
				results = append(results, fmt.Sprintf(`,{"role":"toolResult","toolCallId":"c%d","toolName":"read","content":[{"type":"text","text":%s}],"isError":%v}`, id, text(), id%3 == 0))
			}
			model := rapid.SampledFrom([]string{"", `,"provider":"ollama","api":"ollama","model":"qwen3"`}).Draw(t, "route")
			list = append(list, `{"role":"assistant","content":[`+strings.Join(blocks, ",")+`]`+model+`}`+strings.Join(results, ""))
		}
	}
	return "[" + strings.Join(list, ",") + "]"
}

// check builds twice and asserts everything that holds for any list. It returns
// nil if there is nothing to send.
func check(t *rapid.T, in *payload.Input) []byte {
	before := string(casetest.Lines(in.Messages))
	body, err := ollama.Build(in)
	if errors.Is(err, payload.ErrNothingToSend) {
		return nil
	}
	if err != nil {
		t.Fatalf("build: %v", err)
	}
	for _, f := range findings(body, in) {
		t.Errorf("%s", f)
	}
	buildtest.Declared(t, in.Report, ollama.Rules)
	again := *in
	again.Report = &hygiene.Report{}
	if second, _ := ollama.Build(&again); !bytes.Equal(body, second) || before != string(casetest.Lines(in.Messages)) {
		t.Errorf("not pure (G-3, W-003)")
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

// G-4: text, results and arguments of a list that is fine all go out.
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
				if v := b.TextValue(); v.IsString() && body != "" && !left[i] && !strings.Contains(body, string(v.Raw[1:len(v.Raw)-1])) {
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
	for _, r := range ollama.Rules {
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
		early, late := messages(check(t, &shorter)), messages(check(t, in))
		for _, c := range append(shorter.Report.Changes, in.Report.Changes...) {
			if unstable[c.Rule] {
				return
			}
		}
		for i := range early {
			if i >= len(late) || early[i] != late[i] {
				t.Fatalf("message %d changed:\n%s\n%s", i, early, late)
			}
		}
	})
}

func messages(body []byte) []string {
	var out []string
	for m := range jsonline.Parse(body).Object().Get("messages").Elements() {
		out = append(out, string(m.Raw))
	}
	return out
}

func FuzzBuild(f *testing.F) {
	f.Add([]byte(`[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"t"},{"type":"toolCall","id":"c1","name":"read","arguments":{}}]},{"role":"toolResult","toolCallId":"c1","content":[],"isError":true},{"role":"user","content":"r"}]`), uint8(1))
	f.Add([]byte(`[{"role":"assistant","content":[{"type":"text","text":"\ud800 "}]},{"role":"user","content":null}]`), uint8(2))
	f.Add([]byte(`[{"role":"assistant","content":[{"type":"toolCall","id":"a b","name":"x\ud800y","input":"{}"},{"type":"toolCall","id":"a b"}]},{"role":"user","content":"x"}]`), uint8(3))
	f.Fuzz(func(t *testing.T, text []byte, n uint8) {
		var r transcript.Reader
		list, err := r.Messages(text)
		if err != nil {
			t.Skip()
		}
		res, err := policy.Resolve(targets[int(n)%len(targets)], policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		in := &payload.Input{Messages: list, Target: res.Target, Policy: res.Policy, Report: &hygiene.Report{}}
		body, err := ollama.Build(in)
		if errors.Is(err, payload.ErrNothingToSend) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if found := findings(body, in); len(found) > 0 {
			t.Fatalf("%s\n%s", strings.Join(found, "\n"), body)
		}
		buildtest.Declared(t, in.Report, ollama.Rules)
	})
}

// The growth from 200 to 20 000 messages is that of the input (G-6).
func BenchmarkBuild(b *testing.B) {
	long := strings.Repeat("line of output, plain text\\n", 40)
	for _, rounds := range []int{50, 500, 5000} {
		b.Run(fmt.Sprintf("%d messages", 4*rounds), func(b *testing.B) {
			var list []string
			for i := range rounds {
				list = append(list, `{"role":"user","content":"question"}`,
					fmt.Sprintf(`{"role":"assistant","content":[{"type":"text","text":"Reading."},{"type":"toolCall","id":"c%d","name":"read","arguments":{"path":"x"}}]}`, i),
					fmt.Sprintf(`{"role":"toolResult","toolCallId":"c%d","toolName":"read","content":[{"type":"text","text":"%s"}],"isError":false}`, i, long),
					`{"role":"assistant","content":[{"type":"text","text":"Answer."}]}`)
			}
			list = append(list, `{"role":"user","content":"and?"}`)
			in := &payload.Input{Messages: buildtest.Messages(b, "["+strings.Join(list, ",")+"]"), Target: format.Target, Policy: &format.Policy}
			b.ReportAllocs()
			for b.Loop() {
				in.Report = &hygiene.Report{}
				body, err := ollama.Build(in)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(body)))
			}
		})
	}
}
