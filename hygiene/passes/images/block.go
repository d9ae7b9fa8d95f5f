package images

import (
	"slices"
	"strings"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/policy"
	"hygeia/transcript"
)

// sendable are the formats that providers take at all (AN-40).
var sendable = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// block returns the block to send for an image block, b itself if it may go out
// as it is.
func (s sanitizer) block(b *transcript.Block, to *policy.Policy) (*transcript.Block, hygiene.Edit) {
	from, state := find(b)
	switch state {
	case linked:
		return b, hygiene.Edit{}
	case missing:
		return note("I-10", "missing data", false)
	}
	read, ok := canonical(from.data.String())
	switch {
	case !ok:
		return note("W-103", "invalid base64", true)
	case read.data == "":
		e := hygiene.Edit{Rule: "I-12", Synthetic: true, Reason: "image is empty"}
		return transcript.NewTextBlock(texts.EmptyImage(turns.ImageLabel)), e
	case read.named != "":
		from.declared = read.named
	}
	format, inner := recognise(read.data)
	if inner != read.data {
		read.data, read.rule = inner, "I-B03"
	}
	if reason := refusal(format, from.declared); reason != "" {
		return note("I-B02", reason, true)
	}
	found := Picture{format, read.data}
	send := found
	if s.reduce != nil {
		var err error
		if send, err = s.reduce(found, to); err != nil {
			return note("I-17", err.Error(), true)
		}
	}
	if reason := misfit(send, to); reason != "" {
		return note("I-B02", reason, true)
	}
	if from.direct && read.rule == "" && send == found && b.Get("mimeType").String() == format {
		return b, hygiene.Edit{}
	}
	return picture(b, send), difference(b, from, read.rule, format, send != found)
}

// note returns a text in the place of an image, and why (I-32).
func note(rule, reason string, lossy bool) (*transcript.Block, hygiene.Edit) {
	e := hygiene.Edit{Rule: rule, Lossy: lossy, Synthetic: true, Reason: "image is left out: " + reason}
	return transcript.NewTextBlock(texts.InvalidImage(turns.ImageLabel, reason)), e
}

// misfit says why the target does not take a picture, "" if it does.
func misfit(p Picture, to *policy.Policy) string {
	types := to.Wire.ImageTypes
	if len(types) == 0 {
		types = sendable
	}
	switch {
	case !slices.Contains(types, p.MediaType):
		return "unsupported format " + p.MediaType
	case to.Wire.MaxImageText > 0 && len(p.Data) > to.Wire.MaxImageText:
		return "larger than the target takes"
	}
	return ""
}

// difference says what about a block that cannot stay has to change. spelling is the rule under which its data was read.
func difference(b *transcript.Block, from payload, spelling, mediaType string, reduced bool) hygiene.Edit {
	named := from.declared
	e := hygiene.Edit{Lossy: reduced}
	var facts []string
	for _, f := range []struct {
		holds      bool
		rule, what string
	}{
		{reduced, "I-17", "picture does not fit the target"},
		{!from.direct, "I-B03", "image has the form of another API"},
		{spelling == "I-B03", "I-B03", "image data is no plain base64"},
		{from.direct && named == mediaType && b.Get("mimeType").String() != named, "I-B03", "media type is not in mimeType"},
		{spelling == "W-103", "W-103", "base64 of the image is not canonical"},
		{named == "", "W-102", "image has no media type"},
		{named != "" && named != mediaType, "W-102", "image is declared as " + printable(named) + " and is " + mediaType},
	} {
		if f.holds {
			facts = append(facts, f.what)
			if e.Rule == "" {
				e.Rule = f.rule
			}
		}
	}
	e.Reason = strings.Join(facts, ", ")
	return e
}

// picture returns the block with that picture in the form of I-45. Members that
// nobody knows stay.
func picture(b *transcript.Block, p Picture) *transcript.Block {
	return b.Without("source", "image_url", "mediaType", "media_type").
		With("type", jsonline.Text(string(transcript.TypeImage))).
		With("data", jsonline.Text(p.Data)).
		With("mimeType", jsonline.Text(p.MediaType))
}
