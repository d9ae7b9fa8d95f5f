// Package casetest runs the txtar cases that stand beside passes. Each case is
// one archive:
//
//	why the case exists and where it comes from, with the rules it proves
//	-- target --   optional: {"provider":"","api":"","model":""}
//	-- policy --   a JSON object of policy fields, merged onto the zero policy
//	-- context --  optional: {"compaction":2,"rejectedThinking":-1,
//	               "positions":[0,1,3],"snapshots":[{"position":0,
//	               "provider":"","api":"","model":""}],"tools":["read"],
//	               "request":false}
//	-- in --       one message per line
//	-- want --     one message per line
//	-- changes --  one line per change: rule op message=N [block=N] [lossy]
//	               [synthetic], then a colon and the reason
//	-- hidden --   optional: rule=N, one per line
//
// For every case the harness asserts the output, the changes, that the input
// was not touched, that a second run changes nothing, that every rule is
// declared by its pass with its kind of loss, and that an unknown member put
// into every message survives. Run the tests with -update to rewrite want,
// changes and hidden.
package casetest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/rogpeppe/go-internal/txtar"

	"hygeia/hygiene"
	"hygeia/policy"
	"hygeia/transcript"
)

var update = flag.Bool("update", false, "rewrite the outputs of txtar cases")

// Case is a parsed archive.
type Case struct {
	Name    string
	Target  policy.Target
	Policy  *policy.Policy
	Context *transcript.Context
	archive *txtar.Archive
}

// Run runs every testdata/*.txtar through the passes.
func Run(t *testing.T, passes ...*hygiene.Pass) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in testdata: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			c := load(t, file)
			res := hygiene.Sanitize(c.Context, c.Target, c.Policy, passes)
			if *update {
				c.set("want", Lines(res.Messages))
				c.set("changes", Changes(&res.Report))
				if len(res.Report.Hidden) > 0 {
					c.set("hidden", hidden(&res.Report))
				}
				if err := os.WriteFile(file, txtar.Format(c.archive), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			c.check(t, res, passes)
		})
	}
}

func load(t *testing.T, file string) *Case {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := &Case{Name: file, Policy: &policy.Policy{}, archive: a}
	if target := c.section("target"); target != nil {
		if err := json.Unmarshal(target, &c.Target, json.RejectUnknownMembers(true)); err != nil {
			t.Fatalf("target: %v", err)
		}
	}
	if p := c.section("policy"); len(bytes.TrimSpace(p)) > 0 {
		if err := json.Unmarshal(p, c.Policy, json.RejectUnknownMembers(true)); err != nil {
			t.Fatalf("policy: %v", err)
		}
	}
	c.Context = transcript.NewContext(Messages(t, c.section("in")))
	c.context(t)
	return c
}

// context applies the optional section of that name.
func (c *Case) context(t *testing.T) {
	t.Helper()
	text := c.section("context")
	if text == nil {
		return
	}
	var v struct {
		Compaction       *int     `json:"compaction"`
		RejectedThinking *int     `json:"rejectedThinking"`
		Positions        []int    `json:"positions"`
		Tools            []string `json:"tools"`
		Request          bool     `json:"request"`
		Snapshots        []struct {
			Position int    `json:"position"`
			Provider string `json:"provider"`
			API      string `json:"api"`
			Model    string `json:"model"`
		} `json:"snapshots"`
	}
	if err := json.Unmarshal(text, &v, json.RejectUnknownMembers(true)); err != nil {
		t.Fatalf("context: %v", err)
	}
	if v.Compaction != nil {
		c.Context.Compaction = *v.Compaction
	}
	if v.RejectedThinking != nil {
		c.Context.RejectedThinking = *v.RejectedThinking
	}
	c.Context.Tools, c.Context.Request = v.Tools, v.Request
	for i, p := range v.Positions {
		c.Context.Messages[i].Origin.Position = p
	}
	for _, s := range v.Snapshots {
		c.Context.Snapshots = append(c.Context.Snapshots, transcript.Snapshot{
			Position: s.Position, Route: transcript.Route{Provider: s.Provider, API: s.API, Model: s.Model},
		})
	}
}

// Messages reads messages that stand one per line.
func Messages(t testing.TB, text []byte) []*transcript.Message {
	t.Helper()
	var r transcript.Reader
	var list []*transcript.Message
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		m, err := r.Message(line)
		if err != nil {
			t.Fatalf("in: line %d: %v", len(list)+1, err)
		}
		m.Origin.Index = len(list)
		list = append(list, m)
	}
	return list
}

// Lines writes messages one per line.
func Lines(list []*transcript.Message) []byte {
	var b []byte
	for _, m := range list {
		b = append(m.AppendJSON(b), '\n')
	}
	return b
}

// Changes writes the changes of a report one per line.
func Changes(r *hygiene.Report) []byte {
	var b bytes.Buffer
	for i := range r.Changes {
		c := &r.Changes[i]
		fmt.Fprintf(&b, "%s %s message=%d", c.Rule, c.Op, c.Message)
		if c.Block >= 0 {
			fmt.Fprintf(&b, " block=%d", c.Block)
		}
		if c.Lossy {
			b.WriteString(" lossy")
		}
		if c.Synthetic {
			b.WriteString(" synthetic")
		}
		fmt.Fprintf(&b, ": %s\n", c.Reason)
	}
	return b.Bytes()
}

func hidden(r *hygiene.Report) []byte {
	var lines []string
	for rule, n := range r.Hidden {
		lines = append(lines, fmt.Sprintf("%s=%d\n", rule, n))
	}
	sort.Strings(lines)
	return []byte(strings.Join(lines, ""))
}

func (c *Case) section(name string) []byte {
	for _, f := range c.archive.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

func (c *Case) set(name string, data []byte) {
	for i := range c.archive.Files {
		if c.archive.Files[i].Name == name {
			c.archive.Files[i].Data = data
			return
		}
	}
	c.archive.Files = append(c.archive.Files, txtar.File{Name: name, Data: data})
}
