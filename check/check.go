package check

import (
	"fmt"
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/policy"
)

// Finding is one rule that a body breaks.
type Finding struct {
	Rule string `json:"rule"`
	// Path is a JSON pointer into the body, "" for the whole of it.
	Path string `json:"path"`
	// Message is the text that the provider would send.
	Message string `json:"message"`
	Status  int    `json:"status"` // HTTP status of that answer
	// Target is where the body would go.
	Target policy.Target `json:"target"`
}

// Options switches rules. The zero value checks what the rulebook has on.
type Options struct {
	// Rules switches single rules on or off by their public name.
	Rules map[string]bool
}

// request is a body under check.
type request struct {
	root     node
	target   policy.Target
	claude   claudeModel
	gemini   geminiModel
	options  Options
	findings []Finding
	memo     memo
}

// memo is what several rules ask about a body, read once.
type memo struct {
	messages []message   // of Anthropic and Converse
	chat     []node      // messages of Chat Completions
	input    []inputItem // of the Responses API
	contents []gContent  // of Google's format
	host     *chatHost
}

// Payload checks the body of a request for a target whose API is filled in. It
// returns every finding in the order in which the provider would notice them:
// the first one decides its answer. The error says that no rules are known for
// the API.
func Payload(text []byte, t policy.Target, o Options) ([]Finding, error) {
	t.Provider, t.API = policy.Fold(t.Provider), policy.FoldAPI(t.API)
	rules := formats[t.API]
	if rules == nil {
		return nil, fmt.Errorf("no rules for the API %q", t.API)
	}
	r := &request{target: t, claude: parseClaude(t.Model), gemini: parseGemini(t.Model), options: o}
	var s jsonline.Scanner
	if err := s.ScanAll(text, jsonline.Options{Depth: recordDepth}); err != nil {
		r.findings = append(r.findings, Finding{Rule: "AN-27", Message: "The request body is not valid JSON: " + err.Error(), Status: 400, Target: t})
		return r.findings, nil
	}
	r.root = node{&body{text, s.Nodes}, 0}
	for _, rule := range rules {
		rule(r)
	}
	return r.findings, nil
}

// formats holds, per API, the groups of rules in the order of evaluation.
var formats = map[string][]func(*request){
	"anthropic-messages":       anthropicRules,
	"bedrock-converse-stream":  bedrockRules,
	"mistral-conversations":    mistralRules,
	"ollama":                   ollamaRules,
	"openai-completions":       chatRules,
	"openai-responses":         responsesRules,
	"openai-chatgpt-responses": codexRules,
	"azure-openai-responses":   azureRules,
	"google-generative-ai":     googleRules,
	"google-vertex":            googleRules,
	"google-gemini-cli":        codeAssistRules,
}

// on reports whether a rule is to be checked.
func (r *request) on(id string) bool {
	if v, ok := r.options.Rules[id]; ok {
		return v
	}
	rule := Lookup(id)
	return rule != nil && rule.On == "yes"
}

// report adds a finding. Pairs of words replace the letters of the template:
// "ID", "toolu_1".
func (r *request) report(id, path string, replace ...string) {
	template := ""
	if rule := Lookup(id); rule != nil {
		template = rule.Rule
		if len(rule.Messages) > 0 {
			template = rule.Messages[0]
		}
	}
	r.reportText(id, path, template, replace...)
}

// reportText is report with a template of its own.
func (r *request) reportText(id, path, template string, replace ...string) {
	if !r.on(id) {
		return
	}
	r.findings = append(r.findings, Finding{
		Rule: id, Path: path, Message: strings.NewReplacer(replace...).Replace(template), Status: Lookup(id).Status, Target: r.target,
	})
}

// surrogates finds lone surrogate escapes and U+0000 anywhere in the body.
func (r *request) surrogates(id string) {
	for i := range r.root.b.nodes {
		n := &r.root.b.nodes[i]
		if n.Flags&jsonline.FlagClosed == 0 {
			if n.Kind == jsonline.String && n.Flags&(jsonline.FlagLoneSurrogate|jsonline.FlagNUL) != 0 {
				r.report(id, "", "N", fmt.Sprint(n.Start))
			}
			continue
		}
		// Deeper than what was recorded: arguments and schemas.
		var s jsonline.Scanner
		if s.ScanAll(r.root.b.src[n.Start:n.End], jsonline.Options{Depth: jsonline.DefaultMaxDepth}) != nil {
			continue
		}
		for j := range s.Nodes {
			if s.Nodes[j].Flags&(jsonline.FlagLoneSurrogate|jsonline.FlagNUL) != 0 {
				r.report(id, "", "N", fmt.Sprint(n.Start+s.Nodes[j].Start))
			}
		}
	}
}
