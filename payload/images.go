package payload

import (
	"fmt"

	"hygeia/hygiene"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// Images returns the messages with the images that the target takes: none where
// the model has no image input (W-101), else the newest up to the limits on
// their number and on the size of the body (W-104). What goes leaves a text.
// The list itself is returned if nothing has to go.
func Images(in *Input, l Log) []*transcript.Message {
	count, size := countImages(in.Messages)
	switch {
	case count == 0:
		return in.Messages
	case !in.Policy.Model.Images:
		return l.OmitImages(in.Messages, "W-101", "the model takes no images")
	}
	drop := surplusImages(count, in.Policy.Wire.MaxImages)
	drop = max(drop, surplusBytes(in.Messages, size, in.Policy.Wire.MaxBodyBytes))
	if drop == 0 {
		return in.Messages
	}
	return l.replaceImages(in.Messages, drop, placeholder{
		rule: "W-104", reason: "the request would hold more images than the target takes", user: texts.OlderImage, tool: texts.OlderImage,
	})
}

// OmitImages returns the messages with one text in the place of each run of
// images, recorded under the rule. The list itself is returned if there are
// none.
func (l Log) OmitImages(list []*transcript.Message, rule, reason string) []*transcript.Message {
	count, _ := countImages(list)
	if count == 0 {
		return list
	}
	return l.replaceImages(list, count, placeholder{
		rule: rule, reason: reason, user: texts.OmittedImage, tool: texts.OmittedToolImage, runs: true,
	})
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

func countImages(list []*transcript.Message) (count, size int) {
	for _, m := range list {
		if !carriesImages(m) {
			continue
		}
		for _, b := range m.Blocks() {
			if b.Is(transcript.TypeImage) {
				count++
				size += len(b.Get("data").Raw)
			}
		}
	}
	return count, size
}

// surplusImages returns how many of the oldest images go. It rises in steps of a
// quarter of the limit, so that the prefix changes seldom.
func surplusImages(count, limit int) int {
	if limit == 0 || count <= limit {
		return 0
	}
	step := max(limit/4, 1)
	return min(count, (count-limit+step-1)/step*step)
}

// surplusBytes is surplusImages for the size of the body, which that of the
// messages stands for.
func surplusBytes(list []*transcript.Message, size, limit int) int {
	if limit == 0 || size <= limit/4 {
		return 0
	}
	var scratch []byte
	total := 0
	for _, m := range list {
		scratch = m.AppendJSON(scratch[:0])
		total += len(scratch)
	}
	if total <= limit {
		return 0
	}
	step := max(limit/4, 1)
	surplus := (total - limit + step - 1) / step * step
	drop := 0
	for _, m := range list {
		if !carriesImages(m) {
			continue
		}
		for _, b := range m.Blocks() {
			if b.Is(transcript.TypeImage) && surplus > 0 {
				surplus -= len(b.Get("data").Raw)
				drop++
			}
		}
	}
	return drop
}

// placeholder says what stands in the place of images.
type placeholder struct {
	rule, reason string
	user, tool   string
	runs         bool // one text for a run of images
}

// replaceImages puts texts in the place of the first n images.
func (l Log) replaceImages(list []*transcript.Message, n int, p placeholder) []*transcript.Message {
	out := append([]*transcript.Message(nil), list...)
	for i, m := range out {
		if n == 0 {
			break
		}
		if !carriesImages(m) || !m.Any(isImage) {
			continue
		}
		text := p.user
		if m.Is(transcript.ToolResult) {
			text = p.tool
		}
		var blocks []*transcript.Block
		said := false
		for _, b := range m.Blocks() {
			if !isImage(b) || n == 0 {
				said = p.runs && b.IsText() && texts.IsOmittedImage(b.Text())
				blocks = append(blocks, b)
				continue
			}
			n--
			e := hygiene.Edit{Rule: p.rule, Reason: p.reason, Lossy: true}
			if said {
				l.Add(hygiene.Drop, m, b, nil, e)
				continue
			}
			said = p.runs
			blocks = append(blocks, transcript.NewTextBlock(text))
			l.Add(hygiene.Replace, m, b, text, e)
		}
		out[i] = m.WithBlocks(blocks)
	}
	return out
}

func isImage(b *transcript.Block) bool { return b.Is(transcript.TypeImage) }
