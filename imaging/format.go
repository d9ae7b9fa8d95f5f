package imaging

import (
	"crypto/sha256"
	"strings"
)

// Media types of the formats that are known.
const (
	PNG  = "image/png"
	JPEG = "image/jpeg"
	GIF  = "image/gif"
	WebP = "image/webp"
	bmp  = "image/bmp"
	tiff = "image/tiff"
	avif = "image/avif"
	heic = "image/heic"
	heif = "image/heif"
	svg  = "image/svg+xml"
	html = "text/html"
)

// Sendable are the formats that providers take at all (AN-40). It must not be
// changed.
var Sendable = []string{PNG, JPEG, GIF, WebP}

// formats are recognised by their first bytes. Those that are not sendable are
// known in order to be converted or named (I-B02).
var formats = []struct{ magic, mediaType string }{
	{"\x89PNG\r\n\x1a\n", PNG},
	{"\xff\xd8\xff", JPEG},
	{"GIF87a", GIF},
	{"GIF89a", GIF},
	{"RIFF????WEBP", WebP},
	{"BM", bmp},
	{"II*\x00", tiff},
	{"MM\x00*", tiff},
	{"????ftypavif", avif},
	{"????ftypavis", avif},
	{"????ftyphei", heic},
	{"????ftyphev", heic},
	{"????ftypmif1", heif},
	{"????ftypmsf1", heif},
	{"\x00\x00\x01\x00", "image/x-icon"},
	{"%PDF-", "application/pdf"},
}

// Picture is the payload of one image, checked but not decoded.
type Picture struct {
	MediaType string // of the first bytes: image/png, image/jpeg, image/bmp, …
	Data      string // canonical base64
}

// Bytes returns the size of the file in bytes.
func (p Picture) Bytes() int { return source(p.Data).size() }

// File returns the file. There is an error only for a Picture that was not made by
// this package.
func (p Picture) File() ([]byte, error) { return decodeAll(p.Data) }

// Sum identifies a picture by its bytes.
type Sum [sha256.Size]byte

// Sum hashes the base64 text instead of the bytes: each picture has one
// canonical text (I-B06).
func (p Picture) Sum() Sum { return sha256.Sum256(readOnly(p.Data)) }

// Reading is what stored image data turned out to be.
type Reading struct {
	Picture
	// Named is the media type that the data gives itself as a data URL.
	Named string
	// Rule is the rule under which another spelling than the canonical one was
	// read (W-103, I-B03), "" if the data is as stored.
	Rule string
}

// Omission is the error of a picture that cannot be sent. Its reason goes to a
// model: a short fact, made of nothing that came with the picture but numbers
// and a printable media type (I-B09).
type Omission struct{ Rule, Reason string }

func (o *Omission) Error() string { return o.Reason }

// ErrEmpty says that there are no bytes at all.
var ErrEmpty error = &Omission{"I-12", "image is empty"}

// Read brings stored image data into its one form and recognises the format by
// its bytes (I-11…I-14, I-B02, I-B03, W-102, W-103). The declared media type is
// used in reasons only. Errors are of type *Omission.
func Read(stored, declared string) (Reading, error) {
	if tooLong(stored) {
		return Reading{}, &Omission{"I-11", "image exceeds input size limit (" + Size(MaxInput) + ")"}
	}
	s, ok := canonical(stored)
	switch {
	case !ok:
		return Reading{}, &Omission{"W-103", "invalid base64"}
	case s.data == "":
		return Reading{}, ErrEmpty
	case s.named != "":
		declared = s.named
	}
	r := Reading{Picture{"", s.data}, s.named, s.rule}
	if r.MediaType, r.Data = recognise(s.data); r.Data != s.data {
		r.Rule = "I-B03"
	}
	if reason := refusal(r.MediaType, declared); reason != "" {
		return Reading{}, &Omission{ruleType, reason}
	}
	return r, nil
}

// tooLong reports whether data holds more bytes than are looked at (I-11, D-06),
// without decoding it.
func tooLong(stored string) bool {
	const most = MaxInput / 3 * 4
	if len(stored) <= most {
		return false
	}
	n := 0
	for i := range len(stored) {
		if stored[i] > ' ' {
			n++
		}
	}
	padding := 0
	for s := strings.TrimRightFunc(stored, func(c rune) bool { return c <= ' ' }); padding < 2 && strings.HasSuffix(s, "="); s = s[:len(s)-1] {
		padding++
	}
	return n*3/4-padding > MaxInput
}

// recognise returns the format that the bytes have, "" if unknown, and the data
// in that format: that of a picture that was encoded twice is the inner one.
func recognise(data string) (mediaType, inner string) {
	if mediaType := magicOf(source(data)); mediaType != "" {
		return mediaType, data
	}
	const longest = 1024
	head := make([]byte, 0, longest)
	for i := range min(longest, source(data).size()) {
		head = append(head, source(data).at(i))
	}
	if mediaType := markup(string(head)); mediaType != "" {
		return mediaType, data
	}
	if once, ok := plain(string(head[:min(len(head), 16)])); !ok || magicOf(source(once)) == "" {
		return "", data
	}
	text, err := decodeAll(data)
	if err != nil {
		return "", data
	}
	if once, ok := plain(textOf(text)); ok && once != "" {
		return magicOf(source(once)), once
	}
	return "", data
}

func magicOf(s source) string {
	for _, f := range formats {
		if s.has(0, f.magic) {
			return f.mediaType
		}
	}
	return ""
}

// markup recognises text formats by their beginning.
func markup(text string) string {
	text = strings.ToLower(strings.TrimLeft(strings.TrimPrefix(text, "\ufeff"), " \t\r\n"))
	switch {
	case !strings.HasPrefix(text, "<"):
		return ""
	case strings.Contains(text, "<svg"):
		return svg
	case strings.HasPrefix(text, "<!doctype html"), strings.HasPrefix(text, "<html"):
		return html
	}
	return ""
}

// refusal says why data of a format is sent nowhere and never decoded: markup,
// documents and unknown bytes are no pictures for a decoder (I-B02). "" for
// every other format.
func refusal(mediaType, declared string) string {
	switch {
	case mediaType == "" && declared == "":
		return "not a picture"
	case mediaType == "":
		return "not a picture, declared as " + Printable(declared)
	case mediaType == svg:
		return "unsupported format " + mediaType
	case !strings.HasPrefix(mediaType, "image/"):
		return "not a picture but " + mediaType
	}
	return ""
}

// Printable returns as much of a declared media type as may stand in a note: a
// note goes to a model and a media type comes from anywhere (I-B09).
func Printable(mediaType string) string {
	const longest = 60
	end := strings.IndexFunc(mediaType, func(r rune) bool {
		return r >= 0x80 || !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/+-.", r))
	})
	if end < 0 {
		end = len(mediaType)
	}
	return mediaType[:min(end, longest)]
}
