package images

import (
	"context"
	"fmt"

	"hygeia/hygiene/passes/internal/turns"
	"hygeia/imaging"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// The labels of notes at the places where a runtime takes pictures in (I-02).
const (
	PromptLabel = "prompt:images" // attached to a prompt
	AsideLabel  = "btw:context"   // of a side conversation
)

// ReadLabel is the label for a file that a tool has read.
func ReadLabel(path string) string { return "read:" + path }

// Attached returns those pictures of a list that can go out, as they go out
// (I-02), and a note on each that was changed or dropped. Blocks that are no
// pictures are dropped too. The list is not changed. The error is that of the
// context.
func Attached(ctx context.Context, list []*transcript.Block, label string, l imaging.Limits) (kept []*transcript.Block, notes []string, err error) {
	w, err := walked(ctx, list, label, l)
	for i, b := range list {
		out, e := w.result(b)
		what := "changed"
		if isImage(out) {
			kept = append(kept, out)
		} else {
			what = "dropped"
		}
		if out != b {
			notes = append(notes, fmt.Sprintf("attached picture %d was %s: %s", i+1, what, e.Reason))
		} else if !isImage(b) {
			notes = append(notes, fmt.Sprintf("attachment %d was dropped: it is no picture", i+1))
		}
	}
	return kept, notes, err
}

// Result returns a tool result with its pictures as they go out and without
// blank text, a note in the place of each picture that cannot go (I-02, I-40,
// I-41). It is the same message if nothing has to change. The error is that of
// the context.
func Result(ctx context.Context, m *transcript.Message, label string, l imaging.Limits) (*transcript.Message, error) {
	if m.ContentKind() != transcript.ListContent {
		return m, nil
	}
	w, err := walked(ctx, m.Blocks(), label, l)
	if err != nil {
		return nil, err
	}
	var kept []*transcript.Block
	same := true
	for _, before := range m.Blocks() {
		b, _ := w.result(before)
		same = same && b == before
		if turns.BlankText(b) {
			same = false
			continue
		}
		kept = append(kept, b)
	}
	if same {
		return m, nil
	}
	if len(kept) == 0 {
		kept = append(kept, transcript.NewTextBlock(texts.OmittedContent))
	}
	return m.WithBlocks(kept), nil
}

// walked is a walk over one list that has come to its end. The error is that of
// the context.
func walked(ctx context.Context, list []*transcript.Block, label string, l imaging.Limits) (*walk, error) {
	w := newWalk(ctx, l)
	w.label = label
	for _, b := range list {
		w.look(b)
	}
	w.reduce()
	return w, ctx.Err()
}
