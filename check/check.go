package check

import (
	"fmt"
	"strings"
	"sync"

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
	scan     jsonline.Scanner
	inner    jsonline.Scanner // of JSON in a string
	text     []byte           // of that string
	body     body
	root     node
	target   policy.Target
	claude   claudeModel
	gemini   geminiModel
	options  Options
	findings []Finding
	memo     memo
}

// memo is what several rules ask about a body, read once. Nothing in it points
// into the text, so that its memory can be used again.
type memo struct {
	messages  []message // of Anthropic and Converse
	blocks    []block   // of all messages
	chat      []chatMessage
	input     []inputItem // of the Responses API
	contents  []gContent  // of Google's format
	parts     []gPart     // of all contents
	calls     []gPart     // those of parts that are calls
	responses []gPart     // those that answer
	host      *chatHost
	bedrock   bedrockModel
}

// requests are those of earlier checks, for their memory: the list of the values
// of a body takes several times its size while it grows.
var requests = sync.Pool{New: func() any { return new(request) }}

// keptNodes is how many values a body may have for its memory to be kept, some
// 30 MB.
const keptNodes = 1 << 20

// keptText is how long a string may be for the same.
const keptText = 1 << 20

// Payload checks the body of a request for a target whose API is filled in. It
// returns every finding in the order in which the provider would notice them:
// the first one decides its answer. The error says that no rules are known for
// the API.
func Payload(text []byte, t policy.Target, o Options) ([]Finding, error) {
	t.Provider, t.API = policy.Fold(t.Provider), policy.FoldAPI(t.API)
	format, ok := formats[t.API]
	if !ok {
		return nil, fmt.Errorf("no rules for the API %q", t.API)
	}
	r := requests.Get().(*request)
	defer r.release()
	r.target, r.claude, r.gemini, r.options = t, parseClaude(t.Model), parseGemini(t.Model), o
	if err := r.scan.ScanAll(text, jsonline.Options{Depth: recordDepth}); err != nil {
		r.findings = append(r.findings, Finding{Rule: "AN-27", Message: "The request body is not valid JSON: " + err.Error(), Status: 400, Target: t})
		return r.findings, nil
	}
	r.body = body{text, r.scan.Nodes}
	r.root = node{&r.body, 0}
	format.read(r)
	for _, rule := range format.rules {
		rule(r)
	}
	return r.findings, nil
}

// release keeps the memory of a request for the next one.
func (r *request) release() {
	if cap(r.scan.Nodes) > keptNodes || cap(r.text) > keptText {
		return
	}
	m := r.memo
	*r = request{scan: r.scan, inner: r.inner, text: r.text, memo: memo{
		messages: m.messages[:0], blocks: m.blocks[:0], chat: m.chat[:0], input: m.input[:0],
		contents: m.contents[:0], parts: m.parts[:0], calls: m.calls[:0], responses: m.responses[:0],
	}}
	requests.Put(r)
}

// formats holds, per API, what reads a body for its rules, and the groups of
// these in the order of evaluation.
var formats = map[string]struct {
	read  func(*request)
	rules []func(*request)
}{
	"anthropic-messages":       {readAnthropic, anthropicRules},
	"bedrock-converse-stream":  {readConverse, bedrockRules},
	"mistral-conversations":    {readChat, mistralRules},
	"ollama":                   {readChat, ollamaRules},
	"openai-completions":       {readChat, chatRules},
	"openai-responses":         {readInput, responsesRules},
	"openai-chatgpt-responses": {readInput, codexRules},
	"azure-openai-responses":   {readInput, azureRules},
	"google-generative-ai":     {readContents, googleRules},
	"google-vertex":            {readContents, googleRules},
	"google-gemini-cli":        {readContents, codeAssistRules},
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

// reportOther is report with another of the templates of a rule.
func (r *request) reportOther(id string, n int, path string, replace ...string) {
	r.reportText(id, path, Lookup(id).Messages[n], replace...)
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
