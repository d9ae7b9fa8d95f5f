package failed

import (
	_ "embed"
	"slices"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/pairs"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/transcript"
)

//go:embed doc.go
var doc string

// Pass carries out D-04 and R-B16.
var Pass = &hygiene.Pass{
	Name:  "failed",
	Doc:   hygiene.DocText(doc),
	Rules: rules(),
	After: []string{"shapes", "content", "signatures", "calls"},
	Mixed: true,
	Run:   run,
}

func rules() []hygiene.Rule {
	shared := slices.DeleteFunc(slices.Clone(turns.FailedRules), func(r hygiene.Rule) bool { return r.ID == "D-04" })
	return append([]hygiene.Rule{
		{
			ID: "D-04", Title: "a failed turn that was tried again is left out", Lossy: true,
			Unstable: "another assistant turn follows",
		},
		{ID: "R-31", Title: "a failed turn with nothing but blank text is left out"},
		{
			ID: "R-B16", Title: "a failed turn keeps what can be read and what really ran", Lossy: true,
			Unstable: "the real result of a call arrives",
		},
	}, shared...)
}

func run(r *hygiene.Run) {
	var failed, calls, empty bool
	for i := range r.Len() {
		if m := r.At(i); m.Is(transcript.Assistant) {
			empty = empty || turns.FailedEmpty(m)
			if m.Failed() {
				failed, calls = true, calls || m.HasToolCall()
			}
		}
	}
	if !failed && !empty {
		return
	}
	turns.SettleFailed(r)
	if failed {
		settleAll(r, calls)
		turns.SettleFailed(r) // a turn may be empty, or beside an empty one, only now
	}
}

// settleAll goes through the failed turns from the end, since only a turn that
// stays can supersede another one.
func settleAll(r *hygiene.Run, calls bool) {
	var table *pairs.Table
	if calls {
		table = pairs.Match(r.Messages())
	}
	superseded := false
	for i := r.Len() - 1; i >= 0; i-- {
		m := r.At(i)
		switch {
		case r.Gone(i):
		case m.SpeaksAsUser():
			superseded = false
		case m.Is(transcript.Assistant):
			if m.Failed() && !turns.FailedEmpty(m) {
				settle(r, i, superseded, table)
			}
			superseded = superseded || !r.Gone(i)
		}
	}
}

// settle decides about failed turn i, in the order of D-04.
func settle(r *hygiene.Run, i int, superseded bool, table *pairs.Table) {
	m := r.At(i)
	ran := ranIn(m, i, table)
	switch {
	case ran != nil:
		j := -1
		turns.Rewrite(r, i, func(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
			j++
			if b.IsToolCall() && !ran[j] {
				return nil, lost("the turn failed and the call has no result")
			}
			return b, hygiene.Edit{}
		})
	case !m.Any(func(b *transcript.Block) bool { return !turns.BlankText(b) }):
		r.Drop(i, hygiene.Edit{Rule: "R-31", Reason: "the turn failed and holds only blank text"})
	case superseded:
		r.Drop(i, hygiene.Edit{Rule: "D-04", Reason: "the turn failed and another one follows", Lossy: true})
	case !m.Any(turns.Readable):
		r.Drop(i, lost("the turn failed before it said anything"))
	default:
		turns.Rewrite(r, i, func(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
			switch {
			case b.IsToolCall():
				return nil, lost("the turn failed and the call has no result")
			case b.IsThinking():
				return nil, lost("the turn of the thinking failed")
			}
			return b, hygiene.Edit{}
		})
	}
}

func lost(reason string) hygiene.Edit {
	return hygiene.Edit{Rule: "R-B16", Reason: reason, Lossy: true}
}

// ranIn returns which blocks of turn i are calls that have a real result, nil
// if none is.
func ranIn(m *transcript.Message, i int, table *pairs.Table) []bool {
	var ran []bool
	for j, b := range m.Blocks() {
		if pairs.IsCall(b) && table.Real(i, j) {
			if ran == nil {
				ran = make([]bool, len(m.Blocks()))
			}
			ran[j] = true
		}
	}
	return ran
}
