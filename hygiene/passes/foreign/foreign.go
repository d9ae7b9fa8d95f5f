package foreign

import (
	_ "embed"
	"strings"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/internal/texts"
	"hygeia/internal/wrappers"
	"hygeia/policy"
	"hygeia/transcript"
)

//go:embed doc.go
var doc string

// Pass carries out R-124 and W-113…W-116.
var Pass = &hygiene.Pass{
	Name: "foreign",
	Doc:  hygiene.DocText(doc),
	Rules: []hygiene.Rule{
		{ID: "R-124", Title: "thinking of another model is left out", Lossy: true, Synthetic: true},
		{ID: "W-113", Title: "thinking of another model becomes plain text"},
		{ID: "W-114", Title: "signatures on text and calls of another model are removed"},
		{ID: "W-115", Title: "thinking with a signature of another format is left out", Lossy: true, Synthetic: true},
		{ID: "W-116", Title: "thinking that is bound to another model is left out", Lossy: true, Synthetic: true},
	},
	After: []string{"shapes"},
	Run:   run,
}

// blockSignatures may stand on blocks that are no thinking.
var blockSignatures = []string{"textSignature", "thoughtSignature", "thought_signature"}

func run(r *hygiene.Run) {
	j := newJudge(r)
	for i := range r.Len() {
		if m := r.At(i); m.Is(transcript.Assistant) {
			j.turn(r, i, j.origin(m))
		}
	}
}

func (j *judge) turn(r *hygiene.Run, i int, o origin) {
	if !o.foreign && !r.At(i).HasThinking() {
		return
	}
	lost := ""
	changed := turns.Rewrite(r, i, func(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
		n, rule := j.block(b, o)
		if n == b {
			return b, hygiene.Edit{}
		}
		e := hygiene.Edit{Rule: rule, Reason: o.reason, Lossy: n == nil}
		if rule == "W-115" {
			e.Reason = formOf(b).reason()
		}
		if n == nil {
			lost = rule
		}
		return n, e
	})
	if changed {
		turns.KeepPlace(r, i, lost, texts.OmittedReasoning)
	}
}

// block returns what goes out for a block of a turn of that origin, and the
// rule if that is something else.
func (j *judge) block(b *transcript.Block, o origin) (*transcript.Block, string) {
	thinking := b.IsThinking()
	switch {
	case !thinking && o.foreign:
		return b.Without(j.strip...), "W-114"
	case !thinking:
		return b, ""
	case !o.foreign && j.refuses(b):
		return nil, "W-115"
	case !o.foreign, j.policy.Responses && formOf(b) == item:
		return b, ""
	case o.bound:
		return nil, "W-116"
	}
	if j.asText {
		if n := asText(b); n != nil {
			return n, "W-113"
		}
	}
	return nil, "R-124"
}

// asText returns a text block with the words of a thinking block, nil if it has
// none. What the pass content takes out of text does not come in here.
func asText(b *transcript.Block) *transcript.Block {
	if b.Get("redacted").Bool() {
		return nil
	}
	text := b.Text()
	switch words := wrappers.StripAssistant(text); {
	case strings.TrimSpace(words) == "", wrappers.IsSilent(words):
		return nil
	case words != text:
		return transcript.NewTextBlock(words)
	}
	return transcript.NewTextBlockValue(b.TextValue())
}

// refuses reports whether the signature of a thinking block cannot be one of the
// target (W-115).
func (j *judge) refuses(b *transcript.Block) bool {
	if !j.opaque || formOf(b) == opaque {
		return false
	}
	return !j.policy.Wire.ReasoningContentSigned || b.Signature().String() != "reasoning_content"
}

func newJudge(r *hygiene.Run) *judge {
	j := &judge{
		target: r.Target, policy: r.Policy,
		opaque: r.Policy.AnthropicFamily || opaqueAPIs[r.Target.API],
		asText: r.Policy.ForeignThinking == policy.ForeignText,
		strip:  blockSignatures,
	}
	if r.Policy.Responses {
		j.strip = blockSignatures[1:] // textSignature belongs to the items
	}
	return j
}
