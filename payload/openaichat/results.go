package openaichat

import (
	"strconv"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// results adds one tool message per call, in the order of the calls (W-107,
// W-806), and the images of all of them in a user message behind (W-406).
func (b *builder) results(m *transcript.Message, calls []call, run []*transcript.Message) {
	run = b.log.Pair(ids(calls), run)
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
	b.text(jsonline.Text(texts.AttachedImages))
	for _, p := range b.images {
		b.parts.add(p)
	}
	b.images = b.images[:0]
	b.add(turn{role: user, from: last, parts: b.parts.cut(), carrier: true})
	b.log.Add(hygiene.Insert, last, nil, transcript.NewText(transcript.User, texts.AttachedImages), hygiene.Edit{
		Rule: "W-406", Reason: "tool messages hold text only, the images follow", Synthetic: true,
	})
}

func ids(calls []call) []string {
	list := make([]string, len(calls))
	for i := range calls {
		list[i] = calls[i].id
	}
	return list
}

// result adds the tool message of one call; m is the turn of the call, res its
// result or nil.
func (b *builder) result(m *transcript.Message, c *call, res *transcript.Message) {
	t := turn{role: tool, from: m, answers: c}
	if res == nil {
		b.text(jsonline.Text(texts.MissingResult))
		b.log.Add(hygiene.Insert, m, nil, transcript.NewText(transcript.ToolResult, texts.MissingResult), hygiene.Edit{
			Rule: "W-108", Reason: "call " + strconv.Quote(c.id) + " has no result", Synthetic: true,
		})
	} else {
		t.from = res
		b.text(b.log.ResultText(b.takeImages(res), texts.NoOutput))
	}
	t.parts = b.parts.cut()
	b.turns = append(b.turns, t)
}

// takeImages collects the images of a tool result and returns the result without
// those that cannot go out.
func (b *builder) takeImages(m *transcript.Message) *transcript.Message {
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
			b.log.Unknown(m, block)
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
