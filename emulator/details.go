package emulator

import (
	"strings"

	"hygeia/check"
	"hygeia/internal/jsonline"
)

// Reasoning of Chat Completions that the service signed: OpenRouter's
// reasoning_details, and thought signatures beside calls at Google's own
// compatible endpoint (W-431).

// vendor is who made the model behind OpenRouter, "" elsewhere.
func (c *call) vendor() string {
	if c.target.Provider != "openrouter" {
		return ""
	}
	v, _, _ := strings.Cut(strings.TrimPrefix(c.target.Model, "openrouter/"), "/")
	return v
}

// detailFormats are the formats of reasoning_details by who made the model.
var detailFormats = map[string]string{
	"anthropic": "anthropic-claude-v1", "google": "google-gemini-v1", "openai": "openai-responses-v1", "x-ai": "xai-responses-v1",
}

// details reads reasoning_details of message i. The blocks count among
// themselves.
func (c *call) details(m jsonline.Object, i int) {
	for j, v := range elements(m.Get("reasoning_details")) {
		d := v.Object()
		p := piece{role: assistant, message: i, block: j}
		switch {
		case d.Get("type").String() == "reasoning.text":
			p.kind, p.text, p.seal = thinking, d.Get("text").String(), d.Get("signature").String()
		case d.Get("type").String() == "reasoning.encrypted":
			p.kind, p.seal = redacted, d.Get("data").String()
		default:
			continue
		}
		c.add(p)
	}
}

// verifyDetails holds reasoning_details and thought signatures against what was
// issued (OP-02, OP-05, GG-10).
func (c *call) verifyDetails() *refusal {
	switch vendor := c.vendor(); {
	case vendor == "anthropic":
		return c.verifyClaude()
	case vendor == "google":
		if f := c.verifyEncrypted("GG-10", "Corrupted thought signature."); f != nil {
			return f
		}
		return c.verifyDetailed()
	case vendor == "openai":
		return c.verifyEncrypted("OR-09", "")
	case vendor == "x-ai":
		return c.verifyEncrypted("OP-02", "Invalid `data` in `reasoning_details`")
	case c.target.Provider == "google":
		return c.verifyGemini()
	}
	return nil
}

func (c *call) verifyEncrypted(rule, message string) *refusal {
	for i := range c.pieces {
		p := &c.pieces[i]
		if p.kind == redacted && !c.e.known(p.seal) && c.detailIssuer().openSignature(p.seal, encryptedSeal) == nil {
			if f := c.server(rule, message); f != nil {
				return f
			}
		}
	}
	return nil
}

// verifyDetailed holds that calls which were answered with details come back with
// some (OP-05).
func (c *call) verifyDetailed() *refusal {
	signed := map[int]bool{} // messages with details
	for i := range c.pieces {
		p := &c.pieces[i]
		signed[p.message] = signed[p.message] || p.kind == redacted
		if p.kind != toolCall || signed[p.message] {
			continue
		}
		if _, ok := c.e.store.item(p.id); ok {
			return c.server("OP-05", check.Lookup("GG-08").Messages[0])
		}
	}
	return nil
}

// rememberDetailed keeps the ids of calls that stand beside signed thinking of
// Gemini 3.
func (c *call) rememberDetailed(r *reply) {
	var calls []stored
	thinks := false
	for i := range r.parts {
		p := &r.parts[i]
		thinks = thinks || p.kind == thinking || p.kind == redacted
		if p.kind == toolCall && thinks {
			calls = append(calls, jsonline.Parse(encode(object{"id", p.id})))
		}
	}
	if len(calls) > 0 && strings.Contains(c.target.Model, "gemini-3") {
		c.e.store.put(r.id, calls, 0)
	}
}

func (c *call) detailIssuer() issuer { return c.e.key("openrouter/" + c.vendor()) }

// signDetails signs the thinking of an answer.
func (c *call) signDetails(r *reply) {
	switch vendor := c.vendor(); {
	case vendor == "anthropic":
		c.signClaude(r)
	case c.target.Provider == "google":
		c.signGemini(r)
	case detailFormats[vendor] != "":
		for i := range r.parts {
			p := &r.parts[i]
			if p.kind == thinking || p.kind == redacted {
				p.seal = c.detailIssuer().signature(&seal{kind: encryptedSeal, index: byte(i), turn: r.turn, text: digest16(p.text)})
			}
		}
		c.rememberDetailed(r)
	}
}

// reasoningDetails is the thinking of an answer with its signatures, nil where
// there is none. Models of Anthropic sign the text; others send the text and
// what they encrypted.
func (c *call) reasoningDetails(r *reply) list {
	format := detailFormats[c.vendor()]
	if c.target.Provider != "openrouter" {
		return nil
	}
	var out list
	add := func(typ string, members ...any) {
		d := append(object{"type", typ}, members...)
		if format != "" {
			d = append(d, "format", format)
		}
		out = append(out, append(d, "index", len(out)))
	}
	for i := range r.parts {
		p := &r.parts[i]
		switch {
		case p.kind == thinking && format == detailFormats["anthropic"]:
			add("reasoning.text", "text", p.text, "signature", p.seal)
		case p.kind == thinking:
			add("reasoning.summary", "summary", p.text)
			if format != "" {
				add("reasoning.encrypted", "data", p.seal)
			}
		case p.kind == redacted && format != "":
			add("reasoning.encrypted", "data", p.seal)
		}
	}
	return out
}
