package policy

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Words that targets are drawn from: everything that some rule looks at.
var (
	someAPIs = append(APIs(), "", "openai-codex-responses", "openai-chat", "foo")

	someModels = strings.Fields(`claude-opus-4-6 claude-2.1 claude-3-5-haiku claude-opus-4-1 claude-sonnet-4 claude-sonnet-5 claude-sonnet-5-5 claude-opus-5-5
		claude-haiku-3-5 claude-3-opus-20240229 claude-opus-4-8 claude-x anthropic/claude-4.5-sonnet openrouter/anthropic/claude-fable-5-1 gpt-4o gpt-4.1
		gpt-5.1-codex gpt-5-chat-latest gpt-4 o3-mini o1 openai/gpt-oss-120b google/gemini-2.5-pro gemini-3-flash gemini-2.5-flash-lite gemini-1.5-pro
		gemini-flash-latest mistral-large mixtral-8x7b devstral pixtral codestral mistralai/Mistral-7B-Instruct-v0.3 deepseek-reasoner deepseek-chat
		deepseek-v4-pro deepseek-r1-distill-llama-70b deepseek-r1-distill-qwen moonshotai/kimi-k2.6:free kimi-k2-thinking kimi-for-coding mimo-v2-pro mimo-v2-omni
		MiniMax-M2.7 MiniMax-M3 grok-4 grok-4-fast-non-reasoning grok-3-mini x-ai/grok-code-fast-1 qwen3-vl-8b qwen3:8b qwen3-coder qwq glm-4.6 glm-4.5v
		amazon.nova-pro llama-2-7b llama3.3 gemma3:4b nemotron-nano magistral-small none`)
)

func someProviders() []string {
	out := []string{"", "nobody"}
	for _, p := range Profiles() {
		out = append(append(append(out, p.ID), p.Aliases...), p.AlsoAnswersTo...)
	}
	return out
}

func drawOptions(t *rapid.T) Options {
	fact := rapid.SampledFrom([]*bool{nil, new(bool), func() *bool { b := true; return &b }()})
	return Options{
		Entry: Entry{
			API:                     rapid.SampledFrom(append(someProviders(), someAPIs...)).Draw(t, "hint"),
			UserWritten:             rapid.Bool().Draw(t, "written"),
			Reasoning:               fact.Draw(t, "reasoning"),
			SupportsReasoningEffort: fact.Draw(t, "effort"),
			Input:                   rapid.SampledFrom([][]string{nil, {"text"}, {"text", " Image"}}).Draw(t, "input"),
			BaseURL:                 rapid.SampledFrom([]string{"", "http://localhost:8080/v1", "https://openrouter.ai/api/v1", "%", "https://api.openai.com"}).Draw(t, "url"),
			CanonicalModelID:        rapid.SampledFrom(append(someModels, "")).Draw(t, "canonical"),
		},
		Reasoning:       fact.Draw(t, "--reasoning"),
		Images:          fact.Draw(t, "--images"),
		ForeignThinking: rapid.SampledFrom([]ForeignThinking{"", ForeignText}).Draw(t, "foreign"),
	}
}

// TestTraceIsComplete_PB08: every field that differs from the defaults has
// exactly one entry, whose value is the field's; nothing ties; the result is
// the same each time (P-11), and that of the target as it was resolved, so nothing
// but provider, API, model and options decides (W-005) (P-B08).
func TestTraceIsComplete_PB08(t *testing.T) {
	defaults, err := Resolve(Target{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		target := Target{
			Provider: rapid.SampledFrom(someProviders()).Draw(rt, "provider"),
			API:      rapid.SampledFrom(someAPIs).Draw(rt, "api"),
			Model:    rapid.SampledFrom(someModels).Draw(rt, "model"),
		}
		o := drawOptions(rt)
		res, err := Resolve(target, o)
		if err != nil {
			rt.Fatal(err)
		}
		checkTrace(rt, res, defaults.Policy)
		again, _ := Resolve(target, o)
		if diff := cmp.Diff(res, again); diff != "" {
			rt.Fatalf("second result differs:\n%s", diff)
		}
		folded, err := Resolve(res.Target, o)
		if err != nil || res.DefaultedAPI == "" && !reflect.DeepEqual(folded.Policy, res.Policy) {
			rt.Fatalf("the folded target resolves differently: %v", err)
		}
	})
}

func checkTrace(t *rapid.T, res *Resolution, defaults *Policy) {
	seen := map[string]string{}
	for _, e := range res.Trace {
		if _, twice := seen[e.Field]; twice {
			t.Fatalf("two entries for %s", e.Field)
		}
		if e.From == "" || e.Source == "" {
			t.Fatalf("entry without a reason: %+v", e)
		}
		seen[e.Field] = string(e.Value)
	}
	got, def := reflect.ValueOf(res.Policy).Elem(), reflect.ValueOf(defaults).Elem()
	for _, f := range fields {
		value := got.FieldByIndex(f.index).Interface()
		entry, ok := seen[f.name]
		if !ok {
			if !reflect.DeepEqual(value, def.FieldByIndex(f.index).Interface()) {
				t.Fatalf("%s is %v without an entry", f.name, value)
			}
			continue
		}
		if raw := string(rawOf(value)); raw != entry {
			t.Fatalf("%s is %s, its entry says %s", f.name, raw, entry)
		}
	}
}

// TestResolutionJSON pins the shape of design §8.
func TestResolutionJSON(t *testing.T) {
	res := resolve(t, "mistral", "", "x", Options{})
	data, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		`"target":{"provider":"mistral","api":"openai-completions","model":"x"}`,
		`"policy":{"sanitizeMode":"images-only","sanitizeToolCallIds":true,"toolCallIdMode":"strict9"`,
		`{"field":"toolCallIdMode","value":"strict9","from":"family mi","source":"P-14 MI, W-804, W-805, W-807","verified":"2026-11-30"}`,
		`"defaultedApi":"openai-completions"`,
	} {
		if !strings.Contains(string(data), part) {
			t.Errorf("no %s in\n%s", part, data)
		}
	}
}

func FuzzResolve(f *testing.F) {
	f.Add("anthropic", "", "claude-opus-4-6", "", "")
	f.Add("openai-codex", "openai-codex-responses", "gpt-5.1", "", "https://chatgpt.com/backend-api")
	f.Add("mybox", "", "a/b:c", "ollama", "http://[::1")
	f.Add(" \xff", "@", "@", "@responses", "://")
	f.Fuzz(func(t *testing.T, provider, api, model, hint, url string) {
		target := Target{Provider: provider, API: api, Model: model}
		res, err := Resolve(target, Options{Entry: Entry{API: hint, BaseURL: url, CanonicalModelID: hint}})
		if err != nil {
			t.Fatal(err)
		}
		if !SameRoute(res.Target, Target{provider, res.Target.API, model}) {
			t.Fatalf("%+v became another route: %+v", target, res.Target)
		}
		if res.Policy.Responses && res.Policy.SanitizeToolCallIDs {
			t.Fatal("P-B04")
		}
	})
}

func FuzzParseTarget(f *testing.F) {
	for _, s := range []string{"a/b", "openrouter/anthropic/claude", " /", "", "\xff/\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		target, err := ParseTarget(s)
		if err != nil {
			return
		}
		if target.Provider == "" || target.Model == "" || target.Provider != lower(target.Provider) {
			t.Fatalf("%q became %+v", s, target)
		}
		if _, err := Resolve(target, Options{}); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzProfile reads hostile profiles, alone for speed.
func FuzzProfile(f *testing.F) {
	for _, file := range builtinFiles() {
		f.Add(file.Data)
	}
	f.Add([]byte(`{"patterns":{"a":["b+","@a"]},"providers":[{"id":"openai","source":"s","verified":"2026-01-02","rules":[{"when":{"models":["(?i)gpt"]},"set":{"model":{}}}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := compile([]File{{Name: "x", Data: data, user: true}})
		if err != nil {
			var pe *ProfileError
			if !errors.As(err, &pe) || pe.File != "x" {
				t.Fatalf("error %v does not name the file", err)
			}
			return
		}
		_, _ = Resolve(Target{Provider: "openai", Model: "gpt-5"}, Options{Catalogue: c})
	})
}

func BenchmarkResolve(b *testing.B) {
	for _, target := range []Target{
		{"anthropic", antAPI, "claude-opus-4-6"},
		{"openrouter", ccAPI, "mistralai/mistral-small-2603"},
		{"nobody", "", "none"},
	} {
		b.Run(target.Provider, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Resolve(target, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := Load(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSameRoute(b *testing.B) {
	b.ReportAllocs()
	x := Target{"anthropic", antAPI, "claude-opus-4-6"}
	y := Target{"amazon-bedrock", brAPI, "claude-opus-4-6"}
	for b.Loop() {
		SameRoute(x, y)
	}
}
