package projection

import (
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// isTextType reports whether a block of that type holds words.
func isTextType(t transcript.BlockType) bool {
	return t == "text" || t == "input_text" || t == "output_text"
}

// textOf returns the words of a block; ok is false for a block that is no text.
func textOf(b *transcript.Block) (text string, ok bool) {
	if !isTextType(b.Type()) {
		return "", false
	}
	v := b.Get("text")
	return v.String(), v.IsString()
}

// eachText returns the message with f applied to each of its texts. A
// message that f leaves alone is returned as it is.
func eachText(m *transcript.Message, f func(string) string) *transcript.Message {
	switch m.ContentKind() {
	case transcript.TextContent:
		text := m.Text().String()
		if s := f(text); s != text {
			return m.WithText(s)
		}
	case transcript.ListContent, transcript.SingleContent:
		return eachBlock(m, func(b *transcript.Block) *transcript.Block {
			if text, ok := textOf(b); ok {
				if s := f(text); s != text {
					return b.With("text", jsonline.Text(s))
				}
			}
			return b
		})
	case transcript.NoContent, transcript.NullContent:
		if v := m.Get("text"); v.IsString() { // the older form
			if s := f(v.String()); s != v.String() {
				return m.With("text", jsonline.Text(s))
			}
		}
	}
	return m
}

// eachBlock returns the message with f applied to each block; a block for which
// f returns nil goes.
func eachBlock(m *transcript.Message, f func(*transcript.Block) *transcript.Block) *transcript.Message {
	blocks := m.Blocks()
	var changed []*transcript.Block
	for i, b := range blocks {
		n := f(b)
		if n != b && changed == nil {
			changed = append(make([]*transcript.Block, 0, len(blocks)), blocks[:i]...)
		}
		if n != nil && (changed != nil || n != b) {
			changed = append(changed, n)
		}
	}
	if changed == nil {
		return m
	}
	return m.WithBlocks(changed)
}

// words returns the texts of a message, one below the other.
func words(m *transcript.Message) string {
	var all []string
	eachText(m, func(text string) string {
		all = append(all, text)
		return text
	})
	return strings.Join(all, "\n")
}

// onlyText reports whether the message holds nothing but text.
func onlyText(m *transcript.Message) bool {
	for _, b := range m.Blocks() {
		if _, ok := textOf(b); !ok {
			return false
		}
	}
	return m.ContentKind() != transcript.OtherContent
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }
