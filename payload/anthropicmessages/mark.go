package anthropicmessages

import (
	"hygeia/payload"
	"hygeia/payload/internal/anthropic"
	"hygeia/transcript"
)

// maxMarks is the number of cache markers that a body may hold (AN-28).
const maxMarks = 4

const cacheControl = `,"cache_control":{"type":"ephemeral"}`

// marks says where cache markers go (W-230).
type marks struct {
	system bool
	tools  bool
	text   place // of a user
	result *transcript.Message
}

// place is a block, or content that is a string: then the block is nil. The zero
// place is nowhere.
type place struct {
	message *transcript.Message
	block   *transcript.Block
}

// mark places the markers: stable system prompt, tools, the newest user text or
// image, and, if one is left, the newest tool result. Markers of the caller's
// own tools count.
func (b *builder) mark() {
	if !b.in.Policy.Wire.CacheMarkers {
		return
	}
	left, tools := maxMarks, 0
	for def := range b.in.Options.Tools.Elements() {
		tools++
		if def.Object().Has("cache_control") {
			left--
		}
	}
	if stable, _ := payload.SplitSystem(b.in.Options.System); stable != "" && left > 0 {
		b.marks.system = true
		left--
	}
	if tools > 0 && left > 0 && !b.toolsMarked() {
		b.marks.tools = true
		left--
	}
	if left > 0 && b.markText() {
		left--
	}
	if left > 0 {
		b.markResult()
	}
}

func (b *builder) toolsMarked() bool {
	for def := range b.in.Options.Tools.Elements() {
		if def.Object().Has("cache_control") {
			return true
		}
	}
	return false
}

// markText finds the newest text or image that a user sent. Runtime context is
// never marked: it is not there in the next request.
func (b *builder) markText() bool {
	for i := len(b.Messages) - 1; i >= 0; i-- {
		m := b.Messages[i]
		if b.Gone(i) || !m.Is(transcript.User) || m.CarriesContext() {
			continue
		}
		if anthropic.Says(m.Text()) {
			b.marks.text = place{m, nil}
			return true
		}
		blocks := m.Blocks()
		for j := len(blocks) - 1; j >= 0; j-- {
			if k := blocks[j]; k.Is(transcript.TypeText) && anthropic.Says(k.TextValue()) || isImage(k) {
				b.marks.text = place{m, k}
				return true
			}
		}
	}
	return false
}

func (b *builder) markResult() {
	for i := len(b.Messages) - 1; i >= 0; i-- {
		if !b.Gone(i) && b.Messages[i].Is(transcript.ToolResult) {
			b.marks.result = b.Messages[i]
			return
		}
	}
}
