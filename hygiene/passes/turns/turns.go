package turns

import (
	_ "embed"

	"hygeia/hygiene"
	settle "hygeia/hygiene/passes/internal/turns"
	"hygeia/internal/texts"
	"hygeia/policy"
	"hygeia/transcript"
)

//go:embed doc.go
var doc string

// Pass carries out R-90….
var Pass = &hygiene.Pass{
	Name: "turns",
	Doc:  hygiene.DocText(doc),
	Rules: append([]hygiene.Rule{
		{ID: "R-90", Title: "a history that starts with an assistant turn gets a user turn in front", Synthetic: true, Walk: 2},
		{ID: "R-92", Title: "neighbouring assistant turns are joined", Lossy: true, Unstable: "the last turn grows", Walk: 3},
		{ID: "R-93", Title: "neighbouring user turns are joined", Unstable: "the last turn grows", Walk: 3},
		{ID: "R-95", Title: "calls without a result are removed", Lossy: true, Synthetic: true, Walk: 1},
		{
			ID: "R-104", Title: "trailing assistant turns are cut from the request", Lossy: true,
			Unstable: "the turn is no longer the last one",
		},
	}, settle.FailedRules...),
	After: []string{"boundary"},
	When: func(p *policy.Policy) bool {
		return p.ApplyGoogleTurnOrdering || p.ValidateGeminiTurns || p.ValidateAnthropicTurns
	},
	Run: run,
}

func run(r *hygiene.Run) {
	end := r.Len()
	if r.Policy.ValidateAnthropicTurns {
		end = cutTrailing(r)
		if !r.Policy.RepairToolUseResultPairing {
			dangling(r, end)
		}
	}
	bootstrap(r, end)
	for i := 0; i < end; {
		j := i + 1
		for j < end && r.At(j).Role() == r.At(i).Role() {
			j++
		}
		if j > i+1 {
			join(r, i, j)
		}
		i = j
	}
	settle.SettleFailed(r) // a failed turn may have been joined with empty ones
}

// cutTrailing drops assistant turns without calls from the end and returns the
// index behind the last turn that stays. Those of a request are for the
// converter to judge (W-223).
func cutTrailing(r *hygiene.Run) int {
	end := r.Len()
	if r.Context.Request {
		return end
	}
	for end > 0 && r.At(end-1).Is(transcript.Assistant) && !r.At(end-1).HasToolCall() {
		end--
		r.Drop(end, hygiene.Edit{Rule: "R-104", Reason: "the request must not end in an assistant turn", Lossy: true})
	}
	return end
}

// bootstrap puts a user turn in front of a history that starts with an
// assistant turn (R-90, R-B12). System messages in front of it are no turns.
func bootstrap(r *hygiene.Run, end int) {
	at := 0
	for at < end && r.At(at).IsSystem() {
		at++
	}
	if at == end || !r.At(at).Is(transcript.Assistant) {
		return
	}
	first := r.At(at)
	m := transcript.NewText(transcript.User, texts.SessionBootstrap)
	if at := first.Get("timestamp"); at.Exists() {
		m = m.With("timestamp", at)
	}
	r.InsertBehind(at-1, m, hygiene.Edit{Rule: "R-90", Reason: "the history starts with an assistant turn", Synthetic: true})
}
