package images

import (
	"hygeia/hygiene"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// blind puts a text in the place of every run of pictures in message i (W-101).
// A text that says so already belongs to the run and stays as the only one.
func blind(r *hygiene.Run, i int) {
	m := r.At(i)
	if !m.Any(isImage) {
		return
	}
	text := texts.OmittedImage
	if m.Is(transcript.ToolResult) {
		text = texts.OmittedToolImage
	}
	e := hygiene.Edit{Rule: "W-101", Lossy: true, Synthetic: true, Reason: "the model takes no images"}
	blocks := r.Blocks(i)
	all := blocks.All()
	for start := 0; start < len(all); {
		end, told := start, -1
		for ; end < len(all) && (isImage(all[end]) || saysOmitted(all[end])); end++ {
			if told < 0 && saysOmitted(all[end]) {
				told = end
			}
		}
		for j := start; j < end; j++ {
			switch {
			case j == told:
			case told < 0:
				blocks.Replace(j, transcript.NewTextBlock(text), e)
				told = j
			case isImage(all[j]):
				blocks.Drop(j, hygiene.Edit{Rule: e.Rule, Lossy: true, Reason: e.Reason})
			}
		}
		start = max(end, start+1)
	}
	blocks.Done()
}

// saysOmitted reports whether b stands for a picture that was left out. The
// texts are short, so a long one need not be decoded.
func saysOmitted(b *transcript.Block) bool {
	const longest = 200
	return b.IsText() && len(b.TextValue().Raw) < longest && texts.IsOmittedImage(b.Text())
}
