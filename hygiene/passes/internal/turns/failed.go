package turns

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// FailedRules are the rules of [SettleFailed], on walks behind those of the passes
// that call it, for their lists.
var FailedRules = []hygiene.Rule{
	{ID: "R-26", Title: "an empty failed turn says that it failed", Synthetic: true, Walk: 5},
	{ID: "R-27", Title: "empty failed turns at the end are left out", Unstable: "the end moves when turns are appended", Walk: 4},
	{ID: "D-04", Title: "empty failed turns in a row are one, an aborted one that was tried again is left out", Walk: 5},
}

// SettleFailed decides what becomes of the turns that failed before they said
// anything (D-04 a). What the pass dropped, and what does not stay where it is,
// does not stand between others. A pass that drops turns can bring two of them
// together, or one to the end: it calls this last.
func SettleFailed(r *hygiene.Run) {
	end := cutTail(r)
	before := false // the message before is such a turn
	for i := range end {
		m := r.At(i)
		if r.Gone(i) || !stands(m) {
			continue
		}
		switch empty := FailedEmpty(m); {
		case !empty:
			before = false
		case m.StopReason() == transcript.StopAborted && Superseded(r, i):
			r.Drop(i, hygiene.Edit{Rule: "D-04", Reason: "aborted turn is empty and another one follows"})
		case before:
			r.Drop(i, hygiene.Edit{Rule: "D-04", Reason: "turn is empty, as is the failed turn before it"})
		default:
			before = true
			sayFailed(r, i)
		}
	}
}

// cutTail drops the empty failed turns at the end, which would act as a prefill
// and returns how many messages stand before them.
func cutTail(r *hygiene.Run) int {
	for i := r.Len() - 1; i >= 0; i-- {
		m := r.At(i)
		if r.Gone(i) || !stands(m) {
			continue
		}
		if !FailedEmpty(m) {
			return i + 1
		}
		r.Drop(i, hygiene.Edit{Rule: "R-27", Reason: "last turn failed before it said anything"})
	}
	return 0
}

// stands reports whether m goes out where it is in the list. A tool result goes
// to its call, which an empty turn does not have; rows of other roles do not go
// out (F-72).
func stands(m *transcript.Message) bool {
	switch m.Role() {
	case transcript.User, transcript.Assistant, transcript.Custom:
		return true
	}
	return m.SpeaksAsUser()
}

func sayFailed(r *hygiene.Run, i int) {
	m := r.At(i)
	if len(m.Blocks()) > 0 {
		return
	}
	fallback := []*transcript.Block{transcript.NewTextBlock(texts.FailedTurn)}
	r.Replace(i, m.WithBlocks(fallback), hygiene.Edit{
		Rule: "R-26", Synthetic: true, Reason: "turn failed before it said anything",
	})
}

// FailedEmpty reports whether m is an assistant turn that failed before it
// produced anything (D-04 a): it has no content, or nothing but a known
// fallback text, and ended in error, was aborted, or is a stop without any
// usage.
func FailedEmpty(m *transcript.Message) bool {
	if !m.Is(transcript.Assistant) || m.ContentKind() != transcript.ListContent {
		return false
	}
	switch blocks := m.Blocks(); len(blocks) {
	case 0:
	case 1:
		if !m.HasFailedText() {
			return false
		}
	default:
		return false
	}
	return m.Failed() || m.StopReason() == transcript.StopStop && noUsage(m)
}

// noUsage reports whether the usage of m is recorded and all zero: by its total,
// or without one by whatever components there are.
func noUsage(m *transcript.Message) bool {
	usage := m.Get("usage").Object()
	components := 0
	for _, name := range []string{"input", "output", "cacheRead", "cacheWrite"} {
		n, ok := usage.Get(name).Number()
		if n != 0 {
			return false
		}
		if ok {
			components++
		}
	}
	for _, name := range []string{"total", "totalTokens", "total_tokens"} {
		if v := usage.Get(name); v.Kind == jsonline.Number {
			n, ok := v.Number()
			return ok && n == 0
		}
	}
	return components > 0
}

// Superseded reports whether another assistant turn follows message i before
// the next user turn (D-04 d). Messages that were dropped do not count; rows
// that go out as user turns do (R-B11).
func Superseded(r *hygiene.Run, i int) bool {
	for j := i + 1; j < r.Len(); j++ {
		switch m := r.At(j); {
		case r.Gone(j):
		case m.Is(transcript.Assistant):
			return true
		case m.SpeaksAsUser():
			return false
		}
	}
	return false
}

// Readable reports whether a block says something to a reader: it is neither
// thinking nor a call, nor a text that only stands for one.
func Readable(b *transcript.Block) bool {
	if b.IsThinking() || b.IsToolCall() || BlankText(b) {
		return false
	}
	text := b.Text()
	return !texts.IsOmittedReasoning(text) && !texts.IsOmittedCalls(text)
}
