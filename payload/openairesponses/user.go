package openairesponses

import (
	"slices"
	"strings"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/transcript"
)

// user adds a user turn (W-302).
func (b *builder) user(m *transcript.Message) {
	same := b.mark()
	parts := b.content(m)
	if len(parts) == 0 {
		if len(m.Blocks()) == 0 {
			b.log.Add(hygiene.Drop, m, nil, nil, hygiene.Edit{Rule: "W-302", Reason: "the user turn is empty"})
			return
		}
		b.text(jsonline.Text(texts.OmittedContent))
		parts = b.since(len(b.parts) - 1)
		b.log.Add(hygiene.Replace, m, nil, texts.OmittedContent, hygiene.Edit{
			Rule: "W-162", Reason: "nothing of the user turn is left", Synthetic: true,
		})
	}
	if n := len(b.items); b.joins && n > 0 && b.items[n-1].kind == userMessage {
		b.join(&b.items[n-1], m, parts)
		return
	}
	b.items = append(b.items, item{kind: userMessage, turn: m, parts: parts, from: b.element(m), same: same() && b.whole(m)})
}

// content returns the parts of a message that is not the model's.
func (b *builder) content(m *transcript.Message) []part {
	start := len(b.parts)
	if v := m.Text(); v.Exists() {
		b.say(m, nil, v, "W-302")
	}
	for _, block := range m.Blocks() {
		b.userBlock(m, block)
	}
	return b.since(start)
}

func (b *builder) userBlock(m *transcript.Message, block *transcript.Block) {
	switch {
	case block.Is(transcript.TypeText):
		b.say(m, block, block.TextValue(), "W-302")
	case block.Is(transcript.TypeImage):
		b.image(m, block)
	case b.isNative(block):
		b.part(part{kind: nativePart, raw: b.log.Text(m, block, block.Members().Value()).Raw})
	default:
		b.log.Unknown(m, block)
	}
}

// isNative reports whether a block is a part of this format that stored turns
// have no type of their own for. It was decoded from a request and goes back as
// it was (W-124).
func (b *builder) isNative(block *transcript.Block) bool {
	switch block.Type() {
	case "input_image":
		url := block.Get("image_url")
		return b.in.Policy.Model.Images && (block.Get("file_id").IsString() || strings.HasPrefix(url.String(), "https://"))
	case "input_file":
		return true
	case "", transcript.TypeText, transcript.TypeImage:
		return false
	}
	return b.own != nil && block.IsObject() && !block.IsToolCall() && !block.IsThinking()
}

// join puts the content of a user turn behind that of the one it became a
// neighbour of (D-34). A placeholder gives way to real content (D-07).
func (b *builder) join(last *item, m *transcript.Message, parts []part) {
	switch {
	case placeholder(last.parts):
		last.parts = parts
	case !placeholder(parts):
		last.parts = append(last.parts, parts...)
	}
	last.same = false
	b.log.Add(hygiene.Move, m, nil, last.turn, hygiene.Edit{Rule: "W-180", Reason: "two user turns became neighbours"})
}

// placeholder reports whether the parts only stand for content that is gone.
func placeholder(parts []part) bool {
	const longest = 128
	return len(parts) == 1 && parts[0].kind == textPart && len(parts[0].raw) < longest &&
		texts.IsOmittedContent(jsonline.Parse(parts[0].raw).String())
}

// since returns the parts that were added since there were that many. To add to
// the list makes a new one.
func (b *builder) since(start int) []part { return slices.Clip(b.parts[start:]) }

func (b *builder) part(p part) {
	b.parts = append(b.parts, p)
	b.size += len(p.raw) + len(p.mime) + 96
}

func (b *builder) text(v jsonline.Value) { b.part(part{raw: v.Raw}) }

// say adds the text of a block, or of the whole message for nil. Blank text is
// left out under the rule.
func (b *builder) say(m *transcript.Message, block *transcript.Block, v jsonline.Value, rule string) {
	switch legal := b.log.Text(m, block, v); {
	case block != nil && !v.IsString():
		b.log.Unknown(m, block)
	case !legal.Blank(), b.shortest(legal):
		b.part(part{raw: legal.Raw, rest: b.rest(m, block, "type", "text", "textSignature", "item")})
	case block != nil:
		b.log.Add(hygiene.Drop, m, block, nil, hygiene.Edit{Rule: rule, Reason: "the text is blank"})
	}
}

// image adds an image, or a text in the place of data that are none (W-302). An
// image that lies somewhere else has no form here.
func (b *builder) image(m *transcript.Message, block *transcript.Block) {
	data, mime := block.Get("data"), block.Get("mimeType")
	switch {
	case !data.Exists():
		b.log.Unknown(m, block)
	case payload.StrictBase64(data) && b.takes(mime.String()):
		b.part(part{kind: imagePart, raw: data.Raw, mime: mime.Raw, rest: b.rest(m, block, "type", "data", "mimeType")})
	default:
		b.text(jsonline.Text(texts.InvalidInlineImage))
		b.log.Add(hygiene.Replace, m, block, texts.InvalidInlineImage, hygiene.Edit{
			Rule: "W-302", Reason: "the block holds no image that the target takes", Lossy: true, Synthetic: true,
		})
	}
}

// imageTypes are the media types of the format (OR-20).
var imageTypes = []string{"image/png", "image/jpeg", "image/webp", "image/gif"}

// takes reports whether the target takes images of that type.
func (b *builder) takes(mime string) bool {
	if list := b.in.Policy.Wire.ImageTypes; len(list) > 0 {
		return slices.Contains(list, mime)
	}
	return slices.Contains(imageTypes, mime)
}
