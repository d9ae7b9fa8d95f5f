package pairing

import (
	_ "embed"
	"fmt"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/pairs"
	"hygeia/hygiene/passes/internal/results"
	"hygeia/internal/jsonline"
	"hygeia/policy"
	"hygeia/transcript"
)

//go:embed doc.go
var doc string

var rules = []hygiene.Rule{
	{ID: "R-71", Title: "results that no open call asked for are left out", Lossy: true},
	{
		ID: "R-72", Title: "each call has one result directly behind its turn, a stand-in where there is none", Synthetic: true,
		Unstable: "the real result arrives", Walk: 1,
	},
	{ID: "R-73", Title: "results in front of every call are left out", Lossy: true, Far: true},
	{ID: "R-77", Title: "a result without id belongs to the only call of its turn", Walk: 1},
	{ID: "R-78", Title: "a result names the tool of its call", Walk: 1},
}

// Pass carries out R-B01 with R-71… …R-78.
var Pass = &hygiene.Pass{
	Name:  "pairing",
	Doc:   hygiene.DocText(doc),
	Rules: rules,
	After: []string{"shapes", "calls", "failed", "duplicates"},
	When:  func(p *policy.Policy) bool { return p.RepairToolUseResultPairing },
	Run:   run,
}

// Again is Pass a second time, behind the passes that take blocks out of turns
// of the Responses family.
var Again = &hygiene.Pass{
	Name:  "pairing-again",
	Doc:   "Package pairing again, on the Responses family behind the passes that remove blocks there (R-B07).",
	Rules: rules,
	After: []string{"pairing", "responses"},
	When:  func(p *policy.Policy) bool { return p.RepairToolUseResultPairing && p.Responses },
	Run:   run,
}

func run(r *hygiene.Run) {
	t := pairs.Match(r.Messages())
	for _, u := range t.Unused {
		r.Drop(u.Result, why(r, u))
	}
	for _, f := range t.Frames {
		arrange(r, f.At, t.Calls(f))
	}
}

// why says for what reason a result is left out.
func why(r *hygiene.Run, u pairs.Unused) hygiene.Edit {
	m := r.At(u.Result)
	call := "call `" + m.ToolCallID() + "`"
	e := hygiene.Edit{Rule: "R-71", Lossy: !results.IsSynthetic(m)}
	switch u.Why {
	case pairs.Early:
		e.Rule, e.Reason = "R-73", "the result stands before every call"
	case pairs.Nameless:
		e.Reason = "the result names no call, and its turn has not just one call of that tool"
	case pairs.Orphaned:
		e.Reason = "no " + call + " without a result stands before it"
	case pairs.Ambiguous:
		e.Reason = fmt.Sprintf("ambiguous: %d calls `%s` before it have no result", u.Other, m.ToolCallID())
	case pairs.GaveWay:
		e.Rule, e.Reason = "R-72", "the real result of "+call+" is there"
	case pairs.Surplus:
		e.Reason = call + " has another result already"
		if results.Same(m, r.At(u.Other)) {
			e.Lossy, e.Reason = false, call+" has the same result already"
		}
	}
	return e
}

// arrange puts the results of the turn at index at behind it in block order. A
// result stays where it is if nothing but results stands between it and the
// turn and none that belongs behind it comes first.
func arrange(r *hygiene.Run, at int, calls []pairs.Call) {
	end := at + 1 // behind the results that follow the turn directly
	for end < r.Len() && r.At(end).Is(transcript.ToolResult) {
		end++
	}
	turn := r.At(at)
	last, anchor := at, at
	for _, c := range calls {
		call := turn.Blocks()[c.Block]
		i := c.Result
		if i < 0 {
			e := hygiene.Edit{Rule: "R-72", Reason: "call `" + call.ID() + "` has no result", Synthetic: true}
			r.InsertBehind(anchor, standIn(r.Policy, turn, call), e)
			continue
		}
		complete(r, i, call)
		if last < i && i < end {
			last, anchor = i, i
			continue
		}
		r.MoveBehind(i, anchor, hygiene.Edit{Rule: "R-72", Reason: elsewhere(call.ID(), c.Rivals)})
	}
}

// elsewhere says why a result moves, and whether it could be that of another
// call (B008-3).
func elsewhere(id string, rivals int) string {
	if rivals == 0 {
		return "the result of call `" + id + "` stands elsewhere"
	}
	return fmt.Sprintf("ambiguous: the result stands apart from the last call `%s`, and %d before it have none", id, rivals)
}

// complete gives result i the id and the tool name that it lacks.
func complete(r *hygiene.Run, i int, call *transcript.Block) {
	m := r.At(i)
	if m.ToolCallID() == "" {
		r.Replace(i, m.With("toolCallId", jsonline.Text(call.ID())),
			hygiene.Edit{Rule: "R-77", Reason: "the result has no id, and call `" + call.ID() + "` is the only one of its turn"})
		m = r.At(i)
	}
	name := m.ToolName()
	if name == "" {
		name = toolName(call)
	}
	if v := m.Get("toolName"); v.String() != name {
		r.Replace(i, m.With("toolName", jsonline.Text(name)),
			hygiene.Edit{Rule: "R-78", Reason: "the result of call `" + call.ID() + "` does not name the tool `" + name + "`"})
	}
}
