package openaichat_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"hygeia/hygiene"
	"hygeia/internal/casetest"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/openaichat"
	"hygeia/policy"
	"hygeia/transcript"
)

// options are the options of a case in JSON.
type options struct {
	System    string        `json:"system"`
	MaxTokens int           `json:"maxTokens"`
	Thinking  payload.Level `json:"thinking"`
}

// testCase is one archive of testdata:
//
//	why the case exists, with the rules it proves
//	-- target --   optional: {"provider":"","api":"","model":""}
//	-- policy --   a JSON object of policy fields, merged onto base
//	-- options --  optional: {"system":"","maxTokens":0,"thinking":""}
//	-- tools --    optional: definitions, a JSON array
//	-- in --       one message per line
//	-- want --     the body: what stands in front of the messages, then one
//	               message per line; or the error
//	-- changes --  as in package casetest
//	-- notes --    optional: one per line
type testCase struct {
	archive *txtar.Archive
	target  policy.Target
	policy  policy.Policy
	options payload.Options
	list    []*transcript.Message
}

func load(t *testing.T, file string) *testCase {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := &testCase{
		archive: a,
		target:  policy.Target{Provider: "mybox", API: "openai-completions", Model: "m1"},
		policy:  policy.Policy{Model: policy.Model{Images: true}},
	}
	var o options
	for section, v := range map[string]any{"target": &c.target, "policy": &c.policy, "options": &o} {
		if text := bytes.TrimSpace(c.section(section)); len(text) > 0 {
			if err := json.Unmarshal(text, v, json.RejectUnknownMembers(true)); err != nil {
				t.Fatalf("%s: %v", section, err)
			}
		}
	}
	c.options = payload.Options{System: o.System, MaxTokens: o.MaxTokens, Thinking: o.Thinking}
	if tools := bytes.TrimSpace(c.section("tools")); len(tools) > 0 {
		if c.options.Tools = jsonline.Parse(tools); !c.options.Tools.Exists() {
			t.Fatal("tools: no JSON")
		}
	}
	c.list = casetest.Messages(t, c.section("in"))
	return c
}

func (c *testCase) build() ([]byte, *hygiene.Report, error) {
	r := &hygiene.Report{Target: c.target}
	body, err := openaichat.Build(&payload.Input{
		Messages: c.list, Target: c.target, Policy: &c.policy, Options: c.options, Report: r,
	})
	return body, r, err
}

func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in testdata: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			c := load(t, file)
			before := string(casetest.Lines(c.list))
			body, report, err := c.build()
			want := pretty(body)
			if err != nil {
				want = err.Error() + "\n"
			}
			if flag.Lookup("update").Value.String() == "true" {
				c.set("want", want)
				c.set("changes", string(casetest.Changes(report)))
				if len(report.Notes) > 0 {
					c.set("notes", strings.Join(report.Notes, "\n")+"\n")
				}
				if err := os.WriteFile(file, txtar.Format(c.archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if d := cmp.Diff(string(c.section("want")), want); d != "" {
				t.Errorf("body (-want +got):\n%s", d)
			}
			if d := cmp.Diff(string(c.section("changes")), string(casetest.Changes(report))); d != "" {
				t.Errorf("changes (-want +got):\n%s", d)
			}
			if d := cmp.Diff(strings.TrimSpace(string(c.section("notes"))), strings.Join(report.Notes, "\n")); d != "" {
				t.Errorf("notes (-want +got):\n%s", d)
			}
			declared(t, report)
			if after := string(casetest.Lines(c.list)); after != before {
				t.Errorf("input was changed (G-3):\n%s", cmp.Diff(before, after))
			}
			again, _, _ := c.build()
			if !bytes.Equal(body, again) {
				t.Error("a second build gives other bytes (W-003)")
			}
			if err == nil {
				for _, f := range findings(body, &c.policy, &c.options) {
					t.Error(f)
				}
			} else if !errors.Is(err, payload.ErrNothingToSend) {
				t.Errorf("unexpected error %v", err)
			}
		})
	}
}

// declared asserts that every change names a rule of the package and claims no
// loss or invention that the rule does not declare.
func declared(t interface{ Errorf(string, ...any) }, r *hygiene.Report) {
	rules := map[string]hygiene.Rule{}
	for _, rule := range openaichat.Rules {
		rules[rule.ID] = rule
	}
	for i := range r.Changes {
		c := &r.Changes[i]
		rule, ok := rules[c.Rule]
		switch {
		case !ok:
			t.Errorf("rule %s is not declared", c.Rule)
		case c.Lossy && !rule.Lossy, c.Synthetic && !rule.Synthetic:
			t.Errorf("rule %s does not declare what it does: %+v", c.Rule, c)
		case c.Reason == "":
			t.Errorf("rule %s gives no reason", c.Rule)
		}
	}
}

// pretty puts every message of a body on a line of its own.
func pretty(body []byte) string {
	if body == nil {
		return ""
	}
	messages := jsonline.Parse(body).Object().Get("messages").Raw
	at := bytes.LastIndex(body, messages)
	var b strings.Builder
	b.Write(body[:at])
	b.WriteString("[\n")
	for v := range jsonline.Parse(messages).Elements() {
		b.Write(v.Raw)
		b.WriteByte('\n')
	}
	b.WriteString("]")
	b.Write(body[at+len(messages):])
	b.WriteByte('\n')
	return b.String()
}

func (c *testCase) section(name string) []byte {
	for _, f := range c.archive.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func (c *testCase) set(name, data string) {
	for i := range c.archive.Files {
		if c.archive.Files[i].Name == name {
			c.archive.Files[i].Data = []byte(data)
			return
		}
	}
	c.archive.Files = append(c.archive.Files, txtar.File{Name: name, Data: []byte(data)})
}
