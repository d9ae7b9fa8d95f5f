package images

import (
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

// Attached returns the pictures of a list as they go out, and how many were
// dropped because they cannot (I-02). Blocks that are no pictures are dropped
// too. The list is not changed.
func Attached(list []*transcript.Block, label string, l imaging.Limits) (kept []*transcript.Block, dropped int) {
	for _, b := range sanitized(list, label, l) {
		if isImage(b) {
			kept = append(kept, b)
		} else {
			dropped++
		}
	}
	return kept, dropped
}

// Result returns a tool result with its pictures as they go out and without
// blank text, a note in the place of each picture that cannot go (I-02, I-40,
// I-41). It is the same message if nothing has to change.
func Result(m *transcript.Message, label string, l imaging.Limits) *transcript.Message {
	if m.ContentKind() != transcript.ListContent {
		return m
	}
	before := m.Blocks()
	after := sanitized(before, label, l)
	kept := after[:0:0]
	same := true
	for i, b := range after {
		same = same && b == before[i]
		if turns.BlankText(b) {
			same = false
			continue
		}
		kept = append(kept, b)
	}
	if same {
		return m
	}
	if len(kept) == 0 {
		kept = append(kept, transcript.NewTextBlock(texts.OmittedContent))
	}
	return m.WithBlocks(kept)
}

// sanitized returns the blocks with their pictures as they go out.
func sanitized(list []*transcript.Block, label string, l imaging.Limits) []*transcript.Block {
	w := newWalk(l)
	w.label = label
	for _, b := range list {
		w.look(b)
	}
	w.reduce()
	out := make([]*transcript.Block, len(list))
	for i, b := range list {
		out[i], _ = w.result(b)
	}
	return out
}
