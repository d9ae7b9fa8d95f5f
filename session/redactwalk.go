package session

import (
	"fmt"
	"slices"
	"strings"

	"hygeia/imaging"
	"hygeia/internal/jsonline"
)

// redaction is the walk over one message.
type redaction struct {
	r         *Redactor
	text      []byte
	scan      jsonline.Scanner
	assistant bool
	edits     []replacement

	secrets, tokens, unsigned, images int
}

// replacement is the new text of a value.
type replacement struct {
	at, end uint32
	text    []byte
}

// edited returns the message with what was replaced.
func (w *redaction) edited() []byte {
	slices.SortFunc(w.edits, func(a, b replacement) int { return int(a.at) - int(b.at) })
	var out []byte
	at := uint32(0)
	for _, e := range w.edits {
		out = append(append(out, w.text[at:e.at]...), e.text...)
		at = e.end
	}
	return append(out, w.text[at:]...)
}

func (w *redaction) notes() (notes []Problem) {
	for _, c := range []struct {
		n    int
		what string
	}{
		{w.secrets, "%d secrets redacted"},
		{w.tokens, "%d reasoning items stored without their text"},
		{w.unsigned, "%d signatures left out, of what held a secret"},
		{w.images, "%d images stored in canonical base64"},
	} {
		if c.n > 0 {
			notes = append(notes, Problem{Rule: "F-48", Reason: fmt.Sprintf(c.what, c.n)})
		}
	}
	return notes
}

// members calls f for each value in container i. What f gets as name is that of
// the container for the elements of a list.
func (w *redaction) members(i uint32, name string, f func(j uint32, name string)) {
	nodes := w.scan.Nodes
	for j := i + 1; j < nodes[i].Next; j = nodes[j].Next {
		of := name
		if nodes[i].Kind == jsonline.ObjectKind {
			of = w.name(j)
		}
		f(j, of)
	}
}

func (w *redaction) name(j uint32) string {
	n := w.scan.Nodes[j]
	if n.Flags&jsonline.FlagNameEscaped == 0 {
		return string(w.text[n.NameStart:n.NameEnd])
	}
	return jsonline.Parse(w.text[n.NameStart-1 : n.NameEnd+1]).String()
}

func (w *redaction) kind(j uint32) jsonline.Kind { return w.scan.Nodes[j].Kind }

// get returns the text of a member of object i.
func (w *redaction) get(i uint32, member string) (text string) {
	w.members(i, "", func(j uint32, name string) {
		if name == member {
			text = w.scan.Value(int(j), w.text).String()
		}
	})
	return text
}

// image returns which member of object i is the data of a valid image, 0 for
// none, and brings it into its canonical form.
func (w *redaction) image(i uint32) (data uint32) {
	declared := ""
	w.members(i, "", func(j uint32, name string) {
		switch name {
		case "data":
			data = j
		case "mimeType", "mediaType", "media_type":
			declared = w.scan.Value(int(j), w.text).String()
		}
	})
	if data == 0 || w.kind(data) != jsonline.String || !strings.HasPrefix(strings.ToLower(declared), "image/") {
		return 0
	}
	stored := w.scan.Value(int(data), w.text).String()
	r, err := imaging.Read(stored, declared)
	if err != nil {
		return 0
	}
	if r.Data != stored {
		w.images++
		w.replace(data, r.Data)
	}
	return data
}
