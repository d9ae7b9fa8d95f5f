package emulator

import (
	"encoding/base64"
	"regexp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"hygeia/internal/jsonline"
)

var geminiFormat = format{
	callPrefix: "call_",
	unwrap:     unwrapGemini,
	read:       readGemini,
	verify:     (*call).verifyGemini,
	finish:     (*call).signGemini,
	plain:      func(c *call, r *reply) any { return geminiChunk(c, r, geminiParts(r.parts), true) },
	events:     geminiEvents,
	frame: func(c *call) *framing {
		if c.r.URL.Query().Get("alt") == "sse" {
			return &dataEvents
		}
		return &jsonArray
	},
	failed: func(_ *call, message string) event {
		return event{data: object{"error", object{"code", 503, "message", message, "status", "UNAVAILABLE"}}}
	},
	counted: func(n int) any {
		return object{"totalTokens", n, "promptTokensDetails", list{object{"modality", "TEXT", "tokenCount", n}}}
	},
}

// unwrapGemini finds the request whose tokens are to be counted, which stands
// there with or without what surrounds its contents.
func unwrapGemini(c *call) []byte {
	if whole := c.root.Get("generateContentRequest").Object(); c.route.mode == count && whole.Exists() {
		c.root = whole.Without("model")
		return c.root.AppendTo(nil)
	}
	return c.body
}

func readGemini(c *call) {
	c.thinks = under(c.root, "generationConfig", "thinkingConfig", "includeThoughts").Bool()
	c.extra = len(c.root.Get("systemInstruction").Raw) + len(c.root.Get("tools").Raw)
	for i, m := range elements(c.root.Get("contents")) {
		role := user
		if m.Object().Get("role").String() == "model" {
			role = assistant
		}
		for j, b := range elements(m.Object().Get("parts")) {
			p := geminiPiece(b.Object())
			p.role, p.message, p.block = role, i, j
			c.add(p)
		}
	}
}

func geminiPiece(b jsonline.Object) piece {
	p := piece{kind: other, seal: b.Get("thoughtSignature").String()}
	if p.seal == "" {
		p.seal = b.Get("thought_signature").String()
	}
	use, answer := b.Get("functionCall").Object(), b.Get("functionResponse").Object()
	switch {
	case use.Exists():
		p.kind, p.id, p.name, p.text = toolCall, use.Get("id").String(), use.Get("name").String(), canonical(use.Get("args"))
	case answer.Exists():
		p.kind, p.id, p.name = result, answer.Get("id").String(), answer.Get("name").String()
		p.text = responseText(answer.Get("response"))
	case b.Get("thought").Bool():
		p.kind, p.text = thinking, b.Get("text").String()
	case b.Has("text"):
		p.kind, p.text = text, b.Get("text").String()
	default:
		p.text = canonical(b.Value())
	}
	return p
}

// responseText returns the text of a function response: that of its only member
// if it is one, else all of it as JSON.
func responseText(v jsonline.Value) string {
	var only jsonline.Value
	n := 0
	for _, m := range v.Object().Members() {
		only = m
		n++
	}
	if n == 1 && only.IsString() {
		return only.String()
	}
	return canonical(v)
}

var geminiName = regexp.MustCompile(`gemini-\d+`)

// geminiFamily is what a thought signature is good for: the generation of the
// model.
func geminiFamily(model string) [8]byte {
	return digest8(geminiName.FindString(strings.ToLower(model)))
}

// skipSignatures go through in the place of a signature that was lost (GG-08).
// The member is bytes, so that clients send the literals in three ways: as they
// are documented, which is base64 in the URL alphabet; those bytes in the other
// alphabet; and as base64 of their letters.
var skipSignatures = func() map[string]bool {
	all := map[string]bool{}
	for _, literal := range []string{"skip_thought_signature_validator", "context_engineering_is_the_way_to_go"} {
		all[literal] = true
		all[strings.NewReplacer("-", "+", "_", "/").Replace(literal)] = true
		all[base64.StdEncoding.EncodeToString([]byte(literal))] = true
	}
	return all
}()

// signGemini signs the first call of an answer, or its last text if the model
// thought and called nothing.
func (c *call) signGemini(r *reply) {
	if c.claude {
		c.signClaude(r)
		return
	}
	if at := signedPart(r); at >= 0 {
		p := &r.parts[at]
		s := seal{kind: thoughtSeal, turn: r.turn, model: geminiFamily(c.target.Model), text: partDigest(p.kind, p.name, p.text)}
		p.seal = c.geminiIssuer().signature(&s)
	}
}

func signedPart(r *reply) int {
	last := -1
	for i := range r.parts {
		switch r.parts[i].kind {
		case toolCall:
			return i
		case text:
			last = i
		}
	}
	if !r.has(thinking) && !r.has(redacted) {
		return -1
	}
	return last
}

// partDigest is what a thought signature is good for: a call, or any text, since
// clients join the text of a stream in their own way.
func partDigest(kind, name, arguments string) [16]byte {
	if kind != toolCall {
		return digest16(text)
	}
	return digest16(name, canonicalText(arguments))
}

func (c *call) geminiIssuer() issuer { return c.e.key("gemini") }

// verifyGemini holds thought signatures against what was issued (GG-10, CA-05).
func (c *call) verifyGemini() *refusal {
	if c.claude {
		return c.verifyClaude()
	}
	for i := range c.pieces {
		p := &c.pieces[i]
		if p.role != assistant || p.seal == "" || skipSignatures[p.seal] || c.e.known(p.seal) {
			continue
		}
		s := c.geminiIssuer().openSignature(p.seal, thoughtSeal)
		switch {
		case s == nil:
			if f := c.server("GG-10", "Corrupted thought signature."); f != nil {
				return f
			}
		case s.model != geminiFamily(c.target.Model) || s.text != partDigest(p.kind, p.name, p.text):
			if f := c.server("GG-10", "Thought signature is not valid"); f != nil {
				return f
			}
		}
	}
	return nil
}

var geminiStops = map[string]string{"stop": "STOP", "length": "MAX_TOKENS", "toolUse": "STOP", "refusal": "SAFETY"}

// geminiParts writes parts of an answer; hidden thinking shows only in the
// signature.
func geminiParts(parts []said) list {
	out := list{}
	for i := range parts {
		p := &parts[i]
		var o object
		switch p.kind {
		case thinking:
			o = object{"thought", true, "text", p.text}
		case redacted:
			continue
		case toolCall:
			o = object{"functionCall", object{"id", p.id, "name", p.name, "args", jsontext.Value(p.text)}}
		default:
			o = object{"text", p.text}
		}
		if p.seal != "" {
			o = append(o, "thoughtSignature", p.seal)
		}
		out = append(out, o)
	}
	return out
}

func geminiChunk(c *call, r *reply, parts list, last bool) object {
	candidate := object{"content", object{"parts", parts, "role", "model"}}
	if last {
		candidate = append(candidate, "finishReason", r.stopWord(geminiStops))
	}
	return object{
		"candidates",
		list{append(candidate, "index", 0)},
		"usageMetadata",
		object{
			"promptTokenCount", r.usage.input + r.usage.cacheRead, "candidatesTokenCount", r.usage.output - r.usage.thinking,
			"totalTokenCount", r.usage.input + r.usage.cacheRead + r.usage.output, "cachedContentTokenCount", r.usage.cacheRead,
			"thoughtsTokenCount", r.usage.thinking,
		},
		"modelVersion", c.target.Model, "responseId", r.id,
	}
}

// geminiEvents streams text in pieces and calls whole. The signature of a text
// stands at its last piece.
func geminiEvents(c *call, r *reply) []event {
	var events []event
	add := func(p said) { events = append(events, event{data: geminiChunk(c, r, geminiParts([]said{p}), false)}) }
	for _, p := range r.parts {
		if p.kind == toolCall || p.kind == redacted {
			add(p)
			continue
		}
		pieces := cut(p.text)
		for i, s := range pieces {
			piece := said{kind: p.kind, text: s}
			if i == len(pieces)-1 {
				piece.seal = p.seal
			}
			add(piece)
		}
	}
	return append(events, event{data: geminiChunk(c, r, list{object{"text", ""}}, true)})
}
