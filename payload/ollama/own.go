package ollama

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload/internal/chat"
)

// ownBody writes the body of a request that came in this format.
func (b *builder) ownBody() []byte {
	return b.OwnBody(chat.OwnForm{Misfit: misfit, Append: appendTurn, Edit: b.edit})
}

// misfit says what the canonical form has nothing against and the format has:
// content that is no string (LO-07), arguments that are no object (LO-06), an
// empty list of calls (W-404).
func misfit(t *chat.Turn, native jsonline.Object) hygiene.Edit {
	calls := native.Get("tool_calls")
	if len(t.Calls) == 0 && calls.Kind == jsonline.Array {
		return hygiene.Edit{Rule: "W-404", Reason: "the list of calls is empty"}
	}
	if content := native.Get("content"); content.Kind != jsonline.Null && content.Exists() && !content.IsString() {
		return hygiene.Edit{Rule: "W-551", Reason: "the content is no string"}
	}
	for c := range calls.Elements() {
		if args := c.Object().Get("function").Object().Get("arguments"); args.Exists() && args.Kind != jsonline.ObjectKind {
			return hygiene.Edit{Rule: "W-551", Reason: "the arguments are no object"}
		}
	}
	return hygiene.Edit{}
}

// edit puts what the caller asks for into the body.
func (b *builder) edit(p *chat.Params) {
	if asked := b.In.Options.MaxTokens; asked != b.Own.MaxTokens {
		limit := jsonline.Int(asked)
		p.O = p.O.With("options", p.O.Get("options").Object().With("num_predict", limit).Value())
	}
	if b.think != "" {
		p.O = p.O.With("think", jsonline.Bool(b.think == "true"))
	}
	p.Tools(p.Definition)
}
