package openaichat

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/transcript"
)

// native are the types of content parts of this format that stored turns have
// no type of their own for. A block of such a type was decoded from a request
// and goes back as it was (W-124). The value says whether it is an image.
var native = map[transcript.BlockType]bool{"image_url": true, "input_audio": false, "file": false}

// userTurn adds a user turn (W-402).
func (b *builder) userTurn(m *transcript.Message) {
	if v := m.Text(); v.Exists() {
		b.say(m, nil, v, "W-402")
	}
	for _, block := range m.Blocks() {
		b.userBlock(m, block)
	}
	if len(b.parts.open()) == 0 {
		if len(m.Blocks()) == 0 {
			b.log.Add(hygiene.Drop, m, nil, nil, hygiene.Edit{Rule: "W-402", Reason: "the user turn is empty"})
			return
		}
		b.text(jsonline.Text(texts.OmittedContent))
		b.log.Add(hygiene.Replace, m, nil, texts.OmittedContent, hygiene.Edit{
			Rule: "W-162", Reason: "nothing of the user turn is left", Synthetic: true,
		})
	}
	b.add(turn{role: user, from: m, parts: b.parts.cut()})
}

func (b *builder) userBlock(m *transcript.Message, block *transcript.Block) {
	p := b.in.Policy
	picture, known := native[block.Type()]
	switch {
	case block.Is(transcript.TypeText):
		b.say(m, block, block.TextValue(), "W-402")
	case block.Is(transcript.TypeImage) && validImage(block):
		b.parts.add(image(block))
	case known && !p.Wire.StringContent && (p.Model.Images || !picture) && block.Get(string(block.Type())).Kind == jsonline.ObjectKind:
		b.parts.add(part{kind: nativePart, raw: b.log.Text(m, block, block.Members().Value()).Raw})
	default:
		b.log.Unknown(m, block)
	}
}

// validImage reports whether an image block has what a data URL needs.
func validImage(block *transcript.Block) bool {
	data, mime := block.Get("data"), block.Get("mimeType")
	return data.IsString() && !data.Blank() && mime.IsString() && !mime.Blank()
}

func image(block *transcript.Block) part {
	return part{kind: imagePart, raw: payload.Legal(block.Get("data")).Raw, mime: payload.Legal(block.Get("mimeType")).Raw}
}
