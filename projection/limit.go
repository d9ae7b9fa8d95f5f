package projection

import (
	"strings"

	"github.com/rivo/uniseg"

	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// limit cuts texts and thinking that are too long (X-49, X-53, X-B15). Calls of tools
// and their results are exempt. The Meta says so, with the length of the longest one.
func (p *Projector) limit(m *transcript.Message) *transcript.Message {
	if p.o.MaxText <= 0 || m.Is(transcript.ToolResult) {
		return m
	}
	longest := 0
	cut := func(text string) string {
		short, length := cutText(text, p.o.MaxText)
		if length > longest && short != text {
			longest = length
		}
		return short
	}
	m = eachText(m, cut)
	m = eachBlock(m, func(b *transcript.Block) *transcript.Block {
		for _, name := range []string{"thinking", "reasoning"} {
			if v := b.Get(name); v.IsString() {
				if short := cut(v.String()); short != v.String() {
					b = b.With(name, jsonline.Text(short))
				}
			}
		}
		return b
	})
	if longest == 0 {
		return m
	}
	return note(m, func(o jsonline.Object) jsonline.Object {
		return o.With("truncated", jsonline.Bool(true)).With("fullLength", jsonline.Int(longest))
	})
}

// Cut returns a text that is longer than n characters cut to them, with a line that
// says so. A character is what people take for one; n below 1 cuts nothing.
func Cut(text string, n int) string {
	if n <= 0 {
		return text
	}
	short, _ := cutText(text, n)
	return short
}

// cutText returns the first n characters of text, with a line that says so, and
// how many there were. A character is what people take for one.
func cutText(text string, n int) (short string, length int) {
	if len(text) <= n || strings.HasSuffix(text, texts.ShownTruncated) {
		return text, 0
	}
	length = uniseg.GraphemeClusterCount(text)
	if length <= n {
		return text, length
	}
	rest, state := text, -1
	for range n {
		_, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
	}
	return text[:len(text)-len(rest)] + "\n" + texts.ShownTruncated, length
}
