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
	if v := m.Text(); v.Exists() && !v.Blank() {
		b.text(b.log.Text(m, nil, v))
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
	picture, known := native[block.Type()]
	switch {
	case block.IsBlankText():
		b.log.Add(hygiene.Drop, m, block, nil, hygiene.Edit{Rule: "W-402", Reason: "the text is blank"})
	case block.IsText():
		b.text(b.log.Text(m, block, block.TextValue()))
	case b.imageless != "" && (picture || block.Is(transcript.TypeImage)):
		b.omitImage(m, block)
	case block.Is(transcript.TypeImage) && validImage(block):
		b.parts.add(image(block))
	case known && !b.in.Policy.Wire.StringContent && block.Get(string(block.Type())).Kind == jsonline.ObjectKind:
		b.parts.add(part{kind: nativePart, value: b.log.Text(m, block, block.Members().Value())})
	default:
		b.log.Unknown(m, block)
	}
}

// omitImage puts a placeholder in the place of a run of images (W-101, W-402,
// W-801).
func (b *builder) omitImage(m *transcript.Message, block *transcript.Block) {
	open := b.parts.open()
	if n := len(open); n == 0 || !omitted(open[n-1]) {
		b.text(jsonline.Text(texts.OmittedImage))
	}
	b.log.Add(hygiene.Replace, m, block, texts.OmittedImage, b.imageEdit())
}

func (b *builder) imageEdit() hygiene.Edit {
	return hygiene.Edit{Rule: b.imageless, Reason: "the target takes no images", Lossy: true}
}

// omitted reports whether a part is the placeholder of an image.
func omitted(p part) bool {
	return p.kind == textPart && len(p.value.Raw) < 128 && texts.IsOmittedImage(p.value.String())
}

// validImage reports whether an image block has what a data URL needs.
func validImage(block *transcript.Block) bool {
	data, mime := block.Get("data"), block.Get("mimeType")
	return data.IsString() && !data.Blank() && mime.IsString() && !mime.Blank()
}

func image(block *transcript.Block) part {
	return part{kind: imagePart, value: payload.Legal(block.Get("data")), mime: payload.Legal(block.Get("mimeType"))}
}
