package provenance

import (
	_ "embed"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/internal/jsonline"
	"hygeia/internal/wrappers"
	"hygeia/transcript"
)

//go:embed doc.go
var doc string

// Pass marks turns from other sessions.
var Pass = &hygiene.Pass{
	Name: "provenance",
	Doc:  hygiene.DocText(doc),
	Rules: []hygiene.Rule{
		{ID: "R-13", Title: "the text of a turn from another session starts with a marker", Synthetic: true},
		{ID: "R-15", Title: "a marker with other fields is replaced", Synthetic: true},
		{ID: "S-B04", Title: "a turn from another session without text is marked by a block of its own", Synthetic: true},
		{ID: "S-B05", Title: "a turn from another session with several texts is closed by a line", Synthetic: true},
	},
	After: []string{"shapes"},
	Run:   run,
}

func run(r *hygiene.Run) {
	for i := range r.Len() {
		m := r.At(i)
		if !m.Get("provenance").Exists() || !m.Is(transcript.User) && !(m.Is(transcript.Custom) && m.SpeaksAsUser() && !m.IsSystem()) {
			continue
		}
		p, ok := m.Provenance()
		if !ok || p.Kind != transcript.InterSession || joined(m) {
			continue
		}
		source := wrappers.Source{SourceSession: p.SourceSessionKey, SourceChannel: p.SourceChannel, SourceTool: p.SourceTool}
		if m.ContentKind() == transcript.ListContent {
			markBlocks(r, i, source)
		} else {
			markText(r, i, source)
		}
	}
}

// joined reports whether the turn was made of several, which were marked before
// they were joined and need not all come from another session (R-B18).
func joined(m *transcript.Message) bool {
	return m.Get("provenance").Object().Get("joined").Bool()
}

// markText marks a turn whose content is a string, or nothing at all (S-B04).
func markText(r *hygiene.Run, i int, source wrappers.Source) {
	text := r.At(i).Text()
	marked, e := annotate(text, source)
	if marked != text.String() {
		r.Replace(i, r.At(i).WithText(marked), e)
	}
}

func markBlocks(r *hygiene.Run, i int, source wrappers.Source) {
	blocks := r.Blocks(i)
	first, last := ends(blocks.All())
	if first < 0 {
		text, e := annotate(jsonline.Value{}, source)
		blocks.Insert(0, transcript.NewTextBlock(text), e)
		blocks.Done()
		return
	}
	b := blocks.All()[first]
	if text, e := annotate(b.TextValue(), source); text != b.Text() {
		blocks.Replace(first, b.WithText(text), e)
	}
	if last > first {
		b := blocks.All()[last]
		if text := wrappers.CloseRouted(b.Text()); text != b.Text() {
			blocks.Replace(last, b.WithText(text), hygiene.Edit{
				Rule: "S-B05", Synthetic: true, Reason: "turn from another session has several texts",
			})
		}
	}
	blocks.Done()
}

// ends returns the first and the last block with a text of the sender that is
// not blank, -1 if there is none. A note in the place of a picture is no such
// text, or the turn would change when it is sanitised again (G-2).
func ends(blocks []*transcript.Block) (first, last int) {
	first = -1
	for j, b := range blocks {
		if b.IsText() && !b.IsBlankText() && !turns.IsImageNote(b) {
			if first < 0 {
				first = j
			}
			last = j
		}
	}
	return first, last
}

// annotate returns the text with its marker, and why.
func annotate(text jsonline.Value, source wrappers.Source) (string, hygiene.Edit) {
	e := hygiene.Edit{Rule: "R-13", Synthetic: true, Reason: "turn from another session has no marker"}
	switch {
	case !text.IsString() || text.Blank():
		e.Rule, e.Reason = "S-B04", "turn from another session has no text"
	case wrappers.HasMarker(text.String()):
		e.Rule, e.Reason = "R-15", "leading marker is not that of the provenance"
	}
	return wrappers.Annotate(text.String(), source), e
}
