package boundary

import (
	"bytes"
	"strings"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/internal/wrappers"
	"hygeia/transcript"
)

// stripMetadata removes runtime metadata from the text of user turn i.
// A turn of nothing else keeps its place with a placeholder (D-07).
func stripMetadata(r *hygiene.Run, i int) {
	m := r.At(i)
	edit := hygiene.Edit{Rule: "R-100", Reason: "runtime metadata around an earlier user turn", Lossy: true}
	if m.ContentKind() == transcript.TextContent {
		if text, changed := stripped(m.Text()); changed {
			if blank(text) {
				text = texts.OmittedContent
			}
			r.Replace(i, m.WithText(text), edit)
		}
		return
	}
	blocks := r.Blocks(i)
	left := len(blocks.All())
	for j, b := range blocks.All() {
		if !b.IsText() || told(b) {
			continue
		}
		text, changed := stripped(b.TextValue())
		switch {
		case !changed:
		case !blank(text):
			blocks.Replace(j, b.WithText(text), edit)
		case left > 1:
			left--
			blocks.Drop(j, edit)
		default:
			blocks.Replace(j, b.WithText(texts.OmittedContent), edit)
		}
	}
	blocks.Done()
}

// told reports whether a block tells a tool result in words (W-707): what stands
// in it is the tool's.
func told(b *transcript.Block) bool {
	return bytes.HasPrefix(b.TextValue().Raw, []byte(`"[`)) && texts.IsToldResult(b.Text())
}

func stripped(v jsonline.Value) (string, bool) {
	if !mayHoldMetadata(v) {
		return "", false
	}
	text := v.String()
	s := wrappers.StripUser(text)
	return s, s != text
}

// mayHoldMetadata reports whether a text may hold what R-100 removes. It looks
// for what all of it contains in the text as it is spelled, so that a clean
// history is not decoded.
func mayHoldMetadata(v jsonline.Value) bool {
	raw := v.Raw[1 : len(v.Raw)-1]
	return v.Flags&jsonline.FlagEscaped != 0 && bytes.Contains(raw, []byte(`\u00`)) || // may spell any of the others
		bytes.HasPrefix(turns.TrimSpelledBlanks(raw), []byte("[")) || turns.LeadsWithMetadata(raw) ||
		bytes.Contains(raw, []byte("OPENCLAW")) || bytes.Contains(raw, []byte("-authored")) || bytes.Contains(raw, []byte("Untrusted c"))
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }

// embedded removes tool results that stand inside user turn i and answer no
// call of the turn before.
func embedded(r *hygiene.Run, i int) {
	blocks := r.Blocks(i)
	var calls map[string]bool // that may be answered here, once there is a result
	for j, b := range blocks.All() {
		if !b.Is("toolResult") && !b.Is("tool") {
			continue
		}
		if calls == nil {
			calls = callsBefore(r, i)
		}
		if calls[resultID(b)] {
			continue
		}
		reason := "result inside a user turn has no call in the turn before"
		e := hygiene.Edit{Rule: "R-103", Reason: reason, Lossy: true}
		if blocks.Left() == 1 {
			e.Synthetic = true
			blocks.Replace(j, transcript.NewTextBlock(texts.OmittedToolResults), e)
		} else {
			blocks.Drop(j, e)
		}
	}
	blocks.Done()
}

// callsBefore returns the ids of the calls whose results may stand in user turn i:
// those of an assistant turn directly in front, if its thinking is not replayed as it
// is.
func callsBefore(r *hygiene.Run, i int) map[string]bool {
	calls := map[string]bool{}
	if i == 0 || !r.At(i-1).Is(transcript.Assistant) {
		return calls
	}
	before := r.At(i - 1)
	if r.Policy.ProviderOwnedThinking && before.HasThinking() {
		return calls
	}
	for _, c := range before.Blocks() {
		if c.IsToolCall() && c.ID() != "" {
			calls[c.ID()] = true
		}
	}
	return calls
}

// resultID returns the id of the call that an embedded result names, "" for none.
func resultID(b *transcript.Block) string {
	for _, name := range transcript.ResultIDNames {
		if id := strings.TrimSpace(b.Get(name).String()); id != "" {
			return id
		}
	}
	return ""
}
