package turns

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/internal/wrappers"
	"hygeia/transcript"
)

// join makes one turn of the turns i to j-1 of one speaker, where the policy asks for
// that.
func join(r *hygiene.Run, i, j int) {
	switch {
	case r.At(i).Is(transcript.Assistant) && (r.Policy.ValidateGeminiTurns || r.Policy.ValidateAnthropicTurns):
		joinAssistants(r, i, j)
	case r.At(i).Is(transcript.User) && r.Policy.ValidateAnthropicTurns:
		joinUsers(r, i, j)
	}
}

// joinAssistants makes one turn of the turns i to j-1: the fields of the first,
// the outcome of the last, and the thinking of only one (R-92, D-20).
func joinAssistants(r *hygiene.Run, i, j int) {
	keeper := j - 1
	for keeper > i && !r.At(keeper).HasThinking() {
		keeper--
	}
	for k := i; k < keeper; k++ {
		dropThinking(r, k)
	}
	var blocks []*transcript.Block
	for k := i; k < j; k++ {
		blocks = append(blocks, r.At(k).Blocks()...)
	}
	m := withFields(r.At(i), r.At(speaker(r, i, j, keeper)), identity)
	m = withFields(m, r.At(outcome(r, i, j)), []string{"stopReason", "errorMessage"})
	for k := i; k < j; k++ {
		if v := r.At(k).Get("usage"); v.Kind == jsonline.ObjectKind {
			m = m.With("usage", v)
		}
	}
	m = m.Without("responseId") // it is no longer that response alone
	origin := r.At(i).Origin
	origin.Position = r.At(speaker(r, i, j, keeper)).Origin.Position
	m = m.WithOrigin(origin)
	merge(r, i, j, m.WithBlocks(blocks), "R-92", "two assistant turns stand side by side")
}

// identity are the members that say which model wrote a turn and when.
var identity = []string{"provider", "api", "model", "responseModel", "timestamp"}

// speaker returns which of the turns i to j-1 the joined turn comes from: the
// one whose thinking is kept, else the last with a signature on text or calls,
// for what is signed is judged by the route of its turn; else the first.
func speaker(r *hygiene.Run, i, j, keeper int) int {
	if r.At(keeper).HasThinking() {
		return keeper
	}
	for k := j - 1; k > i; k-- {
		if r.At(k).Any(signed) {
			return k
		}
	}
	return i
}

func signed(b *transcript.Block) bool {
	return b.Get("textSignature").Exists() || b.Get("thoughtSignature").Exists() || b.Get("thought_signature").Exists()
}

// outcome returns which of the turns i to j-1 says how the joined turn ended:
// the last that said something and did not fail, else the last. A joined turn
// failed only if all of it did.
func outcome(r *hygiene.Run, i, j int) int {
	for k := j - 1; k >= i; k-- {
		if m := r.At(k); !m.Failed() && len(m.Blocks()) > 0 {
			return k
		}
	}
	return j - 1
}

// withFields returns m with the named members as they are in from, absent ones
// included.
func withFields(m, from *transcript.Message, names []string) *transcript.Message {
	if m == from {
		return m
	}
	for _, name := range names {
		m = m.Without(name)
		if v := from.Get(name); v.Exists() {
			m = m.With(name, v)
		}
	}
	return m
}

// dropThinking takes the thinking out of turn k, which is about to be joined
// with a turn that has thinking of its own.
func dropThinking(r *hygiene.Run, k int) {
	blocks := r.Blocks(k)
	for b, block := range blocks.All() {
		if block.IsThinking() {
			blocks.Drop(b, hygiene.Edit{Rule: "R-92", Reason: "the turn is joined with one that has its own thinking", Lossy: true})
		}
	}
	blocks.Done()
}

// joinUsers makes one turn of the turns i to j-1: the fields of the last, all
// content.
func joinUsers(r *hygiene.Run, i, j int) {
	last := r.At(j - 1)
	var blocks []*transcript.Block
	for k := i; k < j; k++ {
		part := contentBlocks(r.At(k))
		if routed(r.At(k)) {
			part = closed(part)
		}
		blocks = append(blocks, part...)
	}
	m := last.WithBlocks(withoutPlaceholders(blocks)).WithOrigin(r.At(i).Origin)
	if !m.Get("timestamp").Exists() {
		m = m.With("timestamp", r.At(i).Get("timestamp"))
	}
	for k := i; k < j; k++ {
		if routed(r.At(k)) {
			// The parts carry their own markers, so nothing is marked again.
			joined := r.At(k).Get("provenance").Object().With("joined", jsonline.Bool(true))
			m = m.With("provenance", joined.Value())
		}
		if !r.At(k).CarriesContext() {
			m = m.Without("runtimeContextCarrier") // words of a user are in it now
		}
	}
	merge(r, i, j, m, "R-93", "two user turns stand side by side")
}

// routed reports whether a turn came from another session.
func routed(m *transcript.Message) bool {
	p, _ := m.Provenance()
	return p.Kind == transcript.InterSession
}

// closed ends routed content with its closing line, since other content comes
// to stand behind it (S-B05).
func closed(blocks []*transcript.Block) []*transcript.Block {
	for j := len(blocks) - 1; j >= 0; j-- {
		if b := blocks[j]; b.IsText() {
			c := append([]*transcript.Block(nil), blocks...)
			c[j] = b.WithText(wrappers.CloseRouted(b.Text()))
			return c
		}
	}
	return blocks
}

func merge(r *hygiene.Run, i, j int, m *transcript.Message, rule, reason string) {
	for k := i + 1; k < j; k++ {
		r.MergeInto(i, k, m, hygiene.Edit{Rule: rule, Reason: reason})
	}
}

// contentBlocks returns the content of a user turn as blocks; other shapes
// than text and lists count as nothing.
func contentBlocks(m *transcript.Message) []*transcript.Block {
	if m.ContentKind() == transcript.TextContent {
		return []*transcript.Block{transcript.NewTextBlockValue(m.Text())}
	}
	return m.Blocks()
}

// withoutPlaceholders removes placeholders for blank content beside real
// content (D-07).
func withoutPlaceholders(blocks []*transcript.Block) []*transcript.Block {
	var kept []*transcript.Block
	for _, b := range blocks {
		if !isPlaceholder(b) {
			kept = append(kept, b)
		}
	}
	if len(kept) == 0 {
		return blocks[:min(1, len(blocks))]
	}
	return kept
}

func isPlaceholder(b *transcript.Block) bool {
	v := b.TextValue()
	return len(v.Raw) < 64 && b.IsText() && texts.IsOmittedContent(v.String())
}
