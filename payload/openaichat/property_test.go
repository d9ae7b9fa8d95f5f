package openaichat_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/hygiene"
	"hygeia/internal/casetest"
	"hygeia/internal/gen"
	"hygeia/payload"
	"hygeia/payload/internal/buildtest"
	"hygeia/payload/openaichat"
	"hygeia/policy"
	"hygeia/transcript"
)

func (e *endpoint) build(list []*transcript.Message, o payload.Options) ([]byte, *hygiene.Report, error) {
	r := &hygiene.Report{Target: e.target}
	body, err := openaichat.Build(&payload.Input{Messages: list, Target: e.target, Policy: &e.policy, Options: o, Report: r})
	return body, r, err
}

// TestAccepted proves G-1 for what the passes leave: no finding of CC-01…CC-08,
// CC-10…CC-20, CC-23, LO-01…LO-04, MI-01…MI-06, OP-02 and OP-03. It asserts
// that the input is not touched and that a second build gives the same bytes.
func TestAccepted(t *testing.T) {
	for _, e := range endpoints {
		t.Run(e.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				list, o := e.messages(t), e.options(t)
				before := string(casetest.Lines(list))
				body, report, err := e.build(list, o)
				if err != nil {
					if !errors.Is(err, payload.ErrNothingToSend) {
						t.Fatal(err)
					}
					return
				}
				if f := findings(body, &e.policy, &o); len(f) > 0 {
					t.Fatalf("%s\n%s\n%s", strings.Join(f, "\n"), pretty(body), before)
				}
				buildtest.Declared(t, report, openaichat.Rules)
				again, _, _ := e.build(list, o)
				if !bytes.Equal(body, again) || before != string(casetest.Lines(list)) {
					t.Fatal("not pure (G-3)")
				}
			})
		})
	}
}

// TestAccounted proves G-4: what a message says stands in the body, unless a
// change names that message.
func TestAccounted(t *testing.T) {
	for _, e := range endpoints {
		t.Run(e.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				list, o := e.messages(t), e.options(t)
				body, report, err := e.build(list, o)
				if err != nil {
					return
				}
				named := map[int]bool{}
				for i := range report.Changes {
					c := &report.Changes[i]
					if c.Op != hygiene.Move && c.Op != hygiene.Insert {
						named[c.Message] = true
					}
				}
				said := words(t, body)
				for i, m := range list {
					if named[i] {
						continue
					}
					for _, b := range append(m.Blocks(), transcript.NewTextBlockValue(m.Text())) {
						if s := b.Text(); s != "" && s != "[empty content omitted]" && !strings.Contains(said, s) {
							t.Fatalf("message %d lost %q:\n%s\n%s", i, s, m.AppendJSON(nil), pretty(body))
						}
						if b.IsToolCall() && !strings.Contains(said, string(b.Get("arguments").Raw)) {
							t.Fatalf("message %d lost arguments %s", i, b.Get("arguments").Raw)
						}
					}
				}
			})
		})
	}
}

// words returns all strings of a body.
func words(t *rapid.T, body []byte) string {
	var v any
	if err := json.Unmarshal(body, &v); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			b.WriteString(v + "\x00")
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(v)
	return b.String()
}

// TestPrefixStable proves G-5 as D-21 reads it: messages of a shorter history
// have the same bytes in the body of the longer one, unless a rule that
// declares so changed them.
func TestPrefixStable(t *testing.T) {
	unstable := map[string]bool{}
	for _, r := range openaichat.Rules {
		unstable[r.ID] = r.Unstable != ""
	}
	for _, e := range endpoints {
		t.Run(e.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				list, o := e.messages(t), e.options(t)
				cut := rapid.IntRange(1, len(list)).Draw(t, "cut")
				for cut < len(list) && list[cut].Is(transcript.ToolResult) {
					cut++
				}
				short, shortReport, err := e.build(list[:cut], o)
				if err != nil {
					return
				}
				long, longReport, err := e.build(list, o)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range []*hygiene.Report{shortReport, longReport} {
					for i := range r.Changes {
						if unstable[r.Changes[i].Rule] {
							return
						}
					}
				}
				a, b := stable(short), stable(long)
				for i := range a {
					if i >= len(b) || a[i] != b[i] {
						t.Fatalf("message %d changed when turns were appended:\n%s\n%s", i, pretty(short), pretty(long))
					}
				}
			})
		})
	}
}

var loneText = regexp.MustCompile(`\[\{"type":"text","text":("(?:[^"\\]|\\.)*")\}\]`)

// stable returns the messages of a body without cache markers, a lone text part
// as its string (D-21).
func stable(body []byte) []string {
	body = bytes.ReplaceAll(body, []byte(`,"cache_control":{"type":"ephemeral"}`), nil)
	body = loneText.ReplaceAll(body, []byte("$1"))
	return messagesOf(body)
}

// TestHostile proves that a body is valid JSON with paired calls whatever the
// messages are: nothing here went through a pass.
func TestHostile(t *testing.T) {
	for _, e := range endpoints {
		t.Run(e.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				c := gen.Context(t)
				o := e.options(t)
				body, report, err := e.build(c.Messages, o)
				if err != nil {
					return
				}
				if f := findings(body, e.unordered(), &o); len(f) > 0 {
					t.Fatalf("%s\n%s\n%s", strings.Join(f, "\n"), pretty(body), casetest.Lines(c.Messages))
				}
				buildtest.Declared(t, report, openaichat.Rules)
			})
		})
	}
}

// unordered is the policy without what only the passes can see to: the form of
// ids.
func (e *endpoint) unordered() *policy.Policy {
	p := e.policy
	p.ToolCallIDForm, p.ToolCallIDMode = policy.IDForm{}, ""
	return &p
}

func FuzzBuild(f *testing.F) {
	f.Add([]byte(`[{"role":"user","content":"hi"}]`), uint8(0), "sys")
	f.Add([]byte(`[{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"n","arguments":{}}]},{"role":"toolResult","toolCallId":"c","content":[{"type":"image","data":"AA==","mimeType":"image/png"}]},{"role":"user","content":[7,null,{"type":"text","text":"\ud800\u0000"}]}]`), uint8(3), "")
	f.Add([]byte(`[{"role":"assistant","content":{"type":"thinking","thinking":"k","thinkingSignature":"reasoning"}},{"role":"user","content":null}]`), uint8(2), "a<!-- OPENCLAW_CACHE_BOUNDARY -->b")
	f.Fuzz(func(t *testing.T, text []byte, which uint8, system string) {
		var r transcript.Reader
		list, err := r.Messages(text)
		if err != nil {
			return
		}
		e := endpoints[int(which)%len(endpoints)]
		o := payload.Options{System: system}
		body, report, err := e.build(list, o)
		if err != nil {
			return
		}
		if f := findings(body, e.unordered(), &o); len(f) > 0 {
			t.Fatalf("%s\n%s", strings.Join(f, "\n"), body)
		}
		buildtest.Declared(t, report, openaichat.Rules)
	})
}

// BenchmarkBuild builds 8 MB of history in different shapes.
func BenchmarkBuild(b *testing.B) {
	long := strings.Repeat("The quick brown fox jumps over the lazy dog. ", 1800)
	for _, shape := range []struct {
		name    string
		turns   int
		text    string
		payload string
	}{
		{"8MB/long", 50, long, ""},
		{"8MB/short", 20000, long[:200], ""},
		{"8MB/arguments", 100, "", long},
		{"1000", 500, "short text", ""},
	} {
		b.Run(shape.name, func(b *testing.B) {
			var lines []string
			for i := range shape.turns {
				args, _ := json.Marshal(map[string]string{"path": "x", "content": shape.payload})
				lines = append(lines,
					fmt.Sprintf(`{"role":"user","content":[{"type":"text","text":%q}],"timestamp":1}`, "q"+shape.text),
					fmt.Sprintf(`{"role":"assistant","content":[{"type":"text","text":%q},{"type":"toolCall","id":"call%d","name":"read","arguments":%s}],"stopReason":"toolUse","timestamp":2}`, "a"+shape.text, i, args),
					fmt.Sprintf(`{"role":"toolResult","toolCallId":"call%d","toolName":"read","content":[{"type":"text","text":"ok"}],"isError":false,"timestamp":3}`, i))
			}
			var r transcript.Reader
			list, err := r.Messages([]byte("[" + strings.Join(lines, ",") + "]"))
			if err != nil {
				b.Fatal(err)
			}
			e := endpoints[0]
			body, _, err := e.build(list, payload.Options{})
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := e.build(list, payload.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
