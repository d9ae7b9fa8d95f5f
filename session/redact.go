package session

import (
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// Redactor takes secrets out of what is stored (F-48): texts that have the form
// of one, and strings whose member is named like one. The zero value finds none.
// It is safe for concurrent use.
type Redactor struct {
	patterns []pattern
	names    map[string]bool
}

// Message returns m, or a copy without the secrets, and what was done. Ids, names
// and whatever else holds a turn together stay, and so do valid images and what a
// model wants to have back as it was: signatures, and encrypted reasoning.
func (r *Redactor) Message(m *transcript.Message) (*transcript.Message, []Problem) {
	if len(r.patterns) == 0 && len(r.names) == 0 {
		return m, nil
	}
	w := redaction{r: r, text: m.AppendJSON(nil), assistant: m.Is(transcript.Assistant)}
	if w.scan.ScanAll(w.text, jsonline.Options{Depth: jsonline.DefaultMaxDepth, InvalidUTF8: true}) != nil {
		return m, nil // not reached by what was read or made
	}
	w.message()
	if len(w.edits) == 0 {
		return m, nil
	}
	var reader transcript.Reader
	c, err := reader.Message(w.edited())
	if err != nil {
		return m, nil // not reached: strings were replaced by strings
	}
	c.Origin = m.Origin
	return c, w.notes()
}

// fixed are the members of a message or block whose text is no content: what
// they say has to stay what it is.
var fixed = namesOf(transcript.ResultIDNames, []string{
	"role", "type", "id", "name", "toolName", "api", "provider", "model", "responseModel", "responseId", "stopReason",
	"idempotencyKey", "timestamp", "customType", "phase", "mimeType", "mediaType", "media_type",
})

func namesOf(lists ...[]string) map[string]bool {
	m := map[string]bool{}
	for _, list := range lists {
		for _, name := range list {
			m[name] = true
		}
	}
	return m
}

// signed are the members of a block that its signature goes with.
var signed = namesOf([]string{"thinking", "text", "arguments", "input"})

func (w *redaction) message() {
	w.members(0, "", func(j uint32, name string) {
		switch {
		case fixed[name] && w.kind(j) == jsonline.String:
		case name == "content" && w.kind(j) == jsonline.Array:
			w.members(j, name, func(k uint32, _ string) { w.block(k) })
		case name == "content":
			w.block(j)
		default:
			w.value(j, w.r.names[plainName(name)])
		}
	})
}

func (w *redaction) block(i uint32) {
	if w.kind(i) != jsonline.ObjectKind {
		w.value(i, false)
		return
	}
	image := w.image(i)
	typ := transcript.BlockType(w.get(i, "type"))
	before := w.secrets
	w.members(i, "", func(j uint32, name string) {
		if signed[name] {
			w.value(j, false)
		}
	})
	changed := w.secrets > before
	w.members(i, "", func(j uint32, name string) {
		str := w.kind(j) == jsonline.String
		switch {
		case signed[name], str && (fixed[name] || j == image):
		case str && w.assistant && (replayed[name] || typ == transcript.TypeRedactedThinking && name == "data"):
			w.token(j, changed && name != "textSignature") // that says which item it was
		default:
			w.value(j, w.r.names[plainName(name)])
		}
	})
}

// value redacts value i and what is in it. secret says that it is named like one.
func (w *redaction) value(i uint32, secret bool) {
	switch w.kind(i) {
	case jsonline.String:
		w.string(i, secret)
	case jsonline.Array:
		w.members(i, "", func(j uint32, _ string) { w.value(j, secret) })
	case jsonline.ObjectKind:
		image := w.image(i)
		w.members(i, "", func(j uint32, name string) {
			if j != image {
				w.value(j, w.r.names[plainName(name)])
			}
		})
	}
}

func (w *redaction) string(i uint32, secret bool) {
	v := w.scan.Value(int(i), w.text)
	if v.Blank() {
		return
	}
	text := v.String()
	redacted := texts.Redacted
	if !secret {
		if isData(text) {
			return
		}
		redacted = w.r.Text(text)
	}
	if redacted != text {
		w.secrets++
		w.replace(i, redacted)
	}
}

func (w *redaction) replace(i uint32, text string) {
	n := w.scan.Nodes[i]
	w.edits = append(w.edits, replacement{n.Start, n.End, jsonline.Quote(text)})
}
