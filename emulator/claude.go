package emulator

import (
	"regexp"
	"strings"
)

// boundModel are the models of Claude that bind their thinking to the exact
// model and conversation (W-116, AN-38): generation 5 and later. A Claude of
// which no generation can be read counts as the newest (file 90 §9).
var (
	boundModel   = regexp.MustCompile(`claude-(?:fable|mythos|(?:opus|sonnet|haiku)-(?:[5-9]|\d\d)(?:\D|$))`)
	unboundModel = regexp.MustCompile(`claude-(?:v?[1-4](?:\D|$)|instant|(?:opus|sonnet|haiku)-[1-4](?:\D|$))`)
)

func isBound(model string) bool {
	m := strings.ToLower(model)
	return boundModel.MatchString(m) || !unboundModel.MatchString(m)
}

// claudeIssuer makes the signatures of Claude. They are good at every provider
// that runs it, as the real ones are. Other models of Anthropic's format sign
// too, and nobody verifies that.
func (c *call) claudeIssuer() issuer {
	if !c.claude {
		return c.e.key("thinking/" + c.target.Provider)
	}
	return c.e.key("claude")
}

// signClaude signs the thinking of an answer.
func (c *call) signClaude(r *reply) {
	n := 0
	for i := range r.parts {
		if k := r.parts[i].kind; k == thinking || k == redacted {
			n++
		}
	}
	before := c.prefix()
	index := 0
	for i := range r.parts {
		p := &r.parts[i]
		s := seal{
			kind: thinkingSeal, bound: isBound(c.target.Model), index: byte(index), count: byte(n),
			turn: r.turn, model: modelDigest(c.target.Model), prefix: before.sum(), text: digest16(p.text),
		}
		switch p.kind {
		case thinking:
			p.seal = c.claudeIssuer().signature(&s)
			index++
		case redacted:
			s.kind = redactedSeal
			p.seal = c.claudeIssuer().signature(&s)
			index++
		case toolCall:
			before.add(&piece{role: assistant, kind: toolCall, id: p.id, name: p.name, text: canonicalText(p.text)})
		default:
			before.add(&piece{role: assistant, kind: text, text: p.text})
		}
	}
}

func modelDigest(model string) [8]byte { return digest8(strings.ToLower(model)) }

// verifyClaude holds thinking blocks against what was issued: AN-18, AN-19, AN-20
// and AN-38.
func (c *call) verifyClaude() *refusal {
	if !c.claude {
		return nil
	}
	before := newPrefix()
	latest := c.latestAssistant()
	var in []sealed // the blocks of the latest assistant message
	for i := range c.pieces {
		p := &c.pieces[i]
		if p.kind != thinking && p.kind != redacted {
			before.add(p)
			continue
		}
		if c.e.known(p.seal) {
			continue
		}
		s, f := c.verifyBlock(p, before, p.message == latest)
		if f != nil {
			return f
		}
		if s != nil && p.message == latest {
			in = append(in, sealed{p, s})
		}
	}
	return c.verifyComplete(in)
}

// sealed is a block and its seal.
type sealed struct {
	*piece
	*seal
}

// verifyComplete holds that the blocks of each answer are all there and in
// their order (AN-18). An answer may have lost all of them.
func (c *call) verifyComplete(blocks []sealed) *refusal {
	for i := 0; i < len(blocks); {
		first := blocks[i]
		for k := range first.count {
			if i == len(blocks) || blocks[i].turn != first.turn || blocks[i].index != k {
				return c.modified(first.piece)
			}
			i++
		}
	}
	return nil
}

// verifyBlock verifies one block; latest says that it stands in the latest
// assistant message, where not only the signature counts.
func (c *call) verifyBlock(p *piece, before prefix, latest bool) (*seal, *refusal) {
	kind, rule, text := byte(thinkingSeal), "AN-20", "Invalid `signature` in `thinking` block"
	if p.kind == redacted {
		kind, rule, text = redactedSeal, "AN-19", "Invalid `data` in `redacted_thinking` block"
	}
	s := c.claudeIssuer().openSignature(p.seal, kind)
	switch {
	case s == nil:
		return nil, c.server(rule, p.at()+": "+text)
	case p.kind == thinking && s.text != digest16(p.text) && latest:
		return s, c.modified(p)
	case p.kind == thinking && s.text != digest16(p.text):
		return s, c.server(rule, p.at()+": "+text)
	case s.bound || isBound(c.target.Model):
		if (s.model != modelDigest(c.target.Model) || s.prefix != before.sum()) && !c.dropsUnbound() {
			return s, c.server("AN-38", p.at()+": "+text+". The block is bound to a different conversation. Remove the block, or set "+
				"`thinking.block_binding.prefix_mismatch_behavior` to `drop_block`.")
		}
	}
	return s, nil
}

func (c *call) modified(p *piece) *refusal {
	return c.server("AN-18", p.at()+": `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. "+
		"These blocks must remain as they were in the original response.")
}

// server returns a refusal under a rule that only a server can hold, nil if the
// rule is off.
func (c *call) server(rule, message string) *refusal {
	if !c.e.checks(rule) {
		return nil
	}
	return refuse(rule, message)
}

// dropsUnbound reports whether the request asks that blocks of another
// conversation are dropped rather than refused (AN-38).
func (c *call) dropsUnbound() bool {
	const beta = "thinking-binding-controls-2026-08-01"
	betas := strings.Join(append(c.r.Header.Values("Anthropic-Beta"), words(c.root.Get("anthropic_beta"))...), ",")
	return strings.Contains(betas, beta) &&
		under(c.root, "thinking", "block_binding", "prefix_mismatch_behavior").String() == "drop_block"
}

// latestAssistant returns the index of the last message of the assistant, -1 if
// there is none.
func (c *conversation) latestAssistant() int {
	for i := len(c.pieces) - 1; i >= 0; i-- {
		if c.pieces[i].role == assistant {
			return c.pieces[i].message
		}
	}
	return -1
}
