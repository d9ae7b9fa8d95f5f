package chat

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/transcript"
)

// userTurn adds a user turn (W-402, W-801).
func (b *Builder) userTurn(m *transcript.Message) {
	same := b.mark()
	b.content(m)
	if len(b.parts.open()) == 0 {
		if len(m.Blocks()) == 0 {
			b.Log.Add(hygiene.Drop, m, nil, nil, hygiene.Edit{Rule: b.format.User, Reason: "the user turn is empty"})
			return
		}
		b.Add(Part{Raw: jsonline.Text(texts.OmittedContent).Raw})
		b.Log.Add(hygiene.Replace, m, nil, texts.OmittedContent, hygiene.Edit{
			Rule: "W-162", Reason: "nothing of the user turn is left", Synthetic: true,
		})
	}
	b.add(Turn{Role: User, From: m, Parts: b.parts.cut(), Rest: b.members(m), Same: same()})
}

// content adds the parts of a user or system message.
func (b *Builder) content(m *transcript.Message) {
	if v := m.Text(); v.Exists() {
		b.say(m, nil, v, b.format.User)
	}
	for _, block := range m.Blocks() {
		switch {
		case block.Is(transcript.TypeText):
			b.say(m, block, block.TextValue(), b.format.User)
		case validImage(block):
			p := image(block)
			p.Rest = b.Members(m, block, "type", "data", "mimeType")
			b.Add(p)
		case b.Native != nil && b.Native(block):
			b.Add(Part{Kind: Native, Raw: b.Log.Text(m, block, block.Members().Value()).Raw})
		default:
			b.Log.Unknown(m, block)
		}
	}
}

// validImage reports whether a block is an image that has what a data URL
// needs.
func validImage(block *transcript.Block) bool {
	data, mime := block.Get("data"), block.Get("mimeType")
	return block.Is(transcript.TypeImage) && data.IsString() && !data.Blank() && mime.IsString() && !mime.Blank()
}

func image(block *transcript.Block) Part {
	return Part{Kind: Image, Raw: payload.Legal(block.Get("data")).Raw, Mime: payload.Legal(block.Get("mimeType")).Raw}
}
