package wrappers

import (
	"net/url"
	"strings"

	"hygeia/internal/texts"
)

// HasMarker reports whether text starts with an inter-session marker in any known spelling (S-11, R-B13). It says nothing
// about where the text came from: only provenance does (S-B02).
func HasMarker(text string) bool {
	_, _, ok := cutMarker(text)
	return ok
}

// ParseMarker returns the fields of the leading marker and the text behind it (S-10, S-11).
func ParseMarker(text string) (s Source, rest string, ok bool) {
	return cutMarker(text)
}

// StripMarker removes the leading markers, and the line that stands for a turn without text (S-B03, X-45). Markers in other
// places are words of the sender and stay.
func StripMarker(text string) string {
	rest := cutMarkers(text)
	if len(rest) < len(text) && strings.TrimSpace(rest) == texts.InterSessionFollows {
		return ""
	}
	return rest
}

func cutMarkers(text string) string {
	for {
		_, rest, ok := cutMarker(text)
		if !ok {
			return text
		}
		text = rest
	}
}

// cutMarker splits the markers of the first line, with the explanation below, from the trimmed rest. After a bare label the
// line stays if it holds other things than fields. The fields are those of the first marker.
func cutMarker(text string) (s Source, rest string, ok bool) {
	start := strings.TrimLeft(text, blanks)
	if !strings.HasPrefix(start, "[") {
		return Source{}, text, false
	}
	whole, below, _ := strings.Cut(start, "\n")
	whole = strings.TrimRight(whole, blanks)
	fieldsToEnd := strings.HasPrefix(whole[strings.LastIndexAny(whole, " \t")+1:], keyIsUser)
	line := whole
	for strings.HasPrefix(line, "[") {
		fields, beside, found := parseMarkerLine(line, fieldsToEnd)
		if !found {
			break
		}
		if !ok {
			s, ok = fields, true
		}
		line = beside
	}
	if !ok {
		return Source{}, text, false
	}
	if line != "" {
		return s, start[len(whole)-len(line):], true
	}
	if next, after := cutLine(below); next == explanations[0] || next == explanations[1] {
		below = after
	}
	return s, strings.TrimLeft(below, blanks), true
}

// parseMarkerLine reads "[label] fields" and "[label fields] beside". Behind our own label stray words may stand between
// the fields (OpenClaw did not encode values), behind another label, which may be a translation, they may not.
func parseMarkerLine(line string, fieldsToEnd bool) (s Source, beside string, ok bool) {
	if after, ok := strings.CutPrefix(line, texts.InterSessionMarker); ok {
		if fieldsToEnd {
			s, _ := parseFields(after, true)
			return s, "", true
		}
		return Source{}, strings.TrimLeft(after, blanks), true
	}
	inside, outside, ok := strings.Cut(line, "]")
	if !ok || strings.HasPrefix(inside, disarmed) {
		return Source{}, "", false
	}
	if s, ok := parseFields(outside, false); ok {
		return s, "", true
	}
	for _, key := range [...]string{keySession, keyChannel, keyTool, keyIsUser} {
		if i := strings.Index(inside, " "+key); i > 1 {
			s, ok := parseFields(inside[i:], false)
			return s, strings.TrimLeft(outside, blanks), ok
		}
	}
	return Source{}, "", false
}

// parseFields reads space-separated fields of which the last one is isUser (S-10, S-B01).
func parseFields(fields string, strayWords bool) (s Source, ok bool) {
	for word := range strings.FieldsSeq(fields) {
		equals := strings.IndexByte(word, '=') + 1
		key, value := word[:equals], word[equals:]
		ok = false
		switch key {
		case keySession:
			s.SourceSession = decodeField(value)
		case keyChannel:
			s.SourceChannel = decodeField(value)
		case keyTool:
			s.SourceTool = decodeField(value)
		case keyIsUser:
			ok = true
		default:
			if !strayWords {
				return Source{}, false
			}
		}
	}
	return s, ok
}

// decodeField undoes encodeField; a value that is not encoded stays as it is.
func decodeField(value string) string {
	decoded, err := url.PathUnescape(value)
	if err != nil {
		return value
	}
	return decoded
}
