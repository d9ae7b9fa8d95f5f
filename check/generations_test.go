package check

import (
	"slices"
	"strings"
	"testing"

	"hygeia/policy"
)

// generation says what a model of Claude refuses and does by itself, a letter
// for each of generationBodies.
var generations = map[string]string{
	"claude-3-7-sonnet": "ay", "claude-sonnet-4": "ay", "claude-opus-4": "ay",
	"claude-opus-4-1": "aby", "claude-opus-4-5": "aby", "claude-sonnet-4-5": "aby", "claude-haiku-4-5": "aby", "claude-haiku-4-6": "aby",
	"claude-opus-4-6": "pby", "claude-sonnet-4-6": "pby", "claude-opus-4-7": "pmsby",
	"claude-haiku-5": "pmsb", "claude-fable-5": "pmsb", "claude-mythos-5": "pmsb",
	"claude-sonnet-5": "pmsbd", "claude-opus-5": "pmxsbd", "claude-opus-5-4": "pmxsbd",
	"claude-opus-5-5": "pmoxsbdf", "claude-fable-5-1": "pmoxsbdf", "claude-opus-6": "pmoxsbdf",
	"claude-next": "pmsbd", // a name that is not known counts as the newest (file 90 §9)
}

// generationBodies are bodies of Anthropic's format and of Converse, "" where
// that has no rule for it, with the rules that they break if the letter stands
// for the model.
var generationBodies = []struct {
	letter     string
	rule, body string
	bedrock    string // breaks BR-20, or BR-15 in the case of a prefill
	not        bool   // the letter stands for what is not refused
}{
	{letter: "p", rule: "AN-14", body: messagesBody("", askA, sayA), bedrock: converseBody("", askC, sayC)},
	{letter: "m", rule: "AN-25", body: messagesBody(manualA, askA), bedrock: converseBody(manualC, askC)},
	{letter: "a", rule: "AN-25", body: messagesBody(adaptiveA, askA), bedrock: converseBody(adaptiveC, askC)},
	{letter: "o", rule: "AN-25", body: messagesBody(offA, askA), bedrock: converseBody(offC, askC)},
	{letter: "x", rule: "AN-25", body: messagesBody(offA+`"output_config":{"effort":"max"},`, askA), bedrock: converseBody(with(offC, `}}`, `},"output_config":{"effort":"max"}}`), askC)},
	{letter: "x", rule: "AN-25", body: messagesBody(offA+`"output_config":{"effort":"xhigh"},`, askA), bedrock: converseBody(with(offC, `}}`, `},"output_config":{"effort":"xhigh"}}`), askC)},
	{letter: "o", rule: "AN-25", body: messagesBody(offA+`"output_config":{"effort":"high"},`, askA), bedrock: converseBody(with(offC, `}}`, `},"output_config":{"effort":"high"}}`), askC)},
	{letter: "s", rule: "AN-26", body: messagesBody(`"temperature":0.5,`, askA)},
	{letter: "s", rule: "AN-26", body: messagesBody(`"top_p":0.5,`, askA)},
	{letter: "s", rule: "AN-26", body: messagesBody(`"top_k":5,`, askA)},
	{letter: "b", rule: "AN-48", body: messagesBody(`"temperature":1,"top_p":1,`, askA)},
	{letter: "d", rule: "AN-50", body: claudeBody("", thoughtA+`,`+textA), bedrock: converseBody("", askC, modelC(sealedC, `{"text":"x"}`), askC), not: true},
	{letter: "f", rule: "AN-23", body: messagesBody(adaptiveA+toolA(`"name":"a","input_schema":{}`)+`"tool_choice":{"type":"tool","name":"a"},`, askA)},
	{letter: "f", rule: "AN-23", body: messagesBody(toolA(`"name":"a","input_schema":{}`)+`"tool_choice":{"type":"any"},`, askA)},
	{letter: "y", rule: "AN-10", body: messagesBody("", askA, `{"role":"system","content":"s"}`, askA)},
}

const (
	offA = `"thinking":{"type":"disabled"},`
	offC = `"additionalModelRequestFields":{"thinking":{"type":"disabled"}},`
)

// TestGenerations holds what each generation of Claude refuses (AN-10, AN-14,
// AN-23, AN-25, AN-26, AN-48, AN-50), and that Bedrock says the same of it
// (BR-15, BR-20).
func TestGenerations(t *testing.T) {
	for model, letters := range generations {
		for _, c := range generationBodies {
			want := strings.Contains(letters, c.letter) != c.not
			breaks := func(rule string, target policy.Target, body string) {
				found, err := Payload([]byte(body), target, Options{})
				if err != nil || slices.ContainsFunc(found, func(f Finding) bool { return f.Rule == rule }) != want {
					t.Errorf("%s: found %v, %v, %s is to be there: %v, in\n%s", model, found, err, rule, want, body)
				}
			}
			breaks(c.rule, policy.Target{Provider: "anthropic", API: "anthropic-messages", Model: model}, c.body)
			rule := "BR-20"
			if c.rule == "AN-14" {
				rule = "BR-15"
			}
			if c.bedrock != "" {
				breaks(rule, policy.Target{Provider: "amazon-bedrock", API: "bedrock-converse-stream", Model: "us.anthropic." + model + "-v1:0"}, c.bedrock)
			}
		}
	}
}
