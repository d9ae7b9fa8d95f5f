package hygeia

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hygeia/check"
	"hygeia/internal/casetest"
	"hygeia/policy"
)

// everyAPI are targets of each API and kind of endpoint that a request can be
// read for.
var everyAPI = slices.Concat(targets, []Target{
	{Provider: "mistral", API: "mistral-conversations", Model: "mistral-large-latest"},
	{Provider: "mistral", API: "mistral-conversations", Model: "magistral-medium-latest"},
	{Provider: "google", Model: "gemini-2.5-flash"},
	{Provider: "google", Model: "gemini-3.5-flash"},
	{Provider: "google-vertex", Model: "gemini-3-pro-preview"},
	{Provider: "google-vertex", Model: "gemini-2.5-pro"},
	{Provider: "google-gemini-cli", Model: "gemini-2.5-pro"},
	{Provider: "google-gemini-cli", Model: "gemini-3-pro-preview"},
	{Provider: "google-antigravity", Model: "gemini-3-pro-preview"},
	{Provider: "google-antigravity", Model: "claude-opus-4-6-thinking"},
	{Provider: "amazon-bedrock", Model: "anthropic.claude-opus-4-6-v1"},
	{Provider: "anthropic-vertex", Model: "claude-sonnet-4-6"},
	{Provider: "xiaomi", Model: "mimo-v2.5-pro"},
	{Provider: "github-copilot", API: "openai-responses", Model: "gpt-5.1"},
})

// TestPropertyCleanRequest is D-38 and D-39 for every API: a request with which
// nothing is wrong goes out byte for byte, and there is nothing to report.
func TestPropertyCleanRequest(t *testing.T) {
	seen := map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		target := rapid.SampledFrom(everyAPI).Draw(t, "target")
		res, err := policy.Resolve(target, policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		seen[res.Target.API] = true
		c := &clean{t: t, p: res.Policy, target: res.Target}
		body := c.spaced(renderers[decoders[res.Target.API].format](c))
		if found, err := check.Payload([]byte(body), res.Target, check.Options{}); err != nil || len(found) > 0 {
			t.Fatalf("to %+v: the request is not clean: %v %+v\n%s", res.Target, err, found, body)
		}
		r := replayed(t, []byte(body), res.Target)
		if r == nil {
			t.Fatalf("to %+v: nothing went out of %s", res.Target, body)
		}
		if d := cmp.Diff(body, string(r.Body)); d != "" || !r.Report.Empty() {
			t.Fatalf("to %+v: %s\n%s\nrequest: %s", res.Target, d, casetest.Changes(r.Report), body)
		}
	})
	for api := range decoders {
		if !seen[api] && !t.Failed() {
			t.Logf("no request of %s was drawn", api)
		}
	}
}

// clean draws requests with which nothing is wrong.
type clean struct {
	t      *rapid.T
	p      *policy.Policy
	target Target
	n      int // texts and calls so far
	thinks bool
}

func (c *clean) yes(what string) bool { return rapid.Bool().Draw(c.t, what) }

// text returns a JSON string that was not there before.
func (c *clean) text() string {
	c.n++
	return fmt.Sprintf(rapid.SampledFrom([]string{`"plain %d"`, `"caf\u00e9 \ud83d\ude80 %d"`, `"two\nlines %d "`, `"\/ %d"`}).Draw(c.t, "text"), c.n)
}

// turn is a turn of the conversation: of the user, of the model, or the results
// of its calls.
type turn struct {
	user, results bool
	text          string // a JSON string, "" for none
	picture       bool
	calls         []int
	last          bool // of the request
}

// conversation draws turns that alternate as the strictest service wants them: a
// user turn never follows results.
func (c *clean) conversation() []turn {
	var list []turn
	for range rapid.IntRange(1, 4).Draw(c.t, "exchanges") {
		list = append(list, turn{user: true, text: c.text(), picture: c.p.Model.Images && c.yes("picture")})
		for c.yes("calls") {
			m := turn{}
			if c.yes("said") {
				m.text = c.text()
			}
			for range rapid.IntRange(1, 2).Draw(c.t, "calls") {
				c.n++
				m.calls = append(m.calls, c.n)
			}
			list = append(list, m, turn{results: true, text: c.text(), calls: m.calls})
		}
		list = append(list, turn{text: c.text()})
	}
	if list = list[:len(list)-1]; list[len(list)-1].user || c.yes("ends with results") {
		list[len(list)-1].last = true
		return list
	}
	return append(list, turn{text: c.text()}, turn{user: true, text: c.text(), last: true})
}

// spaced draws another spacing of a JSON text.
func (c *clean) spaced(body string) string {
	space := rapid.SampledFrom([]string{"", "", " ", "\n  "}).Draw(c.t, "space")
	var b strings.Builder
	inside := false
	for i := range len(body) {
		b.WriteByte(body[i])
		switch {
		case body[i] == '"' && (i == 0 || body[i-1] != '\\'):
			inside = !inside
		case !inside && (body[i] == ',' || body[i] == ':' || body[i] == '['):
			b.WriteString(space)
		}
	}
	return b.String()
}

// members draws which of the members a body has.
func (c *clean) members(list ...string) string {
	var kept []string
	for _, m := range list {
		if c.yes("member") {
			kept = append(kept, m+",")
		}
	}
	return strings.Join(kept, "")
}

// joined writes a list.
func joined[T any](list []T, write func(T) string) string {
	var all []string
	for _, v := range list {
		if s := write(v); s != "" {
			all = append(all, s)
		}
	}
	return "[" + strings.Join(all, ",") + "]"
}

// some writes a list of what is not "".
func some(list ...string) string { return joined(list, func(s string) string { return s }) }

// when returns s if yes.
func when(yes bool, s string) string {
	if yes {
		return s
	}
	return ""
}

func TestSpaced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &clean{t: t}
		if !bytes.Equal([]byte(strings.NewReplacer(" ", "", "\n", "").Replace(c.spaced(`{"a":["b,\"c",1]}`))), []byte(`{"a":["b,\"c",1]}`)) {
			t.Fatal("the spacing changes the text")
		}
	})
}
