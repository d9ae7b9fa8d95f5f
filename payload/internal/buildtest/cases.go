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

	"hygeia/hygiene"
	"hygeia/internal/casetest"
	"hygeia/internal/jsonline"
	"hygeia/payload"
)

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

func (f *Format) run(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	in := f.load(t, archive)
	body, err := f.pure(t, in)
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
	switch {
	case err != nil:
	case in.Request != nil:
		for _, finding := range Refused(t, body, in.Target, "AN-35") { // members that nobody knows stay (D-39)
			t.Error(finding)
		}
		f.settles(t, in, body)
	default:
		for _, finding := range f.Findings(body, in) {
			t.Error(finding)
		}
	}
}

type result struct{ section, text string }

func (f *Format) load(t *testing.T, a *txtar.Archive) *payload.Input {
	t.Helper()
	in := &payload.Input{Target: f.Target, Report: &hygiene.Report{}}
	p := f.Policy
	p.Wire.Efforts = maps.Clone(p.Wire.Efforts) // a case adds to it
	in.Policy = &p
	var o struct {
		System    string            `json:"system"`
		MaxTokens int               `json:"maxTokens"`
		Thinking  payload.Level     `json:"thinking"`
		SessionID string            `json:"sessionId"`
		Project   string            `json:"project"`
		Identity  *payload.Identity `json:"identity"`
	}
	for name, v := range map[string]any{"target": &in.Target, "policy": in.Policy, "options": &o} {
		if text := bytes.TrimSpace(section(a, name)); len(text) > 0 {
			if err := json.Unmarshal(text, v, json.RejectUnknownMembers(true)); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
	in.Options = payload.Options{System: o.System, MaxTokens: o.MaxTokens, Thinking: o.Thinking, SessionID: o.SessionID, Project: o.Project, Identity: o.Identity}
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
