package images

import (
	"context"
	_ "embed"

	"hygeia/hygiene"
	"hygeia/imaging"
	"hygeia/policy"
	"hygeia/transcript"
)

//go:embed doc.go
var doc string

// Pass holds pictures to what file 30 says for every route and to what the
// target takes.
var Pass = New(context.Background(), imaging.Limits{})

// shared reduces the pictures of the whole process, so that what one turn or
// session has reduced serves the next one (I-B06).
var shared = imaging.NewReducer()

// New returns the pass with limits of the user: sides, bytes, metadata,
// orientation. What a target demands beyond that comes from its policy; of two
// limits the stricter one holds. Work on pictures ends with the context (I-B11);
// what the pass leaves is worth nothing then.
func New(ctx context.Context, user imaging.Limits) *hygiene.Pass {
	return &hygiene.Pass{
		Name: "images",
		Doc:  hygiene.DocText(doc),
		Rules: []hygiene.Rule{
			{ID: "I-10", Title: "an image block without data becomes a note", Synthetic: true},
			{ID: "I-11", Title: "an image above the input limit becomes a note", Lossy: true, Synthetic: true},
			{ID: "I-12", Title: "an empty image becomes a note that says so", Synthetic: true},
			{ID: "I-17", Title: "a picture over the side, byte or pixel limit is made smaller", Lossy: true},
			{ID: "I-28", Title: "a picture with too many pixels to be decoded becomes a note", Lossy: true, Synthetic: true},
			{ID: "I-30", Title: "a picture that cannot be decoded becomes a note", Lossy: true, Synthetic: true},
			{ID: "I-31", Title: "a picture that cannot be made small enough becomes a note", Lossy: true, Synthetic: true},
			{ID: "I-B02", Title: "what the target does not take is converted, and what is no picture becomes a note that names it", Lossy: true, Synthetic: true},
			{ID: "I-B03", Title: "other spellings of an image block are brought into one form"},
			{ID: "I-B10", Title: "a JPEG that lies on its side is turned, where the user asks for it", Lossy: true},
			{ID: "I-B12", Title: "metadata of pictures is taken out, where the user asks for it", Lossy: true},
			{ID: "W-101", Title: "a model without image input gets a text in the place of pictures", Lossy: true, Synthetic: true},
			{ID: "W-102", Title: "the media type of an image is that of its bytes"},
			{ID: "W-103", Title: "the base64 of an image is canonical, or the image becomes a note", Lossy: true, Synthetic: true},
			{
				ID: "W-104", Title: "the oldest pictures above a limit of the target become a text each",
				Lossy: true, Synthetic: true, Unstable: "new pictures push old ones over the limit", Far: true,
			},
		},
		After: []string{"shapes", "content"},
		Run:   sanitizer{ctx, user}.run,
	}
}

type sanitizer struct {
	ctx  context.Context
	user imaging.Limits
}

func (s sanitizer) run(r *hygiene.Run) {
	if !r.Policy.Model.Images {
		for i := range r.Len() {
			if carries(r.At(i)) {
				blind(r, i)
			}
		}
		return
	}
	w := newWalk(s.ctx, Limits(s.user, r.Policy))
	for i := range r.Len() {
		if m := r.At(i); carries(m) {
			for _, b := range m.Blocks() {
				w.look(b)
			}
		}
	}
	w.reduce()
	w.rewrite(r)
	limit(r)
}

// Limits returns the limits of the user with those of a target on top.
func Limits(user imaging.Limits, to *policy.Policy) imaging.Limits {
	l := user
	l.Types = to.Wire.ImageTypes
	if most := to.Wire.MaxImageText; most > 0 && (l.MaxText == 0 || most < l.MaxText) {
		l.MaxText = most
	}
	if side := to.Wire.MaxImageSide; side > 0 {
		l.MaxSide = min(l.Side(), side)
	}
	return l
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
