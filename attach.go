package hygeia

import (
	"context"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/images"
	"hygeia/imaging"
	"hygeia/internal/jsonline"
	"hygeia/policy"
	"hygeia/transcript"
)

// MaxPicture is the largest picture that is looked at, in bytes (D-06).
const MaxPicture = imaging.MaxInput

// Picture returns a file as the block of a picture, for a prompt or for the
// result of a tool. The error says why the file is no picture that can be sent
// anywhere; whether it is too large for a target, and what becomes of it then, is
// decided by the replay.
func Picture(file []byte) (*transcript.Block, error) {
	r, err := imaging.Read(imaging.Encode(file), "")
	if err != nil {
		return nil, err
	}
	return transcript.NewBlock(transcript.TypeImage).
		With("data", jsonline.Text(r.Data)).
		With("mimeType", jsonline.Text(r.MediaType)), nil
}

// attach puts the pictures of the prompt into the form in which they go out, as
// a run does before it stores the turn (I-02, D-17).
func (o *ReplayOptions) attach(ctx context.Context, to *policy.Policy, report *hygiene.Report) error {
	if len(o.Attach) == 0 || !to.Model.Images { // W-101 says so in their place
		return nil
	}
	kept, notes, err := images.Attached(ctx, o.Attach, images.PromptLabel, images.Limits(o.Images, to))
	o.Attach = kept
	for _, n := range notes {
		report.Note(n)
	}
	return err
}

// turn returns the turn of the prompt, nil if there is none.
func (o *ReplayOptions) turn() *transcript.Message {
	switch {
	case len(o.Attach) == 0 && o.Prompt == "":
		return nil
	case len(o.Attach) == 0:
		return transcript.NewText(transcript.User, o.Prompt)
	}
	var content []*transcript.Block
	if o.Prompt != "" {
		content = append(content, transcript.NewTextBlock(o.Prompt))
	}
	return transcript.New(transcript.User, append(content, o.Attach...)...)
}
