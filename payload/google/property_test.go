package google_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/hygiene"
	"hygeia/internal/casetest"
	"hygeia/internal/gen"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/google"
	"hygeia/payload/internal/buildtest"
	"hygeia/policy"
	"hygeia/transcript"
)

// targets stand for every kind of policy in this format.
var targets = []policy.Target{
	{Provider: "google", Model: "gemini-2.5-pro"},
	{Provider: "google", Model: "gemini-2.5-flash"},
	{Provider: "google", Model: "gemini-2.0-flash"},
	{Provider: "google", Model: "gemini-3-pro-preview"},
	{Provider: "google", Model: "gemini-3.5-flash"},
	{Provider: "google-vertex", Model: "gemini-3-pro-preview"},
	{Provider: "google-vertex", Model: "gemini-2.5-flash"},
	{Provider: "google-gemini-cli", Model: "gemini-2.5-pro"},
	{Provider: "google-antigravity", Model: "gemini-3-pro-preview"},
	{Provider: "google-antigravity", Model: "claude-sonnet-4-5"},
	{Provider: "google-antigravity", Model: "claude-opus-4-6-thinking"},
	{Provider: "google-antigravity", Model: "gpt-oss-120b-medium"},
	{Provider: "mybox", API: "google-vertex", Model: "gemini-3-pro"},
}

const tools = `[{"functionDeclarations":[{"name":"read","parametersJsonSchema":{"type":"object","additionalProperties":false}},` +
	`{"name":"a b","parameters":{"type":"object","properties":{"x":{"const":1}}}},{"name":"bash"}]}]`

// G-1: GG-01…GG-09, GG-11…GG-23 and CA-01…CA-06.
func TestAccepted(t *testing.T) { buildtest.Accepted(t, format, tools, targets...) }

// build builds twice and asserts everything that holds for any list.
func build(t *rapid.T, in *payload.Input) []byte {
	before := string(casetest.Lines(in.Messages))
	body, err := google.Build(in)
	if err != nil {
		t.Fatalf("build: %v", err)
	}
	for _, f := range findings(body, in) {
		t.Errorf("%s", f)
	}
	buildtest.Declared(t, in.Report, google.Rules)
	again := *in
	again.Report = &hygiene.Report{}
	if second, _ := google.Build(&again); !bytes.Equal(body, second) {
		t.Errorf("a second build gives other bytes (W-003)")
	}
	if after := string(casetest.Lines(in.Messages)); after != before {
		t.Errorf("input was changed (G-3): %s", after)
	}
	if t.Failed() {
		t.Fatalf("input:\n%sbody:\n%s", before, strings.Join(contents(body), "\n"))
	}
	return body
}

// contents returns the contents of a body, each as it is spelled.
func contents(body []byte) []string {
	o := jsonline.Parse(body).Object()
	if r := o.Get("request"); r.Exists() {
		o = r.Object()
	}
	var list []string
	for v := range o.Get("contents").Elements() {
		list = append(list, string(v.Raw))
	}
	return list
}

// A body is whole whatever the messages are: lists as the passes leave them and
// lists that no pass has seen.
func TestHostile(t *testing.T) {
	t.Run("sane", rapid.MakeCheck(func(t *rapid.T) {
		in := draw(t)
		in.Messages = messages(t, in.Target)
		build(t, in)
	}))
	t.Run("odd", rapid.MakeCheck(func(t *rapid.T) {
		in := draw(t)
		in.Messages = gen.Context(t).Messages
		build(t, in)
	}))
}

// TestAccounted proves G-4: what a message says stands in the body, unless a
// change names that message.
func TestAccounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := draw(t)
		in.Messages = messages(t, in.Target)
		body := string(build(t, in))
		named := map[int]bool{}
		for i := range in.Report.Changes {
			if c := &in.Report.Changes[i]; c.Op != hygiene.Insert {
				named[c.Message] = true
				if to, ok := c.After.(*transcript.Message); ok && c.Op == hygiene.Move {
					named[to.Origin.Index] = true // a placeholder goes beside real text
				}
			}
		}
		for i, m := range in.Messages {
			for _, b := range append(m.Blocks(), transcript.NewTextBlockValue(m.Text())) {
				for _, v := range []jsonline.Value{b.TextValue(), b.Get("arguments"), b.Get("data")} {
					raw := string(v.Raw)
					if v.IsString() {
						raw = raw[1 : len(raw)-1] // texts of a result are joined
					}
					if !named[i] && !strings.Contains(body, raw) {
						t.Fatalf("message %d lost %s:\n%s", i, raw, body)
					}
				}
			}
		}
	})
}

// TestPrefixStable proves G-5 as D-21 reads it: contents of a shorter history
// have the same bytes in the body of the longer one, unless a rule that declares
// so changed them.
func TestPrefixStable(t *testing.T) {
	unstable := map[string]bool{}
	for _, r := range google.Rules {
		unstable[r.ID] = r.Unstable != ""
	}
	quiet := func(r *hygiene.Report) bool {
		for i := range r.Changes {
			if unstable[r.Changes[i].Rule] && r.Changes[i].Rule != "W-608" {
				return false
			}
		}
		return true
	}
	rapid.Check(t, func(t *rapid.T) {
		in := draw(t)
		whole := messages(t, in.Target)
		cut := rapid.IntRange(1, len(whole)).Draw(t, "cut")
		for cut < len(whole) && whole[cut].Is(transcript.ToolResult) {
			cut++ // a round is not cut in the middle
		}
		short := *in
		short.Report = &hygiene.Report{}
		short.Messages, in.Messages = whole[:cut], whole
		a, b := contents(build(t, &short)), contents(build(t, in))
		if !quiet(short.Report) || !quiet(in.Report) {
			return
		}
		if short.Report.Counts()["W-608"] > 0 {
			a = a[:len(a)-1] // the neutral user turn gives way
		}
		for i := range a {
			if i >= len(b) || a[i] != b[i] {
				t.Fatalf("content %d changed when turns were appended:\n%s\n\n%s", i, strings.Join(a, "\n"), strings.Join(b, "\n"))
			}
		}
	})
}

// W-631, W-003: the id of a request is that of its bytes.
func TestRequestID(t *testing.T) {
	id := func(text, system string) string {
		in := resolve(t, policy.Target{Provider: "google-gemini-cli", Model: "gemini-2.5-pro"})
		in.Messages, in.Options.System = buildtest.Messages(t, text), system
		body, err := google.Build(in)
		if err != nil {
			t.Fatal(err)
		}
		return jsonline.Parse(body).Object().Get("requestId").String()
	}
	first := id(`[{"role":"user","content":"q"}]`, "")
	if id(`[{"role":"user","content":"q"}]`, "") != first || id(`[{"role":"user","content":"r"}]`, "") == first || id(`[{"role":"user","content":"q"}]`, "s") == first {
		t.Error("the id does not follow the request")
	}
	long := strings.Repeat("x", 10_000)
	if id(`[{"role":"user","content":"`+long+`a"}]`, "") == id(`[{"role":"user","content":"`+long+`b"}]`, "") || id("[]", long+"a") == id("[]", long+"b") {
		t.Error("the ends of a long request do not count")
	}
	if !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`).MatchString(first) {
		t.Errorf("id %q", first)
	}
}

// W-109: of many calls, too, each has an id of its own.
func TestManyCalls(t *testing.T) {
	var calls []string
	for i := range 40 {
		calls = append(calls, fmt.Sprintf(`{"type":"toolCall","id":"c%d","name":"read","arguments":{}}`, i%15))
	}
	in := resolve(t, targets[0])
	in.Messages = buildtest.Messages(t, `[{"role":"user","content":"q"},{"role":"assistant","content":[`+strings.Join(calls, ",")+`]}]`)
	body, err := google.Build(in)
	if n := bytes.Count(body, []byte("functionCall")); err != nil || n != 15 || in.Report.Counts()["W-109"] != 25 || len(findings(body, in)) > 0 {
		t.Errorf("%d calls: %v\n%s", n, err, body)
	}
}

func FuzzBuild(f *testing.F) {
	f.Add([]byte(`[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","thinkingSignature":"QUJD"},{"type":"toolCall","id":"a","name":"read","arguments":{},"thoughtSignature":"QUJD"}]},{"role":"toolResult","toolCallId":"a","content":[{"type":"image","data":"AA==","mimeType":"image/png"}]}]`), uint8(3))
	f.Add([]byte(`[{"role":"assistant","content":[{"type":"text","text":"\ud800 "},{"type":"executableCode","executableCode":{}}]},{"role":"user","content":null}]`), uint8(9))
	f.Add([]byte(`[{"role":"assistant","content":[{"type":"toolCall","id":"a b","name":"x y","input":"{}"},{"type":"toolCall","id":"a b"}]}]`), uint8(0))
	f.Fuzz(func(t *testing.T, text []byte, which uint8) {
		var r transcript.Reader
		list, err := r.Messages(text)
		if err != nil {
			t.Skip()
		}
		in := resolve(t, targets[int(which)%len(targets)])
		in.Messages = list
		body, err := google.Build(in)
		if err != nil {
			t.Fatal(err)
		}
		if found := findings(body, in); len(found) > 0 {
			t.Fatalf("%s\n%s", strings.Join(found, "\n"), body)
		}
		buildtest.Declared(t, in.Report, google.Rules)
	})
}
