package check

import (
	"slices"
	"strings"
	"testing"

	"hygeia/policy"
)

// pair is, for one rule, a body that breaks nothing else and the nearest one that
// breaks nothing.
type pair struct {
	rule      string
	finds     string // the rule that stands for it: the checker has one name for what several hosts refuse
	off       string // a rule that is off, as this pair is not about it
	target    policy.Target
	bad, good string
}

// elsewhere are the rules that no body shows to be broken, with what only a
// server can know. The tests of the emulator show them.
var elsewhere = map[string]string{
	"AN-18": "what thinking was answered", "AN-38": "what a signature was issued behind",
	"AZ-02": "which deployment encrypted content is of", "OR-21": "which responses are stored",
	"GG-10": "what a thought signature was issued for", "OP-05": "which details were answered with a call",
}

// pairs are those of all formats.
func pairs() []pair {
	list := slices.Concat(anthropicPairs, chatPairs, hostPairs, ollamaPairs, responsesPairs, googleOptional, edgePairs)
	for _, c := range googleTable {
		name := strings.Fields(c.target)
		target := policy.Target{Provider: name[0], API: name[1], Model: name[2]}
		finds := ""
		if c.rule == "CA-06" {
			finds = "GG-01"
		}
		list = append(list, pair{rule: c.rule, finds: finds, target: target, bad: c.bad, good: c.good})
	}
	for _, c := range responsesTable {
		target := policy.Target{Provider: "openai", API: c.api, Model: "some-model"}
		if c.api == "" {
			// AZ-04: the rules hold on Azure as well, where ids may not stand at all.
			target.API = azureAPI
			list = append(list, pair{rule: c.rule, off: "AZ-01", target: target, bad: c.bad, good: c.good})
			if c.rule == "OR-03" {
				list = append(list, pair{rule: "AZ-04", finds: "OR-03", target: target, bad: c.bad, good: c.good})
			}
			target.API = "openai-responses"
		}
		list = append(list, pair{rule: c.rule, target: target, bad: c.bad, good: c.good})
	}
	for _, c := range bedrockTable {
		target := policy.Target{Provider: "amazon-bedrock", API: "bedrock-converse-stream", Model: c.model}
		if c.model == "" {
			target.Model = sonnet45
		}
		list = append(list, pair{rule: c.rule, target: target, bad: c.bad, good: c.good})
	}
	for _, c := range mistralTable {
		target := policy.Target{Provider: "mistral", API: "mistral-conversations", Model: "mistral-large-latest"}
		list = append(list, pair{rule: c.rule, target: target, bad: c.bad, good: c.good})
	}
	return list
}

// TestPairs goes through the rulebook: each rule has a body that breaks it and no
// other, and a nearest one that breaks none, or only a server can know. Rules
// that are off by default are on for their own pairs, and find nothing else.
func TestPairs(t *testing.T) {
	proven := map[string]bool{}
	for _, p := range pairs() {
		proven[p.rule] = true
		want := p.rule
		if p.finds != "" {
			want = p.finds
		}
		if found := p.found(t, p.bad); !slices.Equal(found, []string{want}) {
			t.Errorf("%s at %+v: found %v, want %s in\n%.600s", p.rule, p.target, found, want, p.bad)
		}
		if found := p.found(t, p.good); len(found) > 0 {
			t.Errorf("%s at %+v: found %v in the good body\n%.600s", p.rule, p.target, found, p.good)
		}
	}
	for _, r := range Rules() {
		if proven[r.ID] == (elsewhere[r.ID] != "") {
			t.Errorf("%s (%s): a pair %v, said to be shown elsewhere %v", r.ID, r.Certainty, proven[r.ID], elsewhere[r.ID] != "")
		}
	}
}

// found returns the rules that a body breaks, each once, with the rule of the
// pair on.
func (p pair) found(t *testing.T, text string) []string {
	t.Helper()
	rules := map[string]bool{p.rule: true}
	if p.off != "" {
		rules[p.off] = false
	}
	found, err := Payload([]byte(text), p.target, Options{Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	return distinct(t, found, p.target)
}

// distinct returns the rules of findings, each once, and asserts that a finding
// is complete.
func distinct(t *testing.T, found []Finding, target policy.Target) []string {
	t.Helper()
	var rules []string
	for _, f := range found {
		if f.Status != Lookup(f.Rule).Status || f.Message == "" || f.Target != target {
			t.Errorf("%s: finding is not complete: %+v", f.Rule, f)
		}
		if !slices.Contains(rules, f.Rule) {
			rules = append(rules, f.Rule)
		}
	}
	return rules
}

// TestOptional holds that a rule that is off by default finds nothing unless it
// is switched on.
func TestOptional(t *testing.T) {
	for _, p := range pairs() {
		if Lookup(p.rule).On == "yes" || p.finds != "" {
			continue
		}
		found, err := Payload([]byte(p.bad), p.target, Options{Rules: map[string]bool{p.off: false}})
		if err != nil || len(found) > 0 {
			t.Errorf("%s at %+v: found %v, %v though it is off", p.rule, p.target, found, err)
		}
	}
}
