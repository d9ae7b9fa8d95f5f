// Package buildtest runs the txtar cases that stand beside the converters. Each
// case is one archive:
//
//	why the case exists, with the rules it proves
//	-- target --   optional: {"provider":"","api":"","model":""}
//	-- policy --   optional: a JSON object of policy fields, merged onto the base
//	-- options --  optional: {"system":"","maxTokens":0,"thinking":"","sessionId":"","project":""}
//	-- tools --    optional: definitions, a JSON array
//	-- in --       one message per line
//	-- request --  instead of in: the body of a request of the same format
//	-- want --     the body: what stands in front of the messages, then one
//	               message per line; or the error
//	-- changes --  as in package casetest
//	-- notes --    optional: one per line
//
// For every case the harness asserts the body, the changes and the notes, that
// every rule is declared by the package with its kind of loss, that the input
// was not touched, that a second build gives the same bytes and that the oracle
// of the format finds nothing. Of a case with a request it asserts besides that
// package check finds nothing, and that the body, read again, goes out as it is.
// Run the tests with -update to rewrite want,
// changes and notes.
package buildtest

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"hygeia/check"
	"hygeia/hygiene"
	"hygeia/internal/casetest"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/transcript"
	"hygeia/wire"
)

// Format is a converter under test.
type Format struct {
	Build func(*payload.Input) ([]byte, error)
	Rules []hygiene.Rule
	// Decode reads the request of a case that has one.
	Decode func(body []byte) (*wire.Request, error)
	// Findings returns what a strict service would refuse.
	Findings func(body []byte, in *payload.Input) []string
	// Target and Policy are those of cases that name none.
	Target policy.Target
	Policy policy.Policy
}

// Run runs every testdata/*.txtar through the converter.
func Run(t *testing.T, f Format) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in testdata: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			f.run(t, file)
		})
	}
}

func (f Format) run(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	in := f.load(t, archive)
	before := string(casetest.Lines(in.Messages))
	body, err := f.Build(in)
	got := []result{{"want", pretty(body)}, {"changes", string(casetest.Changes(in.Report))}, {"notes", lines(in.Report.Notes)}}
	if err != nil {
		got[0].text = err.Error() + "\n"
	}
	if flag.Lookup("update").Value.String() == "true" {
		for _, g := range got {
			set(archive, g.section, g.text)
		}
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, g := range got {
		if d := cmp.Diff(string(section(archive, g.section)), g.text); d != "" {
			t.Errorf("%s (-want +got):\n%s", g.section, d)
		}
	}
	Declared(t, in.Report, f.Rules)
	if d := cmp.Diff(before, string(casetest.Lines(in.Messages))); d != "" {
		t.Errorf("input was changed (G-3):\n%s", d)
	}
	in.Report = &hygiene.Report{}
	if again, _ := f.Build(in); !bytes.Equal(body, again) {
		t.Error("a second build gives other bytes (W-003)")
	}
	switch {
	case err != nil:
	case in.Request != nil:
		f.settled(t, in, body)
	default:
		for _, finding := range f.Findings(body, in) {
			t.Error(finding)
		}
	}
}

// settled asserts that a body made of a request is accepted and that there is
// nothing left to do.
func (f Format) settled(t *testing.T, in *payload.Input, body []byte) {
	t.Helper()
	found, err := check.Payload(body, in.Target, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range found {
		t.Errorf("%s %s: %s", finding.Rule, finding.Path, finding.Message)
	}
	again := *in
	if again.Request, err = f.Decode(body); err != nil {
		t.Fatal(err)
	}
	again.Messages, again.Report = again.Request.Messages, &hygiene.Report{}
	second, err := f.Build(&again)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(body), string(second)); d != "" || !again.Report.Empty() {
		t.Errorf("the body does not settle (G-2):\n%s\n%s", d, casetest.Changes(again.Report))
	}
}

type result struct{ section, text string }

func (f Format) load(t *testing.T, a *txtar.Archive) *payload.Input {
	t.Helper()
	in := &payload.Input{Target: f.Target, Report: &hygiene.Report{}}
	p := f.Policy
	p.Wire.Efforts = maps.Clone(p.Wire.Efforts) // a case adds to it
	in.Policy = &p
	var o struct {
		System    string        `json:"system"`
		MaxTokens int           `json:"maxTokens"`
		Thinking  payload.Level `json:"thinking"`
		SessionID string        `json:"sessionId"`
		Project   string        `json:"project"`
	}
	for name, v := range map[string]any{"target": &in.Target, "policy": in.Policy, "options": &o} {
		if text := bytes.TrimSpace(section(a, name)); len(text) > 0 {
			if err := json.Unmarshal(text, v, json.RejectUnknownMembers(true)); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
	in.Options = payload.Options{System: o.System, MaxTokens: o.MaxTokens, Thinking: o.Thinking, SessionID: o.SessionID, Project: o.Project}
	if tools := bytes.TrimSpace(section(a, "tools")); len(tools) > 0 {
		if in.Options.Tools = jsonline.Parse(tools); !in.Options.Tools.Exists() {
			t.Fatal("tools: no JSON")
		}
	}
	if body := bytes.TrimSpace(section(a, "request")); len(body) > 0 {
		var err error
		if in.Request, err = f.Decode(body); err != nil {
			t.Fatal(err)
		}
		in.Messages = in.Request.Messages
		return in
	}
	in.Messages = casetest.Messages(t, section(a, "in"))
	return in
}

// Messages reads a JSON array of messages.
func Messages(t interface{ Fatalf(string, ...any) }, text string) []*transcript.Message {
	var r transcript.Reader
	list, err := r.Messages([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return list
}

// Declared asserts that every change names one of the rules and claims no loss
// or invention that the rule does not declare.
func Declared(t interface{ Errorf(string, ...any) }, r *hygiene.Report, list []hygiene.Rule) {
	rules := map[string]hygiene.Rule{}
	for _, rule := range list {
		rules[rule.ID] = rule
	}
	for i := range r.Changes {
		c := &r.Changes[i]
		rule, ok := rules[c.Rule]
		switch {
		case !ok:
			t.Errorf("rule %s is not declared", c.Rule)
		case c.Lossy && !rule.Lossy, c.Synthetic && !rule.Synthetic:
			t.Errorf("rule %s does not declare that it takes away or makes up content", c.Rule)
		case c.Reason == "":
			t.Errorf("rule %s gives no reason", c.Rule)
		}
	}
}

// pretty puts every message of a body on a line of its own.
func pretty(body []byte) string {
	var messages jsonline.Value
	o := jsonline.Parse(body).Object()
	if r := o.Get("request").Object(); r.Exists() {
		o = r // in an envelope
	}
	for _, name := range []string{"messages", "input", "contents"} {
		if messages = o.Get(name); messages.Exists() {
			break
		}
	}
	if messages.Kind != jsonline.Array {
		return string(body)
	}
	at := bytes.LastIndex(body, messages.Raw)
	var b strings.Builder
	b.Write(body[:at])
	b.WriteString("[\n")
	for v := range messages.Elements() {
		b.Write(v.Raw)
		b.WriteByte('\n')
	}
	b.WriteString("]")
	b.Write(body[at+len(messages.Raw):])
	b.WriteByte('\n')
	return b.String()
}

func lines(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return strings.Join(list, "\n") + "\n"
}

func section(a *txtar.Archive, name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

// set replaces a section; an empty one is left away.
func set(a *txtar.Archive, name, data string) {
	for i := range a.Files {
		if a.Files[i].Name == name {
			a.Files[i].Data = []byte(data)
			return
		}
	}
	if data != "" {
		a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(data)})
	}
}
