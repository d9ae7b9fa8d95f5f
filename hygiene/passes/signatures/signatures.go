package signatures

import (
	_ "embed"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

//go:embed doc.go
var doc string

// Pass carries out and W-112.
var Pass = &hygiene.Pass{
	Name: "signatures",
	Doc:  hygiene.DocText(doc),
	Rules: []hygiene.Rule{
		{
			ID: "R-40", Title: "thinking signed before the newest compaction is left out", Lossy: true, Synthetic: true,
			Unstable: "a compaction makes earlier signatures stale",
		},
		{
			ID: "R-41", Title: "thinking without a signature is left out", Lossy: true, Synthetic: true,
			Unstable: "the latest turn, which may hold such thinking, becomes an earlier one",
		},
		{ID: "R-46", Title: "thinking without a base64 signature is left out", Lossy: true, Synthetic: true},
		{
			ID: "R-112", Title: "thinking that a provider rejected is left out", Lossy: true, Synthetic: true,
			Unstable: "a provider rejects thinking of earlier turns",
		},
		{ID: "W-112", Title: "blank thinking without a signature is left out", Synthetic: true},
	},
	After: []string{"shapes", "foreign"},
	Run:   run,
}

func run(r *hygiene.Run) {
	c := newCompaction(r)
	exempt := exempt(r)
	for i := range r.Len() {
		m := r.At(i)
		if !m.Is(transcript.Assistant) || !m.HasThinking() {
			continue
		}
		t := turn{
			rejected: m.Origin.Position >= 0 && m.Origin.Position <= r.Context.RejectedThinking,
			base64:   r.Policy.SanitizeThinkingSignatures,
			stale:    r.Policy.SignatureHygiene && c.after(r, i),
			signed:   r.Policy.SignatureHygiene && i != exempt,
		}
		lost := ""
		changed := turns.Rewrite(r, i, func(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
			n, e := t.block(b)
			if n == nil {
				lost = e.Rule
			}
			return n, e
		})
		if changed {
			turns.KeepPlace(r, i, lost, texts.OmittedReasoning)
		}
	}
}

// exempt returns the index of the turn that may hold unsigned thinking, -1 when
// there is none: the latest assistant turn if it is the last message or its
// tool round is in progress.
func exempt(r *hygiene.Run) int {
	latest := r.Len() - 1
	for latest >= 0 && !r.At(latest).Is(transcript.Assistant) {
		latest--
	}
	if latest < 0 || latest == r.Len()-1 {
		return latest
	}
	if from, to := transcript.ChatRound(r.Messages()); latest < from || latest >= to || !r.At(latest).HasToolCall() {
		return -1
	}
	return latest
}

// turn is what holds for the thinking of one turn.
type turn struct {
	rejected bool // a provider rejected it
	base64   bool // signatures must be base64
	stale    bool // signatures are older than the newest compaction
	signed   bool // every block needs a signature
}

// block returns what goes out for a block and why.
func (t *turn) block(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
	switch {
	case !b.IsThinking():
		return b, hygiene.Edit{}
	case t.rejected:
		return nil, lost("R-112", "a provider rejected the thinking up to a later turn")
	case t.base64:
		return normalized(b)
	case b.Signature().Exists():
		return t.signedBlock(b)
	case b.Is(transcript.TypeThinking) && blank(b):
		return nil, hygiene.Edit{Rule: "W-112", Reason: "the thinking is blank and has no signature"}
	case t.signed:
		return nil, lost("R-41", "the thinking has no signature")
	}
	return b, hygiene.Edit{}
}

// signedBlock takes a stale signature off, and the block with it unless it may
// be unsigned and has something left to say.
func (t *turn) signedBlock(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
	const reason = "the signature is older than the newest compaction"
	switch {
	case !t.stale:
		return b, hygiene.Edit{}
	case t.signed, b.Is(transcript.TypeRedactedThinking), blank(b):
		return nil, lost("R-40", reason)
	}
	return b.Without(transcript.SignatureNames...), hygiene.Edit{Rule: "R-40", Reason: reason}
}

func lost(rule, reason string) hygiene.Edit {
	return hygiene.Edit{Rule: rule, Reason: reason, Lossy: true}
}

func blank(b *transcript.Block) bool {
	v := b.TextValue()
	return !v.IsString() || v.Blank()
}
