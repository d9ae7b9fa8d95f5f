package boundary

import (
	_ "embed"
	"strings"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/transcript"
)

//go:embed doc.go
var doc string

// Pass carries out and F-72.
var Pass = &hygiene.Pass{
	Name: "boundary",
	Doc:  hygiene.DocText(doc),
	Rules: append([]hygiene.Rule{
		{ID: "F-72", Title: "rows of other roles become user turns or are left out", Lossy: true},
		{ID: "X-05", Title: "runtime context says that no user wrote it", Synthetic: true},
		{
			ID: "X-06", Title: "runtime context goes out only with the turn it belongs to, at the end", Lossy: true,
			Unstable: "the context goes when its turn is over",
		},
		{
			ID: "R-100", Title: "runtime metadata is removed from earlier user turns", Lossy: true,
			Unstable: "the active user turn becomes an earlier one",
		},
		{ID: "R-103", Title: "tool results inside a user turn without their call are removed", Lossy: true, Synthetic: true},
	}, turns.FailedRules...),
	After: []string{"pairing", "repeats"},
	Run:   run,
}

func run(r *hygiene.Run) {
	active := activeTurn(r)
	from, carriers, context := active, carriersOf(r, active), contextFrom(r)
	switch {
	case active < 0:
		from = r.Len()
	case r.Context.Request:
		from = activeFrom(r, active)
		context = min(context, from) // there it may stand in front of the active turn
	}
	for i := range r.Len() {
		m := r.At(i)
		switch m.Role() {
		case transcript.Assistant, transcript.ToolResult:
		case transcript.User:
			switch {
			case !m.CarriesContext():
				settleUser(r, i, i < from)
			case i >= context:
			case i > 0 && i > active:
				// No user turn follows: a placeholder would be one, and end a tool round.
				r.Drop(i, hygiene.Edit{Rule: "X-06", Reason: "runtime context of a turn that is over", Lossy: true})
			default:
				settleUser(r, i, true)
			}
		case transcript.Custom:
			if m.IsSystem() && r.Policy.SystemTurns {
				continue
			}
			if isRuntimeContext(m) {
				if !carriers[i] {
					r.Drop(i, hygiene.Edit{Rule: "X-06", Reason: "runtime context of a turn that is over", Lossy: true})
					continue
				}
				delimit(r, i)
				projectCustom(r, i)
				moveToEnd(r, i)
				continue
			}
			projectCustom(r, i)
		default:
			project(r, i)
		}
		// What became a user turn here is one in the next run (G-2).
		if !m.Is(transcript.User) && r.At(i).Is(transcript.User) {
			settleUser(r, i, i < from)
		}
	}
	turns.SettleFailed(r) // what went out of the list may have stood behind a failed turn
}

// settleUser holds user turn i to R-103, and an earlier one to R-100.
func settleUser(r *hygiene.Run, i int, earlier bool) {
	if r.Policy.ValidateAnthropicTurns {
		embedded(r, i)
	}
	if earlier {
		stripMetadata(r, i)
	}
}

// contextFrom returns the index behind the last message that is no runtime context.
// What a run before has moved to the end stands there; a user turn like it anywhere
// else is an earlier one and says nothing that a user wrote.
func contextFrom(r *hygiene.Run) int {
	i := r.Len()
	for i > 0 && r.At(i-1).CarriesContext() {
		i--
	}
	return i
}

// activeTurn returns the index of the last user turn, -1 when there is none. A
// row that becomes a user turn counts, as it would in the next run (G-2). So does
// the user turn that the formats of Google put behind a last assistant turn
// (W-608): no turn of the list is the active one then.
func activeTurn(r *hygiene.Run) int {
	if last := lastSent(r); last != nil && answered(last) && strings.HasPrefix(r.Target.API, "google-") && !r.Policy.ValidateAnthropicTurns {
		return -1
	}
	for i := r.Len() - 1; i >= 0; i-- {
		if r.At(i).SpeaksAsUser() {
			return i
		}
	}
	return -1
}

// activeFrom returns the index of the first turn of a request that may be the
// active one. A body tells less than the list that it was made of: user turns in
// a row, or behind tool results, may be one turn with what a converter put behind
// it, and a turn that was an earlier one has lost its metadata already (G-2).
func activeFrom(r *hygiene.Run, active int) int {
	list := r.Messages()
	if start := transcript.RoundStart(list); start < len(list) {
		active = max(start-1, 0)
	}
	for active > 0 && !list[active].EndsRound() {
		active--
	}
	for active > 0 && !list[active-1].Is(transcript.Assistant) && !list[active-1].Is(transcript.ToolResult) {
		active--
	}
	return active
}

// carriersOf returns the runtime context that stands directly in front of the
// active turn, unless that turn was answered.
func carriersOf(r *hygiene.Run, active int) map[int]bool {
	if n := r.Len(); active < 0 || answered(r.At(n-1)) {
		return nil
	}
	var found map[int]bool
	for i := active - 1; i >= 0 && isRuntimeContext(r.At(i)); i-- {
		if found == nil {
			found = map[int]bool{}
		}
		found[i] = true
	}
	return found
}

// lastSent returns the last message that goes out at all, nil if none does.
func lastSent(r *hygiene.Run) *transcript.Message {
	for i := r.Len() - 1; i >= 0; i-- {
		if m := r.At(i); m.Is(transcript.Assistant) || m.Is(transcript.ToolResult) || m.SpeaksAsUser() {
			return m
		}
	}
	return nil
}

// answered reports whether the last message is the answer to the turns before.
func answered(last *transcript.Message) bool {
	return last.Is(transcript.Assistant) && !last.HasToolCall()
}

func moveToEnd(r *hygiene.Run, i int) {
	if last := r.Len() - 1; i < last {
		r.MoveBehind(i, last, hygiene.Edit{Rule: "X-06", Reason: "runtime context goes to the end of the request"})
	}
}

func isRuntimeContext(m *transcript.Message) bool {
	return m.Is(transcript.Custom) && m.Get("customType").String() == "openclaw.runtime-context"
}
