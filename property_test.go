package hygeia

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"hygeia/hygiene"
	"hygeia/hygiene/passes"
	"hygeia/internal/casetest"
	"hygeia/internal/gen"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/transcript"
)

// targets are one of each kind of policy and model.
var targets = []Target{
	{Provider: "anthropic", Model: "claude-opus-4-6"},
	{Provider: "anthropic", Model: "claude-sonnet-4-5"},
	{Provider: "anthropic", Model: "claude-3-7-sonnet"},
	{Provider: "anthropic", Model: "claude-opus-5-5"},
	{Provider: "minimax", Model: "MiniMax-M2.7"},
	{Provider: "minimax", API: "openai-completions", Model: "MiniMax-M2.7"},
	{Provider: "cloudflare-ai-gateway", Model: "claude-sonnet-4-5"},
	{Provider: "kimi", Model: "kimi-for-coding"},
	{Provider: "amazon-bedrock", API: "anthropic-messages", Model: "claude-sonnet-4-5"},
	{Provider: "openai", API: "openai-completions", Model: "gpt-4o"},
	{Provider: "vllm", Model: "qwen3"},
	{Provider: "groq", Model: "openai/gpt-oss-120b"},
	{Provider: "mistral", Model: "mistral-large-latest"},
	{Provider: "openrouter", Model: "anthropic/claude-sonnet-4.5"},
	{Provider: "openrouter", Model: "google/gemini-2.5-pro"},
	{Provider: "deepseek", Model: "deepseek-reasoner"},
	{Provider: "moonshot", Model: "kimi-k2.5"},
	{Provider: "xai", Model: "grok-4"},
	{Provider: "nobody", Model: "nothing"},
	{Provider: "openai", Model: "gpt-5.1"},
	{Provider: "openai-codex", Model: "gpt-5.4"},
	{Provider: "azure-openai", Model: "gpt-5.1"},
	{Provider: "google", Model: "gemini-3-pro-preview"},
	{Provider: "google-antigravity", Model: "claude-sonnet-4-5"},
	{Provider: "amazon-bedrock", Model: "anthropic.claude-sonnet-4-5-20250929-v1:0"},
	{Provider: "amazon-bedrock", Model: "meta.llama4-maverick-17b-instruct-v1:0"},
	{Provider: "github-copilot", API: "openai-completions", Model: "claude-opus-4"},
	{Provider: "ollama", Model: "devstral"},
}

// trial is a generated transcript and a target.
type trial struct {
	ctx    *transcript.Context
	target Target
	text   []byte // the messages as they were made
}

func draw(t *rapid.T) *trial {
	c := gen.Context(t)
	return &trial{c, rapid.SampledFrom(targets).Draw(t, "target"), casetest.Lines(c.Messages)}
}

func (tr *trial) replay(t *rapid.T, c *transcript.Context) *Replay {
	in := &Transcript{Name: "generated", Format: FormatMessages, Context: c}
	r, err := in.Replay(tr.target, ReplayOptions{})
	if errors.Is(err, ErrNoConverter) || errors.Is(err, payload.ErrNothingToSend) {
		r, err = in.Replay(tr.target, ReplayOptions{MessagesOnly: true})
	}
	if err != nil {
		t.Fatalf("replay to %+v: %v\n%s", tr.target, err, tr.text)
	}
	return r
}

// TestPropertyIdempotent is G-2 (R-03, W-004): the pipeline changes nothing of its
// own output.
func TestPropertyIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := draw(t)
		first := tr.replay(t, tr.ctx)
		again := *tr.ctx
		again.Messages = first.Messages
		second := hygiene.Sanitize(&again, first.Resolution.Target, first.Resolution.Policy, passes.Suite)
		if !second.Report.Empty() || !bytes.Equal(casetest.Lines(first.Messages), casetest.Lines(second.Messages)) {
			t.Fatalf("a second run to %+v changes\n%s\nfirst run:\n%s\ninput:\n%s\noutput:\n%s", tr.target,
				casetest.Changes(&second.Report), casetest.Changes(first.Report), tr.text, casetest.Lines(first.Messages))
		}
	})
}

// TestPropertyPure is G-3: the input is not changed, and the same input
// gives the same bytes.
func TestPropertyPure(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := draw(t)
		first, second := tr.replay(t, tr.ctx), tr.replay(t, tr.ctx)
		if !bytes.Equal(tr.text, casetest.Lines(tr.ctx.Messages)) {
			t.Fatalf("the input was changed to\n%s", casetest.Lines(tr.ctx.Messages))
		}
		if !bytes.Equal(first.Body, second.Body) || !bytes.Equal(first.MessagesJSON(), second.MessagesJSON()) {
			t.Fatalf("two runs differ:\n%s\n%s", first.Body, second.Body)
		}
		if !bytes.Equal(casetest.Changes(first.Report), casetest.Changes(second.Report)) {
			t.Fatal("two reports differ")
		}
		if first.Body != nil && !jsontext.Value(first.Body).IsValid() {
			t.Fatalf("the body is no valid JSON: %s", first.Body)
		}
	})
}

// TestPropertyAccounted is G-4: every difference is a change with a declared
// rule, nothing real disappears without one, and no real tool result gives way
// to a stand-in.
func TestPropertyAccounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := draw(t)
		res, err := policy.Resolve(tr.target, policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		run := hygiene.Sanitize(tr.ctx, res.Target, res.Policy, passes.Suite)
		casetest.Declared(t, &run.Report, passes.Suite)
		touched := map[int]bool{}
		inserted := 0
		for i := range run.Report.Changes {
			c := &run.Report.Changes[i]
			if c.Op == hygiene.Insert && c.Block < 0 {
				if _, ok := c.After.(*transcript.Message); ok {
					inserted++
					continue
				}
			}
			touched[c.Message] = true
			if to, ok := c.After.(*transcript.Message); ok && c.Op == hygiene.Move {
				touched[to.Origin.Index] = true // what it was joined with
			}
		}
		left := map[int]*transcript.Message{}
		for _, m := range run.Messages {
			if m.Origin.Index < 0 {
				inserted--
				continue
			}
			left[m.Origin.Index] = m
		}
		if inserted < 0 {
			t.Fatalf("%d messages were made up without a change\n%s", -inserted, casetest.Changes(&run.Report))
		}
		for i, m := range tr.ctx.Messages {
			out := left[i]
			if touched[i] || out == m || hiddenOnly(m, out) {
				continue
			}
			t.Fatalf("to %+v: message %d changed without an entry:\n%s\nbecame %v\nreport:\n%s", tr.target, i,
				m.AppendJSON(nil), out, casetest.Changes(&run.Report))
		}
	})
}

// hiddenOnly reports whether a message differs only in what is counted (D-28).
func hiddenOnly(before, after *transcript.Message) bool {
	return after != nil && bytes.Equal(before.Without("details").AppendJSON(nil), after.AppendJSON(nil))
}

// TestPropertyPrefixStable is G-5: turns that are appended leave the bytes of
// earlier messages as they were, unless a rule that says so was at work.
func TestPropertyPrefixStable(t *testing.T) {
	unstable := map[string]bool{}
	for _, r := range Rules() {
		if r.Unstable != "" {
			unstable[r.ID] = true
		}
	}
	quiet := func(r *Replay) bool {
		for i := range r.Report.Changes {
			if unstable[r.Report.Changes[i].Rule] {
				return false
			}
		}
		return true
	}
	rapid.Check(t, func(t *rapid.T) {
		tr := draw(t)
		n := len(tr.ctx.Messages)
		k := rapid.IntRange(0, n).Draw(t, "prefix")
		if k == n || k == 0 || tr.ctx.Compaction >= 0 || !tr.ctx.Messages[k].Is(transcript.User) {
			t.Skip()
		}
		short := *tr.ctx
		short.Messages = tr.ctx.Messages[:k]
		a, b := tr.replay(t, &short), tr.replay(t, tr.ctx)
		if !quiet(a) || !quiet(b) || a.Body == nil || b.Body == nil {
			return
		}
		early, late := bodyMessages(t, a.Body), bodyMessages(t, b.Body)
		for i := range early {
			if i == len(early)-1 && i < len(late) {
				break // the last message may grow by the turn behind it
			}
			if i >= len(late) || early[i] != late[i] {
				t.Fatalf("to %+v: message %d of %d changed when turns were appended\nbefore %s\nafter  %s\ninput:\n%s", tr.target, i, k,
					early[i], late[min(i, len(late)-1)], tr.text)
			}
		}
	})
}

// bodyMessages returns the messages of a body in the spelling that D-21
// compares: without cache markers, a lone text block as its string.
func bodyMessages(t *rapid.T, body []byte) []string {
	var v map[string]any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatalf("body: %v", err)
	}
	if inner, ok := v["request"].(map[string]any); ok {
		v = inner // envelope of Cloud Code Assist
	}
	list, _ := v["messages"].([]any)
	for _, name := range []string{"input", "contents"} {
		if l, ok := v[name].([]any); ok {
			list = l
		}
	}
	var out []string
	for _, m := range list {
		text, err := json.Marshal(comparable21(m), json.Deterministic(true))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, string(text))
	}
	return out
}

func comparable21(v any) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "cache_control")
		for k, e := range v {
			v[k] = comparable21(e)
		}
		return v
	case []any:
		for i := range v {
			v[i] = comparable21(v[i])
		}
		if len(v) == 1 {
			if m, ok := v[0].(map[string]any); ok && len(m) == 2 && m["type"] == "text" {
				return m["text"]
			}
		}
		return v
	}
	return v
}

// TestPropertyByteExact is G-7: in what is left of a message, members that
// nobody knows keep their bytes.
func TestPropertyByteExact(t *testing.T) {
	const unknown = `"xUnknown":{"n":1.0,"big":12345678901234567890}`
	rapid.Check(t, func(t *rapid.T) {
		tr := draw(t)
		r := tr.replay(t, tr.ctx)
		merged := map[int]bool{}
		for i := range r.Report.Changes {
			if c := &r.Report.Changes[i]; c.Op == hygiene.Move {
				merged[c.Message] = true
				if to, ok := c.After.(*transcript.Message); ok {
					merged[to.Origin.Index] = true
				}
			}
		}
		for _, m := range r.Messages {
			i := m.Origin.Index
			if i < 0 || merged[i] {
				continue
			}
			had := bytes.Contains(tr.ctx.Messages[i].AppendJSON(nil), []byte(unknown))
			if had && !bytes.Contains(m.AppendJSON(nil), []byte(unknown)) {
				t.Fatalf("message %d lost bytes of an unknown member:\n%s\n%s", i, tr.ctx.Messages[i].AppendJSON(nil), m.AppendJSON(nil))
			}
		}
	})
}

// FuzzReplay feeds any bytes to the whole pipeline: no panic, and a body that
// is JSON.
func FuzzReplay(f *testing.F) {
	f.Add([]byte(`[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f","arguments":{}}]}]`), 0)
	f.Add([]byte("{\"type\":\"session\",\"version\":3,\"id\":\"s\"}\n{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"message\":{\"role\":\"user\",\"content\":\"x\"}}\n"), 9)
	f.Fuzz(func(t *testing.T, text []byte, n int) {
		in, err := Read(bytes.NewReader(text), "fuzz", OpenOptions{})
		if err != nil {
			return
		}
		target := targets[uint(n)%uint(len(targets))]
		r, err := in.Replay(target, ReplayOptions{})
		switch {
		case errors.Is(err, ErrNoConverter), errors.Is(err, payload.ErrNothingToSend):
			return
		case err != nil:
			t.Fatalf("%+v: %v", target, err)
		}
		if !jsontext.Value(r.Body).IsValid() {
			t.Fatalf("the body is no JSON: %s", r.Body)
		}
		if _, err := in.ReportJSON(r); err != nil {
			t.Fatal(fmt.Errorf("report: %w", err))
		}
	})
}
