package google_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"hygeia/internal/jsonline"
	"hygeia/payload/google"
	"hygeia/payload/internal/buildtest"
	"hygeia/policy"
)

// endpoints stand for every kind of policy in this format.
var endpoints = buildtest.Resolve([]policy.Target{
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
}...)

const tools = `[{"functionDeclarations":[{"name":"read","parametersJsonSchema":{"type":"object","additionalProperties":false}},` +
	`{"name":"a b","parameters":{"type":"object","properties":{"x":{"const":1}}}},{"name":"bash"}]}]`

func TestProperty(t *testing.T) { buildtest.Properties(t, format) }

func TestLinear(t *testing.T) { buildtest.Linear(t, format) }

func FuzzBuild(f *testing.F) { buildtest.Fuzz(f, format) }

func BenchmarkBuild(b *testing.B) {
	buildtest.Benchmark(b, format, buildtest.Variant{
		Name: "in an envelope", In: buildtest.Input(policy.Target{Provider: "google-antigravity", Model: "gemini-3-pro"}),
	})
}

// W-631, W-003: the id of a request is that of its bytes.
func TestRequestID(t *testing.T) {
	id := func(text, system string) string {
		in := buildtest.Input(policy.Target{Provider: "google-gemini-cli", Model: "gemini-2.5-pro"})
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
	in := endpoints[0].Input()
	in.Messages = buildtest.Messages(t, `[{"role":"user","content":"q"},{"role":"assistant","content":[`+strings.Join(calls, ",")+`]}]`)
	body, err := google.Build(in)
	if n := bytes.Count(body, []byte("functionCall")); err != nil || n != 15 || in.Report.Counts()["W-109"] != 25 || len(findings(body, in)) > 0 {
		t.Errorf("%d calls: %v\n%s", n, err, body)
	}
}
