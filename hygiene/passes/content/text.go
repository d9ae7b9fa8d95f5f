package content

import (
	"bytes"
	"strings"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/internal/jsonline"
	"hygeia/internal/wrappers"
	"hygeia/transcript"
)

// assistantText takes internal metadata and silent replies out of the texts of
// an assistant turn, and drops the turn if nothing that counts is left (R-23,
// R-B15).
func assistantText(r *hygiene.Run, i int) {
	m := r.At(i)
	if !m.Any(mayHoldMore) {
		return
	}
	var kept []*transcript.Block
	var silent, changed bool
	for _, b := range m.Blocks() {
		n, e := said(b)
		silent = silent || e.Rule == "R-24"
		changed = changed || n != b
		if n != nil {
			kept = append(kept, n)
		}
	}
	switch {
	case !changed:
	case silent && !anySpeaks(kept):
		r.Drop(i, silentTurn(kept))
	case len(kept) == 0:
		r.Drop(i, hygiene.Edit{Rule: "R-23", Lossy: true, Reason: "turn holds only internal metadata"})
	default:
		turns.Rewrite(r, i, said)
	}
}

func silentTurn(left []*transcript.Block) hygiene.Edit {
	e := hygiene.Edit{Rule: "R-24", Lossy: true, Reason: "turn is a silent reply"}
	for _, b := range left {
		if b.IsThinking() {
			e.Rule, e.Reason = "R-B15", "turn holds only thinking and a silent reply"
		}
	}
	return e
}

func anySpeaks(blocks []*transcript.Block) bool {
	for _, b := range blocks {
		if !b.IsThinking() && !turns.BlankText(b) {
			return true
		}
	}
	return false
}

// said returns what a block says without metadata: b itself if there is none,
// nil if nothing is left.
func said(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
	if !mayHoldMore(b) {
		return b, hygiene.Edit{}
	}
	text := b.Text()
	e := hygiene.Edit{Rule: "R-28", Lossy: true, Reason: "text holds internal metadata"}
	switch left := wrappers.StripAssistant(text); {
	case wrappers.IsSilent(left):
		return nil, hygiene.Edit{Rule: "R-24", Lossy: true, Reason: "text is a silent reply"}
	case left == text:
		return b, hygiene.Edit{}
	case strings.TrimSpace(left) == "":
		return nil, e
	default:
		return b.WithText(left), e
	}
}

// mayHoldMore reports whether a text may hold metadata or a silent reply. It
// looks for what all of them contain in the text as it is spelled, so that a
// clean history is not decoded. Only type text counts (R-B15).
func mayHoldMore(b *transcript.Block) bool {
	if !b.IsText() {
		return false
	}
	v := b.TextValue()
	raw := v.Raw[1 : len(v.Raw)-1]
	return v.Flags&jsonline.FlagEscaped != 0 && bytes.Contains(raw, []byte(`\u00`)) || // may spell any of the others
		underscored(raw) || turns.LeadsWithMetadata(raw) ||
		bytes.Contains(raw, []byte("-authored")) || bytes.Contains(raw, []byte("Untrusted c"))
}

// underscored looks for NO_REPLY in any case and for the delimiter of internal
// blocks.
func underscored(raw []byte) bool {
	for from := 0; ; {
		i := bytes.IndexByte(raw[from:], '_')
		if i < 0 {
			return false
		}
		i += from
		from = i + 1
		before, after := raw[:i], raw[from:]
		if bytes.HasSuffix(before, []byte("OPENCLAW")) ||
			len(after) >= 5 && bytes.EqualFold(after[:5], []byte("REPLY")) {
			return true
		}
	}
}
