package images

import (
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// payload is what an image block holds, in whatever form.
type payload struct {
	data     jsonline.Value // a string
	declared string         // media type
	direct   bool           // data is a member of a block of type image
}

// state says whether a block has a payload of its own.
type state int

const (
	present state = iota
	missing
	linked // the picture lies somewhere else
)

// mediaTypeNames are the members that may name a media type, in the order in
// which they count (F-36).
var mediaTypeNames = []string{"mimeType", "mediaType", "media_type"}

// find returns the payload of an image block (I-B03, F-B23).
func find(b *transcript.Block) (payload, state) {
	if b.Is(transcript.TypeImage) {
		if data := b.Get("data"); data.IsString() {
			return payload{data, declared(b.Get), true}, present
		}
		source := b.Get("source").Object()
		if data := source.Get("data"); data.IsString() {
			return payload{data: data, declared: declared(source.Get)}, present
		}
		if source.Has("url") || source.Has("file_id") {
			return payload{}, linked
		}
	}
	link := b.Get("image_url")
	if link.Kind == jsonline.ObjectKind {
		link = link.Object().Get("url")
	}
	switch {
	case link.IsString() && isDataURL(link.String()):
		return payload{data: link}, present
	case link.IsString(), !b.Is(transcript.TypeImage), b.Get("url").IsString():
		return payload{}, linked
	}
	return payload{}, missing
}

func declared(get func(string) jsonline.Value) string {
	for _, name := range mediaTypeNames {
		if v := get(name); v.IsString() && !v.Blank() {
			return v.String()
		}
	}
	return ""
}

func isDataURL(s string) bool { return len(s) >= 5 && strings.EqualFold(s[:5], "data:") }
