package openaichat

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/internal/chat"
	"hygeia/transcript"
)

// ownBody writes the body of a request that came in this format.
func (b *builder) ownBody() []byte {
	return b.OwnBody(chat.OwnForm{
		System: b.appendOwnSystem,
		Misfit: b.misfit,
		Append: func(dst []byte, t *chat.Turn) []byte { return b.appendTurn(dst, t, false) },
		Edit:   func(p *chat.Params) { (&params{Params: p, b: b}).edit() },
	})
}

// misfit returns why a message cannot go back as it came in although the
// canonical form has nothing against it: it is spelled in a way that the target
// does not take.
func (b *builder) misfit(t *chat.Turn, native jsonline.Object) hygiene.Edit {
	w, content := &b.In.Policy.Wire, native.Get("content")
	edit := func(rule, reason string) hygiene.Edit { return hygiene.Edit{Rule: rule, Reason: reason} }
	switch {
	case content.Kind == jsonline.Array && w.StringContent:
		return edit("W-402", "the target takes text only")
	case content.Kind == jsonline.Array && empty(content):
		return edit("W-403", "the content is an empty list")
	case content.Kind == jsonline.Null && w.NoNullContent:
		return edit("W-403", "the target takes no null")
	case t.Role == chat.System && native.Get("role").String() == "developer" && !w.DeveloperRole:
		return edit("W-401", "the target knows no role developer")
	case t.Role != chat.Assistant:
		return hygiene.Edit{}
	case len(t.Calls) == 0 && native.Has("tool_calls"):
		return edit("W-404", "the list of calls is empty")
	case spelledAsObject(native):
		return edit("W-404", "the arguments of a call are no text")
	}
	return b.misplaced(t, native)
}

// spelledAsObject reports whether a call has its arguments as they are instead of
// as JSON text (CC-18).
func spelledAsObject(native jsonline.Object) bool {
	for call := range native.Get("tool_calls").Elements() {
		if call.Object().Get("function").Object().Get("arguments").Kind == jsonline.ObjectKind {
			return true
		}
	}
	return false
}

// misplaced returns why reasoning goes out under other members than it came in.
func (b *builder) misplaced(t *chat.Turn, native jsonline.Object) hygiene.Edit {
	goes, moved := "", false
	for _, field := range fieldNames {
		came := native.Get(field)
		there := came.Exists() && (came.Kind != jsonline.Null || b.In.Policy.Wire.StrictKeys)
		out := b.replays(t, field)
		if out {
			goes = field
		}
		moved = moved || there != out
	}
	switch {
	case !moved:
		return hygiene.Edit{}
	case goes == "":
		return hygiene.Edit{Rule: b.replay.rule, Reason: "the target takes no member for reasoning that is empty"}
	}
	return hygiene.Edit{Rule: "W-424", Reason: "the target wants reasoning as " + goes, Synthetic: t.Thought == nil}
}

// replays reports whether a member with reasoning goes out.
func (b *builder) replays(t *chat.Turn, field string) bool {
	var r chat.Thought
	if t.Thought != nil {
		r = *t.Thought
	}
	switch {
	case field == "reasoning_details":
		return len(r.Details) > 0
	case len(r.Texts) > 0:
		return field == r.Field
	}
	return field == "reasoning_content" && b.requires(t)
}

// beside returns the member that a block of an assistant message goes out as:
// audio and refusals stand beside the content.
func beside(block *transcript.Block) []byte {
	name := string(block.Type())
	switch v := block.Get(name); {
	case name == "audio" && v.Kind == jsonline.ObjectKind, name == "refusal" && v.IsString():
		return append([]byte(`,"`+name+`":`), payload.Legal(v).Raw...)
	}
	return nil
}

func empty(list jsonline.Value) bool {
	for range list.Elements() {
		return false
	}
	return true
}
