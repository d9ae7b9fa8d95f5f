package session

import (
	"regexp"
	"slices"
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// replayed are the members of an assistant block that go back to the provider as
// they came.
var replayed = namesOf(transcript.SignatureNames, []string{"textSignature"})

// token looks at what goes back to a provider. What has the shape that some
// provider gives it stays as it is; of a reasoning item the text goes, which
// nobody needs who has the encrypted one. A signature of something that is changed
// is worth nothing any more, and blank from then on. Anything else is a text like
// any other.
func (w *redaction) token(i uint32, changed bool) {
	text := w.scan.Value(int(i), w.text).String()
	if o := jsonline.ParseObject([]byte(text)); isItem(o) {
		if bare := bareItem(o); bare != text {
			w.tokens++
			w.replace(i, bare)
		}
		return
	}
	switch {
	case !isToken(text):
		w.string(i, false)
	case changed && !isField(text):
		w.unsigned++
		w.replace(i, "")
	}
}

const leastToken = 64 // characters of a signature that has no other mark

var itemID = regexp.MustCompile(`^(?:msg|rs|fc|resp|item|ig|ws|ci|mcp)_[A-Za-z0-9]+$`)

// isToken reports whether a text has the shape of a signature, of the id of an
// item, or is the name of a field.
func isToken(text string) bool {
	return isField(text) || itemID.MatchString(text) || len(text) >= leastToken && !strings.ContainsAny(text, "-_") && isBase64(text)
}

// isField reports whether a text is the name of the field that reasoning came in
// (W-115).
func isField(text string) bool {
	return text == "reasoning" || text == "reasoning_content" || text == "reasoning_text" || text == "reasoning_details"
}

// isItem reports whether an object is a reasoning item, or says which item a text
// came from (F-36).
func isItem(o jsonline.Object) bool {
	return strings.HasPrefix(o.Get("type").String(), "reasoning") || o.Has("v")
}

// itemMembers are those of an item that are kept.
var itemMembers = []string{
	"v", "id", "type", "status", "phase", "encrypted_content", "data", "signature", "format", "index",
	"provider", "api", "model", "openclawReasoningReplay",
}

// bareItem returns an item without its text, byte for byte if there is none.
func bareItem(o jsonline.Object) string {
	for name, v := range o.Members() {
		switch {
		case name == "summary" && v.Kind == jsonline.Array:
			for range v.Elements() {
				o = o.With(name, jsonline.Parse([]byte("[]")))
				break
			}
		case !slices.Contains(itemMembers, name):
			o = o.Without(name)
		}
	}
	return string(o.AppendTo(nil))
}
