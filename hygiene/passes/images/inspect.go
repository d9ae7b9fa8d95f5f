package images

import (
	"hygeia/imaging"
	"hygeia/transcript"
)

// Stored is the picture of an image block as it lies in a session.
type Stored struct {
	// Declared is the media type that the block names, "" for none.
	Declared string
	// Linked reports that the block holds no picture but says where one lies.
	Linked bool
	// Picture is what was found, if Err is nil.
	Picture imaging.Picture
	// Err says why there is none, an *imaging.Omission.
	Err error
}

// Inspect returns the picture of a block, and false for a block of another kind.
func Inspect(b *transcript.Block) (s Stored, ok bool) {
	if !isImage(b) {
		return s, false
	}
	from, state := find(b)
	s.Declared = from.declared
	switch state {
	case linked:
		s.Linked = true
	case missing:
		s.Err = errMissing
	default:
		var read imaging.Reading
		read, s.Err = imaging.Read(from.data.String(), from.declared)
		s.Picture = read.Picture
	}
	return s, true
}
