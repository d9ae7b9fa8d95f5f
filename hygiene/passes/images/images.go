package images

import (
	_ "embed"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/policy"
	"hygeia/transcript"
)

//go:embed doc.go
var doc string

// Picture is the payload of one image block, checked but not decoded.
type Picture struct {
	MediaType string // of the first bytes: image/png, image/jpeg, image/bmp, …
	Data      string // canonical base64
}

// Reducer returns the picture to send in the place of p: p itself if it fits the
// target, else one that does. The text of an error goes to the model as the
// reason why the picture was left out, so it is short and a fact (I-B09).
type Reducer func(p Picture, to *policy.Policy) (Picture, error)

// Pass sends pictures as they are, and none that the target does not take.
var Pass = New(nil)

// New returns the pass with a reducer. Without one, a picture that does not fit
// the target is left out.
func New(reduce Reducer) *hygiene.Pass {
	return &hygiene.Pass{
		Name: "images",
		Doc:  hygiene.DocText(doc),
		Rules: []hygiene.Rule{
			{ID: "I-10", Title: "an image block without data becomes a note", Synthetic: true},
			{ID: "I-12", Title: "an empty image becomes a note that says so", Synthetic: true},
			{ID: "I-17", Title: "a picture that does not fit the target is encoded again or becomes a note", Lossy: true, Synthetic: true},
			{ID: "I-B02", Title: "what is no picture, or none that the target takes, becomes a note that names it", Lossy: true, Synthetic: true},
			{ID: "I-B03", Title: "other spellings of an image block are brought into one form"},
			{ID: "W-101", Title: "a model without image input gets a text in the place of pictures", Lossy: true, Synthetic: true},
			{ID: "W-102", Title: "the media type of an image is that of its bytes"},
			{ID: "W-103", Title: "the base64 of an image is canonical, or the image becomes a note", Lossy: true, Synthetic: true},
			{
				ID: "W-104", Title: "the oldest pictures above a limit of the target become a text each",
				Lossy: true, Synthetic: true, Unstable: "new pictures push old ones over the limit",
			},
		},
		After: []string{"shapes", "content"},
		Run:   sanitizer{reduce}.run,
	}
}

type sanitizer struct{ reduce Reducer }

func (s sanitizer) run(r *hygiene.Run) {
	if !r.Policy.Model.Images {
		for i := range r.Len() {
			if carries(r.At(i)) {
				blind(r, i)
			}
		}
		return
	}
	block := func(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
		if !isImage(b) {
			return b, hygiene.Edit{}
		}
		return s.block(b, r.Policy)
	}
	for i := range r.Len() {
		if carries(r.At(i)) {
			turns.Rewrite(r, i, block)
		}
	}
	limit(r)
}

// carries reports whether pictures of m may go out. A custom row goes out as a
// user turn (F-72).
func carries(m *transcript.Message) bool {
	switch m.Role() {
	case transcript.User, transcript.Custom, transcript.ToolResult, transcript.Assistant:
		return m.ContentKind() == transcript.ListContent
	}
	return false
}

// Types of image blocks in the form of other APIs.
const (
	typeImageURL   transcript.BlockType = "image_url"
	typeInputImage transcript.BlockType = "input_image"
)

func isImage(b *transcript.Block) bool {
	switch b.Type() {
	case transcript.TypeImage, typeImageURL, typeInputImage:
		return true
	}
	return false
}
