package google

import (
	"strconv"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// results adds the results of the calls of turn m in one content, in the order
// of the calls (W-604), and, for models that take no images there, those in a
// user content behind (W-605).
func (b *builder) results(m *transcript.Message, run []*transcript.Message) {
	same := b.mark()
	run = b.log.Pair(b.ids, run)
	if len(b.ids) == 0 {
		return
	}
	c := content{kind: response, from: m, parts: make([]part, len(b.ids))}
	last := m
	for i := range b.ids {
		p := part{kind: responsePart, id: b.ids[i], name: b.called[i]}
		if run[i] == nil {
			b.missing(m, &p)
		} else {
			last = run[i]
			c.list = append(c.list, b.list(run[i])...)
			b.misfit(run[i], p.name)
			b.misnamed(run[i], nil)
			b.result(run[i], &p)
		}
		c.parts[i] = p
	}
	c.same = same() && len(b.images) == 0
	b.add(c)
	if len(b.images) == 0 {
		return
	}
	b.log.Add(hygiene.Insert, last, nil, transcript.NewText(transcript.User, texts.AttachedImages), hygiene.Edit{
		Rule: "W-605", Reason: "function responses of the model hold no images, they follow", Synthetic: true,
	})
	b.add(content{kind: user, carrier: true, from: last, parts: append(made(texts.AttachedImages), b.images...)})
	b.images = b.images[:0]
}

// missing makes the part for a call that nobody answered (W-108).
func (b *builder) missing(m *transcript.Message, p *part) {
	p.failed, p.raw = true, jsonline.Text(texts.MissingResult).Raw
	b.log.Add(hygiene.Insert, m, nil, transcript.NewText(transcript.ToolResult, texts.MissingResult), hygiene.Edit{
		Rule: "W-108", Reason: "call " + strconv.Quote(p.id) + " has no result", Synthetic: true,
	})
}

// result makes the part for a tool result.
func (b *builder) result(m *transcript.Message, p *part) {
	p.from = m
	m, images := b.splitImages(m)
	if b.in.Policy.Wire.FunctionResponseImages {
		p.images = images
	} else {
		b.images = append(b.images, images...)
	}
	p.failed, p.raw = m.IsError(), b.log.ResultText(m, texts.NoOutput).Raw
}

// splitImages returns the images of a tool result, and the result without those
// that cannot go out.
func (b *builder) splitImages(m *transcript.Message) (left *transcript.Message, images []part) {
	var kept []*transcript.Block
	for _, block := range m.Blocks() {
		switch {
		case !block.Is(transcript.TypeImage):
		case b.takes(block):
			images = append(images, image(block))
		default:
			b.log.Unknown(m, block)
			continue
		}
		kept = append(kept, block)
	}
	if len(kept) == len(m.Blocks()) {
		return m, images
	}
	return m.WithBlocks(kept), images
}
