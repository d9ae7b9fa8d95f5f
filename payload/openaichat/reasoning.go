package openaichat

import (
	"slices"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload/internal/chat"
	"hygeia/policy"
	"hygeia/transcript"
)

// fieldNames are the members of a message that reasoning comes in. Where it
// came from stands in the signature of a thinking block (W-115).
var fieldNames = []string{"reasoning", "reasoning_content", "reasoning_text", "reasoning_details"}

// replay is one way to send reasoning back.
type replay struct {
	round   bool   // only in the tool round in progress
	field   string // member for all text, "" for none
	stored  bool   // under the member it came from, instead
	details bool   // entries of reasoning_details too
	sealed  bool   // entries only with their signature or data
	bound   bool   // only of the model that is asked
	rule    string // under which the rest is held back
	why     string // text is held back, if it is
}

// replays are the ways of W-421…W-424 and W-501.
var replays = map[policy.ReasoningReplay]replay{
	policy.ReasoningNone:       {rule: "W-421", why: "the target takes no reasoning of earlier turns"},
	policy.ReasoningRound:      {rule: "W-421", round: true, stored: true},
	policy.ReasoningRecorded:   {rule: "W-421", stored: true},
	policy.ReasoningContent:    {rule: "W-421", field: "reasoning_content"},
	policy.ReasoningOpenRouter: {rule: "W-501", field: "reasoning", details: true, bound: true},
	policy.ReasoningDetails: {
		rule: "W-501", details: true, sealed: true, bound: true, why: "the target takes no reasoning without its signature",
	},
}

// chooseReplay returns how reasoning of earlier turns goes out.
func chooseReplay(w *policy.Wire, thinks bool) replay {
	switch {
	case w.StrictKeys:
		return replay{rule: "W-409", why: "the target takes no members that it does not know"}
	case w.ReasoningOffDrops && !thinks:
		return replay{rule: "W-523", why: "thinking is switched off"}
	}
	if r, ok := replays[w.ReasoningReplay]; ok {
		return r
	}
	return replays[policy.ReasoningNone]
}

// reasoning collects the reasoning of one assistant turn.
type reasoning struct {
	b       *builder
	from    *transcript.Message
	closed  string        // why none of it goes out, "" if it may
	thought *chat.Thought // nil while there is none
}

// reasoningOf starts the reasoning of turn i.
func (b *builder) reasoningOf(i int) chat.Reasoning {
	b.reasoning = reasoning{b: b, from: b.Messages[i]}
	r := &b.reasoning
	switch {
	case b.replay.round && !(b.round.from <= i && i < b.round.to && r.from.HasToolCall()):
		r.closed = "the turn is not part of the tool round in progress"
	case b.replay.bound && !b.In.OwnTurn(r.from):
		r.closed = "another model wrote it"
	}
	return r
}

// Thought returns what goes out beside the content.
func (r *reasoning) Thought() *chat.Thought { return r.thought }

// Thinking takes a thinking block in or records that it is held back.
func (r *reasoning) Thinking(block *transcript.Block) {
	if entries := block.Get("details"); entries.Kind == jsonline.Array {
		r.details(block, entries)
		return
	}
	text := block.TextValue()
	field, why := r.place(block, text)
	switch {
	case why != "":
		r.b.Log.Add(hygiene.Drop, r.from, block, nil, hygiene.Edit{
			Rule: r.b.replay.rule, Reason: why, Lossy: !text.Blank() || block.Signature().Exists(),
		})
	case r.b.In.Policy.Wire.ThinkingAsText:
		t := r.open()
		t.Lead = append(t.Lead, r.b.Log.Text(r.from, block, text).Raw)
		r.b.Log.Add(hygiene.Replace, r.from, block, block.Text(), hygiene.Edit{
			Rule: "W-426", Reason: "the target takes thinking as text",
		})
	default:
		t := r.open()
		if t.Field == "" {
			t.Field = field
		}
		t.Texts = append(t.Texts, r.b.Log.Text(r.from, block, text).Raw)
	}
}

// open returns the thought to add to.
func (r *reasoning) open() *chat.Thought {
	if r.thought == nil {
		r.thought = &chat.Thought{}
	}
	return r.thought
}

// place returns the member that a thinking block goes out in, or why it is held
// back. Blocks behind the first go where that went (W-427).
func (r *reasoning) place(block *transcript.Block, text jsonline.Value) (field, why string) {
	p := &r.b.replay
	switch {
	case r.closed != "":
		return "", r.closed
	case block.Is(transcript.TypeRedactedThinking) || block.Get("redacted").Bool():
		return "", "redacted thinking has no form in this format"
	case !text.IsString() || text.Blank():
		return "", "the thinking is blank"
	case r.b.In.Policy.Wire.ThinkingAsText:
		return "", ""
	case p.why != "":
		return "", p.why
	}
	name := block.Signature().String()
	if name != "" && !slices.Contains(fieldNames, name) {
		return "", "its signature belongs to another format"
	}
	if !p.stored {
		return p.field, ""
	}
	switch {
	case r.thought != nil && r.thought.Field != "":
		return r.thought.Field, ""
	case name == "":
		return "", "the member it came in is not known"
	case name == "reasoning_details":
		return "reasoning", "" // only its text is left, and the member is a list
	}
	return name, ""
}
