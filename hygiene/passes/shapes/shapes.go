package shapes

import (
	_ "embed"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/transcript"
)

//go:embed doc.go
var doc string

// Pass brings messages and blocks into their canonical form.
var Pass = &hygiene.Pass{
	Name: "shapes",
	Doc:  hygiene.DocText(doc),
	Rules: []hygiene.Rule{
		{ID: "R-B14", Title: "elements of lists that are no objects are removed", Lossy: true},
		{ID: "R-22", Title: "the content of a turn becomes a list of blocks", Lossy: true},
		{ID: "R-B10", Title: "the content of a tool result becomes a list of blocks", Lossy: true},
		{ID: "R-B08", Title: "tool calls and tool results get their canonical type and members"},
		{ID: "W-110", Title: "arguments of a tool call become an object", Lossy: true},
		{ID: "W-120", Title: "lone surrogates, U+0000 and invalid UTF-8 are taken out of strings", Lossy: true},
	},
	Run: run,
}

// steps are applied to every message in this order; each finds what the ones
// before it made.
var steps = []func(*hygiene.Run, int){elements, shape, calls, arguments, resultID, legal}

func run(r *hygiene.Run) {
	for i := range r.Len() {
		if !r.At(i).IsObject() {
			r.Drop(i, hygiene.Edit{Rule: "R-B14", Lossy: !isNull(r.At(i)), Reason: "message is no object"})
			continue
		}
		if !canonical(r.At(i)) {
			for _, step := range steps {
				step(r, i)
			}
		}
	}
}

func isNull(m *transcript.Message) bool { return string(m.AppendJSON(nil)) == "null" }

// elements removes what is no object from the content (R-B14).
func elements(r *hygiene.Run, i int) {
	turns.Rewrite(r, i, func(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
		if b.IsObject() {
			return b, hygiene.Edit{}
		}
		return nil, hygiene.Edit{Rule: "R-B14", Lossy: !b.IsNull(), Reason: "content block is no object"}
	})
}

// shape makes a list of the content (R-22, R-B10). The content of a user turn
// may be a string; what is neither is left to the pass that looks for blank
// turns.
func shape(r *hygiene.Run, i int) {
	m := r.At(i)
	kind := m.ContentKind()
	if kind == transcript.ListContent {
		return
	}
	e := hygiene.Edit{Rule: "R-22"}
	switch m.Role() {
	case transcript.Assistant:
	case transcript.ToolResult:
		e.Rule = "R-B10"
	case transcript.User, transcript.Custom:
		if kind != transcript.SingleContent {
			return
		}
	default:
		return
	}
	blocks := m.Blocks()
	if kind == transcript.TextContent {
		blocks = []*transcript.Block{transcript.NewTextBlockValue(m.Text())}
	}
	e.Reason = "content is " + kinds[kind] + ", not a list of blocks"
	e.Lossy = kind == transcript.OtherContent
	r.Replace(i, m.WithBlocks(blocks), e)
}

var kinds = map[transcript.ContentKind]string{
	transcript.NoContent:     "missing",
	transcript.NullContent:   "null",
	transcript.TextContent:   "a string",
	transcript.SingleContent: "a single object",
	transcript.OtherContent:  "a number or a boolean",
}
