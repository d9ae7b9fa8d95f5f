package images

import (
	"encoding/base64"
	"strings"
)

// formats are recognised by their first bytes; "?" stands for any byte. The
// first four are sendable, the others are known in order to be named (I-B02).
var formats = []struct{ magic, mediaType string }{
	{"\x89PNG\r\n\x1a\n", "image/png"},
	{"\xff\xd8\xff", "image/jpeg"},
	{"GIF87a", "image/gif"},
	{"GIF89a", "image/gif"},
	{"RIFF????WEBP", "image/webp"},
	{"BM", "image/bmp"},
	{"II*\x00", "image/tiff"},
	{"MM\x00*", "image/tiff"},
	{"????ftypavif", "image/avif"},
	{"????ftypavis", "image/avif"},
	{"????ftyphei", "image/heic"},
	{"????ftyphev", "image/heic"},
	{"????ftypmif1", "image/heif"},
	{"????ftypmsf1", "image/heif"},
	{"\x00\x00\x01\x00", "image/x-icon"},
	{"%PDF-", "application/pdf"},
}

// Formats that are texts.
const (
	svg  = "image/svg+xml"
	html = "text/html"
)

// recognise returns the format that the bytes have, "" if unknown, and the data
// in that format: that of a picture that was encoded twice is the inner one.
func recognise(data string) (format, inner string) {
	if format := formatOf(start(data)); format != "" {
		return format, data
	}
	text, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return "", data
	}
	if format := textFormat(text); format != "" {
		return format, data
	}
	if formatOf(start(string(text))) != "" {
		if once, ok := plain(string(text)); ok {
			return formatOf(start(once)), once
		}
	}
	return "", data
}

// start returns the first bytes of base64 data, as many as a magic needs, and
// zeros if there are less.
func start(data string) (b [12]byte) {
	var text [16]byte
	n := copy(text[:], data)
	if _, err := base64.StdEncoding.Decode(b[:], text[:n]); err != nil {
		return [12]byte{}
	}
	return b
}

func formatOf(b [12]byte) string {
	for _, f := range formats {
		if hasMagic(&b, f.magic) {
			return f.mediaType
		}
	}
	return ""
}

func hasMagic(b *[12]byte, magic string) bool {
	for i := range len(magic) {
		if magic[i] != '?' && b[i] != magic[i] {
			return false
		}
	}
	return true
}

// textFormat recognises markup by its beginning.
func textFormat(b []byte) string {
	const longest = 1024
	text := strings.TrimLeft(strings.TrimPrefix(string(b[:min(len(b), longest)]), "\ufeff"), " \t\r\n")
	text = strings.ToLower(text)
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
func refusal(format, declared string) string {
	switch {
	case format == "" && declared == "":
		return "not a picture"
	case format == "":
		return "not a picture, declared as " + printable(declared)
	case format == svg:
		return "unsupported format " + format
	case !strings.HasPrefix(format, "image/"):
		return "not a picture but " + format
	}
	return ""
}

// printable returns as much of a declared media type as may stand in a note: a
// note goes to a model and a media type comes from anywhere (I-B09).
func printable(mediaType string) string {
	const longest = 60
	end := strings.IndexFunc(mediaType, func(r rune) bool {
		return r >= 0x80 || !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/+-.", r))
	})
	if end < 0 {
		end = len(mediaType)
	}
	return mediaType[:min(end, longest)]
}
