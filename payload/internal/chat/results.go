package chat

import (
	"strconv"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// results adds one tool message per call, in the order of the calls (W-107,
// W-806), and where those hold no images all of them in a user message behind
// (W-406).
func (b *Builder) results(m *transcript.Message, calls []Call, run []*transcript.Message) {
	run = b.Log.Pair(ids(calls), run)
	last := m
	for i := range calls {
		if run[i] != nil {
			last = run[i]
		}
		b.result(m, &calls[i], run[i])
	}
	if len(b.images) == 0 {
		return
	}
	b.Add(Part{Raw: jsonline.Text(texts.AttachedImages).Raw})
	b.takeImages()
	b.add(Turn{Role: User, From: last, Parts: b.parts.cut(), carrier: true})
	b.Log.Add(hygiene.Insert, last, nil, transcript.NewText(transcript.User, texts.AttachedImages), hygiene.Edit{
		Rule: "W-406", Reason: "tool messages hold text only, the images follow", Synthetic: true,
	})
}

func ids(calls []Call) []string {
	list := make([]string, len(calls))
	for i := range calls {
		list[i] = calls[i].ID
	}
	return list
}

// result adds the tool message of one call; m is the turn of the call, res its
// result or nil.
func (b *Builder) result(m *transcript.Message, c *Call, res *transcript.Message) {
	t := Turn{Role: Tool, From: m, Answers: c}
	if res == nil {
		b.Add(Part{Raw: jsonline.Text(texts.MissingResult).Raw})
		b.Log.Add(hygiene.Insert, m, nil, transcript.NewText(transcript.ToolResult, texts.MissingResult), hygiene.Edit{
			Rule: "W-108", Reason: "call " + strconv.Quote(c.ID) + " has no result", Synthetic: true,
		})
	} else {
		t.From, t.Rest = res, b.members(res)
		same, images := b.mark(), len(b.images)
		b.Add(Part{Raw: b.Result(b.setImages(res)).Raw})
		t.Same = same() && (b.format.ImagesInResults || len(b.images) == images)
		if b.format.ImagesInResults {
			b.takeImages()
		}
	}
	t.Parts = b.parts.cut()
	b.Turns = append(b.Turns, t)
}

// takeImages adds the images that were set aside.
func (b *Builder) takeImages() {
	for _, p := range b.images {
		b.Add(p)
	}
	b.images = b.images[:0]
}

// setImages sets the images of a tool result aside and returns the result
// without those that cannot go out.
func (b *Builder) setImages(m *transcript.Message) *transcript.Message {
	var left []*transcript.Block
	for i, block := range m.Blocks() {
		switch {
		case !block.Is(transcript.TypeImage):
		case validImage(block):
			b.images = append(b.images, image(block))
		default:
			if left == nil {
				left = append([]*transcript.Block{}, m.Blocks()[:i]...)
			}
			b.Log.Unknown(m, block)
			continue
		}
		if left != nil {
			left = append(left, block)
		}
	}
	if left == nil {
		return m
	}
	return m.WithBlocks(left)
}
