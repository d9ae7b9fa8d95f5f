package canon

import "strings"

// DataURL takes a data URL with base64 apart. ok is false for any other URL.
func DataURL(url string) (mime, data string, ok bool) {
	rest, ok := cutPrefixFold(url, "data:")
	if !ok {
		return "", "", false
	}
	head, data, ok := strings.Cut(rest, ",")
	if !ok {
		return "", "", false
	}
	mime, base64, _ := strings.Cut(head, ";")
	if !strings.HasSuffix(strings.ToLower(";"+base64), ";base64") || mime == "" {
		return "", "", false
	}
	return mime, data, true
}

func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}

// imageTypes are the media types of pictures by how their base64 starts (W-102).
var imageTypes = []struct{ start, mime string }{
	{"/9j/", "image/jpeg"}, {"iVBOR", "image/png"}, {"R0lGOD", "image/gif"}, {"UklGR", "image/webp"},
}

// ImageType returns the media type of a picture that comes without one.
func ImageType(data string) string {
	for _, t := range imageTypes {
		if strings.HasPrefix(data, t.start) {
			return t.mime
		}
	}
	return "application/octet-stream"
}
