package payload

import (
	"fmt"
	"slices"

	"hygeia/hygiene"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// OmitImages returns the messages with one text in the place of each run of
// images, recorded under the rule: what a format needs that has no form for
// them. The limits of the target are kept by the replay pass before. The list
// itself is returned if there are no images.
func (l Log) OmitImages(list []*transcript.Message, rule, reason string) []*transcript.Message {
	out := list
	for i, m := range list {
		if !carriesImages(m) || !m.Any(isImage) {
			continue
		}
		if &out[0] == &list[0] {
			out = slices.Clone(list)
		}
		out[i] = l.omitImages(m, hygiene.Edit{Rule: rule, Reason: reason, Lossy: true})
	}
	return out
}

func (l Log) omitImages(m *transcript.Message, e hygiene.Edit) *transcript.Message {
	text := texts.OmittedImage
	if m.Is(transcript.ToolResult) {
		text = texts.OmittedToolImage
	}
	var blocks []*transcript.Block
	said := false
	for _, b := range m.Blocks() {
		switch {
		case !isImage(b):
			said = b.IsText() && texts.IsOmittedImage(b.Text())
			blocks = append(blocks, b)
		case said:
			l.Add(hygiene.Drop, m, b, nil, e)
		default:
			said = true
			blocks = append(blocks, transcript.NewTextBlock(text))
			l.Add(hygiene.Replace, m, b, text, e)
		}
	}
	return m.WithBlocks(blocks)
}

// NoteSize adds a note to the report if a body is larger than the target takes
// (W-104).
func (in *Input) NoteSize(body []byte) {
	if limit := in.Policy.Wire.MaxBodyBytes; limit > 0 && len(body) > limit {
		in.Report.Note(fmt.Sprintf("the body has %d bytes, the target takes %d: compact the session", len(body), limit))
	}
}

// carriesImages reports whether images of the message go out as images.
func carriesImages(m *transcript.Message) bool {
	return m.Is(transcript.User) || m.Is(transcript.ToolResult)
}

func isImage(b *transcript.Block) bool { return b.Is(transcript.TypeImage) }
