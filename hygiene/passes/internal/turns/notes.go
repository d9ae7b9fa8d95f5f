package turns

import (
	"strings"

	"hygeia/internal/texts"
	"hygeia/transcript"
)

// ImageLabel names the place of a picture in a note about it (I-01).
const ImageLabel = "session:history"

var imageNotes = []string{texts.EmptyImage(ImageLabel), texts.InvalidImage(ImageLabel, ""), texts.OlderImage}

// IsImageNote reports whether b is a text that this pipeline puts in the place
// of a picture. The sender did not write it.
func IsImageNote(b *transcript.Block) bool {
	const longest = 400 // bytes of JSON: a long text need not be decoded
	if !b.IsText() || len(b.TextValue().Raw) > longest {
		return false
	}
	text := b.Text()
	for _, note := range imageNotes {
		if strings.HasPrefix(text, note) {
			return true
		}
	}
	return texts.IsOmittedImage(text)
}
