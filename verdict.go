package hygeia

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"hygeia/check"
	"hygeia/hygiene"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/transcript"
)

// Finding is one thing that a provider would refuse.
type Finding = check.Finding

// Check says what the provider would find in the transcript if it were sent as
// it is stored. The path of a finding points into the list of messages. A
// finding in the sanitised body, which would be a fault of this product, is
// reported as well, with a path into the body.
//
// Where nothing is stored that could go out, that is a finding: of the rule of
// the format, or of W-006 with status 0 where the rulebook has none. So is what is
// no message at all, of R-B14 with status 0. The errors are those of
// [Transcript.Replay] but payload.ErrNothingToSend.
func (t *Transcript) Check(target Target, o ReplayOptions) ([]Finding, error) {
	_, findings, err := t.check(target, o)
	if !errors.Is(err, payload.ErrNothingToSend) {
		return findings, err
	}
	o.MessagesOnly = true
	r, err := t.Replay(target, o)
	if err != nil {
		return nil, err
	}
	if findings = r.findings(); len(findings) == 0 {
		findings = append(findings, r.nothing())
	}
	return findings, nil
}

func (t *Transcript) check(target Target, o ReplayOptions) (*Replay, []Finding, error) {
	r, err := t.Replay(target, o)
	if err != nil {
		return nil, nil, err
	}
	findings := r.findings()
	if len(r.stored) == 0 {
		findings = append(findings, r.nothing())
	}
	left, err := check.Payload(r.Body, r.Resolution.Target, check.Options{})
	return r, append(findings, left...), err
}

// findings returns what the provider would answer to the stored messages.
func (r *Replay) findings() []Finding {
	findings := []Finding{}
	for _, e := range r.Explain() {
		if f, is := r.stranger(&e); is {
			findings = append(findings, f)
			continue
		}
		inFront := e.Change.Op == hygiene.Insert && e.Change.Block < 0
		if e.Answer == nil || e.Answer.On != "yes" || e.Change.Message < 0 && !inFront {
			continue // no provider, or a message that is not stored
		}
		text := e.AnswerText
		if text == "" {
			text = e.Answer.Rule
		}
		findings = append(findings, Finding{
			Rule: e.Answer.ID, Path: messagePath(e.Change, e.at), Message: text, Status: e.Answer.Status, Target: r.Resolution.Target,
		})
	}
	return findings
}

// stranger returns the finding of what is no message, or has no content, of any
// format, where the rulebook has no answer to it: that of the rule which takes it
// out, with status 0.
func (r *Replay) stranger(e *Explanation) (Finding, bool) {
	if e.Answer != nil || e.Change.Message < 0 || e.Change.Rule != "R-B14" && !oddContent(e.Change) {
		return Finding{}, false
	}
	reason := e.Change.Reason
	if oddContent(e.Change) {
		reason = "the content is neither a text nor a list"
	}
	return Finding{Rule: e.Change.Rule, Path: messagePath(e.Change, e.at), Message: reason, Target: r.Resolution.Target}, true
}

// emptyList names, per API, the rule that a list of no messages breaks.
var emptyList = map[string]string{
	"anthropic-messages": "AN-31", "bedrock-converse-stream": "BR-22", "openai-completions": "CC-14",
	"openai-responses": "OR-22", "openai-chatgpt-responses": "OR-22", "azure-openai-responses": "OR-22",
	"google-generative-ai": "GG-14", "google-vertex": "GG-14", "google-gemini-cli": "GG-14",
}

// nothing returns the finding of a transcript that has nothing to send.
func (r *Replay) nothing() Finding {
	target := r.Resolution.Target
	if rule := check.Lookup(emptyList[target.API]); rule != nil {
		return Finding{Rule: rule.ID, Message: rule.Messages[0], Status: rule.Status, Target: target}
	}
	return Finding{Rule: "W-006", Message: payload.ErrNothingToSend.Error(), Target: target}
}

// messagePath returns the place of a change as a JSON pointer into the list of
// messages, at being the index of the message that the provider names.
func messagePath(c *hygiene.Change, at int) string {
	switch {
	case at < 0:
		return "/0"
	case c.Block >= 0:
		return fmt.Sprintf("/%d/content/%d", at, c.Block)
	}
	return fmt.Sprintf("/%d", at)
}

// CheckBody says what the provider would find in the body of a request. The API
// of the target must be the one that the body is written for; where the target
// names none, the provider's default counts. The error is that of r, of
// policy.Resolve, or says where the body is no JSON.
func CheckBody(r io.Reader, target Target, o policy.Options) ([]Finding, error) {
	body, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	res, err := policy.Resolve(target, o)
	if err != nil {
		return nil, err
	}
	findings, err := check.Payload(body, res.Target, check.Options{})
	if err != nil {
		return nil, err
	}
	return append([]Finding{}, findings...), nil
}

// CheckFile is [CheckBody] for the file at path, with the errors of [Open] about what
// is no file.
func CheckFile(path string, target Target, o policy.Options) ([]Finding, error) {
	if err := regular(path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return CheckBody(f, target, o)
}

// Verdict is what one target says of a transcript.
type Verdict struct {
	Target Target `json:"target"`
	// Rules are the rules that the transcript breaks, in the order in which the
	// provider would notice them, each once.
	Rules []string `json:"rules"`
	// Changes is the number of changes that replay would make.
	Changes int `json:"changes"`
	// Empty reports that no turn is left that the format could carry.
	Empty bool `json:"empty,omitempty"`
}

// matrix are the targets of Matrix: one of each row of the provider matrix.
var matrix = []Target{
	{Provider: "anthropic", Model: "claude-opus-4-6"},
	{Provider: "minimax", Model: "MiniMax-M2.7"},
	{Provider: "cloudflare-ai-gateway", Model: "claude-sonnet-4-5"},
	{Provider: "amazon-bedrock", Model: "anthropic.claude-sonnet-4-5-20250929-v1:0"},
	{Provider: "openai", Model: "gpt-5.1"},
	{Provider: "openai-codex", API: "openai-chatgpt-responses", Model: "gpt-5.4"},
	{Provider: "azure-openai", Model: "gpt-5.1"},
	{Provider: "openai", API: "openai-completions", Model: "gpt-4o"},
	{Provider: "google", Model: "gemini-3-pro-preview"},
	{Provider: "google-antigravity", Model: "claude-sonnet-4-5"},
	{Provider: "mistral", Model: "mistral-large-latest"},
	{Provider: "openrouter", Model: "anthropic/claude-sonnet-4.5"},
	{Provider: "openrouter", Model: "google/gemini-2.5-pro"},
	{Provider: "deepseek", Model: "deepseek-chat"},
	{Provider: "moonshot", Model: "kimi-k2.5"},
	{Provider: "vllm", Model: "qwen3"},
}

// Matrix asks one target of each row of the provider matrix. The errors are those of
// [Transcript.Replay], but a target that nothing could be sent to has a row that is
// Empty.
func (t *Transcript) Matrix(o ReplayOptions) ([]Verdict, error) {
	var out []Verdict
	for _, target := range matrix {
		v, err := t.verdict(target, o)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// Outlook is Matrix with one row more in front, unless it has that already: the
// target that wrote the newest turn, where turns say so and a body can be built for it.
// The errors are those of Matrix.
func (t *Transcript) Outlook(o ReplayOptions) ([]Verdict, error) {
	out, err := t.Matrix(o)
	if err != nil {
		return nil, err
	}
	own, ok := t.route()
	if !ok {
		return out, nil
	}
	v, err := t.verdict(own, o)
	if err != nil || slices.ContainsFunc(out, func(row Verdict) bool { return row.Target == v.Target }) {
		return out, nil
	}
	return append([]Verdict{v}, out...), nil
}

// route returns the target that wrote the newest turn of a model.
func (t *Transcript) route() (Target, bool) {
	for _, m := range slices.Backward(t.Context.Messages) {
		own := Target{Provider: m.Provider(), API: m.API(), Model: m.Model()}
		if m.Is(transcript.Assistant) && own.Provider != "" && own.Model != "" && own.Provider != "openclaw" { // which writes rows of its own (F-39)
			return own, true
		}
	}
	return Target{}, false
}

func (t *Transcript) verdict(target Target, o ReplayOptions) (Verdict, error) {
	r, findings, err := t.check(target, o)
	switch {
	case errors.Is(err, payload.ErrNothingToSend):
		return Verdict{Target: target, Rules: []string{}, Empty: true}, nil
	case err != nil:
		return Verdict{}, err
	}
	v := Verdict{Target: r.Resolution.Target, Rules: []string{}, Changes: len(r.Report.Changes)}
	for _, f := range findings {
		if !slices.Contains(v.Rules, f.Rule) {
			v.Rules = append(v.Rules, f.Rule)
		}
	}
	return v, nil
}
