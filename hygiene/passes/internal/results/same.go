package results

import (
	"bytes"

	"hygeia/transcript"
)

// Same reports whether two messages have the same content in the same spelling.
func Same(a, b *transcript.Message) bool {
	if a.ContentKind() != b.ContentKind() || len(a.Blocks()) != len(b.Blocks()) {
		return false
	}
	if a.ContentKind() == transcript.TextContent {
		return bytes.Equal(a.Text().Raw, b.Text().Raw)
	}
	for i, block := range a.Blocks() {
		if !SameBlock(block, b.Blocks()[i]) {
			return false
		}
	}
	return true
}

// SameBlock reports whether two blocks have the same spelling.
func SameBlock(a, b *transcript.Block) bool {
	if a.IsObject() && b.IsObject() {
		return a.Members().Equal(b.Members())
	}
	return bytes.Equal(a.AppendJSON(nil), b.AppendJSON(nil))
}
