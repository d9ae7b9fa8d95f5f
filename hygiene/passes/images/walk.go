package images

import (
	"context"
	"errors"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/imaging"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// walk brings the pictures of one request into the form in which they go out:
// look at each block, reduce all that need it together, rewrite.
type walk struct {
	ctx    context.Context
	label  string // of notes (I-01, I-02)
	limits imaging.Limits
	key    string // the limits, as the memo knows them
	found  map[*transcript.Block]*finding
	work   []*finding // in order
}

// finding is an image block that may not go out as it is.
type finding struct {
	block   *transcript.Block
	name    string // of its file, in front of reasons
	from    payload
	read    imaging.Reading
	sum     imaging.Sum
	replace *transcript.Block // nil: it stays
	edit    hygiene.Edit
}

func newWalk(ctx context.Context, l imaging.Limits) *walk {
	return &walk{ctx: ctx, label: turns.ImageLabel, limits: l, key: memoKey(l)}
}

// look judges a block. What the header alone says goes out as it is costs
// nothing more, neither now nor the next time (I-16, I-B13).
func (w *walk) look(b *transcript.Block) {
	if !isImage(b) || w.ctx.Err() != nil {
		return
	}
	known := seen.get(b)
	if known.kept == w.key {
		return
	}
	from, state := find(b)
	if state == linked {
		return
	}
	f := finding{block: b, from: from, sum: known.sum}
	err := error(errMissing)
	switch {
	case known.plain != "":
		f.read.Picture, err = imaging.Picture{MediaType: known.plain, Data: from.data.String()}, nil
	case state == present:
		f.read, err = imaging.Read(from.data.String(), from.declared)
	}
	fits := false
	if err == nil {
		v := w.limits.Judge(f.read.Picture)
		if fits = v.Fits(); fits && f.isCanonical() {
			seen.put(b, memory{kept: w.key})
			return
		}
	}
	p := &finding{}
	*p = f // only what needs work is worth an allocation
	p.name = fileName(b, w.label)
	switch {
	case err != nil:
		p.omit(w.label, err)
	case fits:
		p.send(p.read.Picture, nil)
	default:
		w.work = append(w.work, p)
	}
	if w.found == nil {
		w.found = map[*transcript.Block]*finding{}
	}
	w.found[b] = p
}

var errMissing = &imaging.Omission{Rule: "I-10", Reason: "missing data"}

// reduce works on all pictures that need it at the same time, until the context
// ends.
func (w *walk) reduce() {
	if len(w.work) == 0 {
		return
	}
	jobs := make([]imaging.Job, len(w.work))
	for i, f := range w.work {
		jobs[i] = imaging.Job{Picture: f.read.Picture, Sum: f.sum}
	}
	for i, res := range shared.FitAll(w.ctx, jobs, w.limits) {
		f := w.work[i]
		known := memory{sum: res.Sum}
		if f.read.Rule == "" {
			known.plain = f.read.MediaType
		}
		var omitted *imaging.Omission
		switch {
		case res.Err != nil && !errors.As(res.Err, &omitted):
			continue // the context has ended
		case res.Err != nil:
			f.omit(w.label, res.Err)
		case res.Picture == f.read.Picture && f.isCanonical():
			known.kept = w.key
		default:
			f.send(res.Picture, res.Why)
			f.edit.Reason += outcome(&res, f.read.Picture)
		}
		seen.put(f.block, known)
	}
}

// rewrite puts the results into the messages.
func (w *walk) rewrite(r *hygiene.Run) {
	if len(w.found) == 0 {
		return
	}
	for i := range r.Len() {
		if carries(r.At(i)) {
			turns.Rewrite(r, i, w.result)
		}
	}
}

// result returns the block to send for a block, and why if it is another one.
func (w *walk) result(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
	if isImage(b) {
		if f := w.found[b]; f != nil && f.replace != nil {
			return f.replace, f.edit
		}
	}
	return b, hygiene.Edit{}
}

// omit puts a text in the place of a picture, and says why (I-32).
func (f *finding) omit(label string, err error) {
	if errors.Is(err, imaging.ErrEmpty) {
		f.replace = transcript.NewTextBlock(texts.EmptyImage(label))
		f.edit = hygiene.Edit{Rule: "I-12", Synthetic: true, Reason: f.name + err.Error()}
		return
	}
	rule := "I-30"
	var o *imaging.Omission
	if errors.As(err, &o) {
		rule = o.Rule
	}
	f.replace = transcript.NewTextBlock(texts.InvalidImage(label, err.Error()))
	f.edit = hygiene.Edit{Rule: rule, Lossy: rule != errMissing.Rule, Synthetic: true, Reason: f.name + "image is left out: " + err.Error()}
}

// isCanonical reports whether the block has the form of I-45 already.
func (f *finding) isCanonical() bool {
	return f.from.direct && f.read.Rule == "" && f.block.Get("mimeType").String() == f.read.MediaType
}

// send replaces the block by one with that picture in the form of I-45. Members
// that nobody knows stay.
func (f *finding) send(p imaging.Picture, why []imaging.Fact) {
	f.replace = f.block.Without("source", "image_url", "mediaType", "media_type").
		With("type", jsonline.Text(string(transcript.TypeImage))).
		With("data", jsonline.Text(p.Data)).
		With("mimeType", jsonline.Text(p.MediaType))
	facts := append(why[:len(why):len(why)], f.spelling()...)
	f.edit = hygiene.Edit{Rule: facts[0].Rule, Lossy: len(why) > 0, Reason: f.name}
	for i, fact := range facts {
		if i > 0 {
			f.edit.Reason += ", "
		}
		f.edit.Reason += fact.Text
	}
}

// spelling says what about the block is not in the form of I-45.
func (f *finding) spelling() (facts []imaging.Fact) {
	named := f.from.declared
	if f.read.Named != "" {
		named = f.read.Named
	}
	for _, c := range []struct {
		holds      bool
		rule, what string
	}{
		{!f.from.direct, "I-B03", "image has the form of another API"},
		{f.read.Rule == "I-B03", "I-B03", "image data is no plain base64"},
		{f.from.direct && named == f.read.MediaType && f.block.Get("mimeType").String() != named, "I-B03", "media type is not in mimeType"},
		{f.read.Rule == "W-103", "W-103", "base64 of the image is not canonical"},
		{named == "", "W-102", "image has no media type"},
		{named != "" && named != f.read.MediaType, "W-102", "image is declared as " + imaging.Printable(named) + " and is " + f.read.MediaType},
	} {
		if c.holds {
			facts = append(facts, imaging.Fact{Rule: c.rule, Text: c.what})
		}
	}
	return facts
}
