package turns

import (
	"hygeia/hygiene"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// dangling removes calls that no result behind them answers. It keeps
// the visible text and loses the thinking that belonged to the calls (R-B03).
func dangling(r *hygiene.Run, end int) {
	for i := 0; i < end; i++ {
		if r.At(i).Is(transcript.Assistant) && r.At(i).HasToolCall() {
			open := unanswered(r, i, end)
			if len(open) > 0 {
				removeCalls(r, i, open)
			}
		}
	}
}

// unanswered returns the ids of the calls of turn i that have no result before
// the next assistant turn.
func unanswered(r *hygiene.Run, i, end int) map[string]bool {
	open := map[string]bool{}
	for _, b := range r.At(i).Blocks() {
		if b.IsToolCall() {
			open[b.ID()] = true
		}
	}
	for k := i + 1; k < end && !r.At(k).Is(transcript.Assistant); k++ {
		if r.At(k).Is(transcript.ToolResult) {
			delete(open, r.At(k).ToolCallID())
		}
	}
	return open
}

func removeCalls(r *hygiene.Run, i int, open map[string]bool) {
	blocks := r.Blocks(i)
	for j, b := range blocks.All() {
		switch {
		case b.IsToolCall() && open[b.ID()]:
			blocks.Drop(j, hygiene.Edit{Rule: "R-95", Reason: "call " + b.ID() + " has no result", Lossy: true})
		case b.IsThinking():
			blocks.Drop(j, hygiene.Edit{Rule: "R-95", Reason: "thinking of a turn that lost a call", Lossy: true})
		}
	}
	if blocks.Left() == 0 {
		e := hygiene.Edit{Rule: "R-95", Reason: "the turn held nothing but calls without results", Synthetic: true}
		blocks.Insert(len(blocks.All()), transcript.NewTextBlock(texts.OmittedCalls), e)
	}
	blocks.Done()
}
