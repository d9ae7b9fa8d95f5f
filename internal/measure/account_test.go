package measure

import (
	"bytes"
	"regexp"
	"slices"

	"hygeia"
	"hygeia/hygiene"
	"hygeia/transcript"
)

// known are generated texts, pictures and encrypted content of which nothing
// but a rule takes anything away: no wrapper, no stand-in, no half of a pair.
// They are plain ASCII and so stand in every JSON text as they are; the number
// of a text stands nowhere else in its transcript.
var known = regexp.MustCompile(`words \d+ of|iVBORw0KGgo[A-Za-z0-9+/=]+|gAAAA[A-Za-z0-9]+`)

// account returns a text or picture that neither goes out nor stands in what a
// lossy change took away, nil if there is none (G-4).
func account(keys [][]byte, r *hygeia.Replay) []byte {
	out := r.Body
	if out == nil {
		out = r.MessagesJSON()
	}
	for _, key := range keys {
		if !bytes.Contains(out, key) && !told(r.Report, key) {
			return key
		}
	}
	return nil
}

// keysOf returns what is known of what the messages say to the model.
func keysOf(list []*transcript.Message) [][]byte {
	var keys [][]byte
	for _, m := range list {
		if !m.Is(transcript.User) && !m.Is(transcript.Assistant) && !m.Is(transcript.ToolResult) {
			continue
		}
		if m.ContentKind() == transcript.TextContent {
			keys = append(keys, known.FindAll(m.Text().Raw, -1)...)
		}
		for _, b := range m.Blocks() {
			switch {
			case b.Is(transcript.TypeThinking):
				keys = append(keys, thinkingKeys(b)...)
			case b.Is(transcript.TypeText):
				keys = append(keys, known.FindAll(b.TextValue().Raw, -1)...)
			case b.IsToolCall():
				keys = append(keys, known.FindAll(b.Get("arguments").Raw, -1)...)
			case b.Is(transcript.TypeImage):
				keys = append(keys, known.FindAll(b.Get("data").Raw, -1)...)
			}
		}
	}
	return keys
}

// thinkingKeys returns what is known of a thinking block. Where its signature is
// a whole reasoning item, that may go out in its place: then only what both hold
// counts, or the content of the item if people are shown nothing of it.
func thinkingKeys(b *transcript.Block) [][]byte {
	text, sig := b.TextValue(), []byte(b.Signature().String())
	keys := known.FindAll(text.Raw, -1)
	switch {
	case !bytes.HasPrefix(sig, []byte("{")):
		return keys
	case text.Blank():
		return known.FindAll(sig, -1)
	}
	return slices.DeleteFunc(keys, func(key []byte) bool { return !bytes.Contains(sig, key) })
}

// told reports whether a lossy change took the key away.
func told(r *hygiene.Report, key []byte) bool {
	for i := range r.Changes {
		c := &r.Changes[i]
		if c.Lossy && bytes.Contains(jsonOf(c.Before), key) && (c.Op == hygiene.Move || !bytes.Contains(jsonOf(c.After), key)) {
			return true
		}
	}
	return false
}

func jsonOf(v any) []byte {
	switch v := v.(type) {
	case interface{ AppendJSON([]byte) []byte }:
		return v.AppendJSON(nil)
	case string:
		return []byte(v)
	}
	return nil
}
