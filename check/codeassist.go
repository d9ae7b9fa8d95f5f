package check

import (
	"fmt"
	"slices"
)

// codeAssistRules are those of file 90 §5.1: what Cloud Code Assist demands of
// the envelope, for Gemini the rules of googleRules (CA-06), for Claude those of
// Anthropic's messages in this form. Where a signature came from a body shows
// only by the substitutes that Gemini takes (CA-05).
var codeAssistRules = append([]func(*request){codeAssistKeys}, append(googleRules, codeAssistPairing, codeAssistThinking)...)

// assist reports whether the body goes to Claude behind Antigravity.
func (r *request) assist() bool {
	return r.target.API == "google-gemini-cli" && r.target.Provider == "google-antigravity" && r.claude.is
}

// The members of the envelope and of the request in it.
var (
	envelopeKeys = []string{"project", "model", "request", "userAgent", "requestId", "requestType", "userPromptId", "enabledCreditTypes"}
	requestKeys  = []string{"contents", "systemInstruction", "generationConfig", "tools", "toolConfig", "sessionId", "safetySettings", "cachedContent", "labels"}
)

// codeAssistKeys finds members that the service does not know (CA-04).
func codeAssistKeys(r *request) {
	unknown := func(n node, path string, known []string) {
		for member := range n.members() {
			name := string(member.name())
			if !slices.ContainsFunc(known, func(k string) bool { return name == k || snakeOf([]byte(name), k) }) {
				r.report("CA-04", path+pointer(name), `"X"`, fmt.Sprintf("%q", name))
			}
		}
	}
	unknown(r.root, "", envelopeKeys)
	unknown(r.root.get("request"), "/request", requestKeys)
}

// codeAssistPairing holds calls and responses for Claude against what the
// service makes of them (CA-03): AN-03 to AN-08.
func codeAssistPairing(r *request) {
	if !r.assist() {
		return
	}
	contents := r.memo.contents
	seen := make(map[string]bool, len(r.memo.calls))
	open := map[string]bool{} // calls of the content in front
	for i := range contents {
		c := &contents[i]
		for k := range c.responses {
			p := &c.responses[k]
			id := p.field(ofResponse).get("id").text()
			if !open[id] || p.index != k {
				r.report("CA-03", p.path()) // AN-05, AN-07, AN-04
			}
			delete(open, id)
		}
		if len(open) > 0 {
			r.report("CA-03", c.path()) // AN-03
		}
		clear(open)
		for k := range c.calls {
			p := &c.calls[k]
			id := p.field(ofCall).get("id").text()
			if seen[id] || !anthropicID(id) {
				r.report("CA-03", p.path()) // AN-06, AN-08
			}
			seen[id], open[id] = true, true
		}
	}
	if n := len(contents); len(open) > 0 {
		r.report("CA-03", contents[n-1].path())
	}
}

// substitutes are values that Gemini takes in the place of a signature (GG-08).
var substitutes = []string{"skip_thought_signature_validator", "context_engineering_is_the_way_to_go"}

// codeAssistThinking checks the signatures for Claude.
func codeAssistThinking(r *request) {
	if !r.assist() {
		return
	}
	for i := range r.memo.parts {
		p := &r.memo.parts[i]
		sig := p.field(ofSignature).text()
		switch {
		case slices.Contains(substitutes, sig):
			r.report("CA-05", p.path("thoughtSignature"), "messages.N.content.M", fmt.Sprintf("messages.%d.content.%d", p.content, p.index))
		case p.get("thought").isTrue() && (sig == "" || !decodes(sig)):
			r.report("CA-01", p.path("thoughtSignature"))
		}
	}
}
