package mistral

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload/internal/chat"
	"hygeia/transcript"
)

// ownBody writes the body of a request that came in this format.
func (b *builder) ownBody() []byte {
	return b.OwnBody(chat.OwnForm{Misfit: misfit, Append: appendTurn, Edit: b.edit})
}

// misfit says that an empty list of calls does not go out (W-404), nor reasoning
// as other hosts of this shape write it (W-409). All else that the canonical form
// has nothing against the format takes as it is.
func misfit(t *chat.Turn, native jsonline.Object) hygiene.Edit {
	for _, name := range []string{"reasoning", "reasoning_content", "reasoning_text", "reasoning_details"} {
		if native.Has(name) {
			return hygiene.Edit{Rule: "W-409", Reason: "the target does not know the member " + name, Lossy: true}
		}
	}
	if len(t.Calls) == 0 && native.Get("tool_calls").Kind == jsonline.Array {
		return hygiene.Edit{Rule: "W-404", Reason: "the list of calls is empty"}
	}
	return hygiene.Edit{}
}

// edit puts what the caller asks for into the body.
func (b *builder) edit(p *chat.Params) {
	p.Limit("max_tokens")
	p.Tools(p.Definition)
}

// begun reports whether the request ends in a beginning that the model is to go
// on with (MI-04).
func (b *builder) begun() bool {
	last := b.Last()
	return b.Own != nil && last != nil && last.From.Get("prefix").Bool()
}

// isNative reports whether a part of a user turn goes out as it is: the request
// held it and it has no canonical form (W-124). A link to a picture goes where
// the model takes pictures.
func (b *builder) isNative(k *transcript.Block) bool {
	return isSaid(k) && (b.In.Policy.Model.Images || !k.Is("image_url"))
}

// isSaid is isNative for parts of an assistant turn.
func isSaid(k *transcript.Block) bool {
	return k.IsObject() && k.Type() != "" && !k.IsToolCall() && !k.IsThinking() && !k.Is(transcript.TypeImage)
}
