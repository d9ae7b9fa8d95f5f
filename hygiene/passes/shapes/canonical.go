package shapes

import (
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// canonical reports whether no step has anything to do on m. It may say no when
// in doubt: it is what makes a clean history cheap.
func canonical(m *transcript.Message) bool {
	switch kind := m.ContentKind(); m.Role() {
	case transcript.ToolResult:
		if kind != transcript.ListContent || !plainID(m.Get("toolCallId")) || !plain(m.Get("toolName")) {
			return false
		}
	case transcript.Assistant:
		if kind != transcript.ListContent {
			return false
		}
	case transcript.User:
		if kind == transcript.TextContent {
			return m.Text().Flags&odd == 0
		}
		if kind != transcript.ListContent {
			return false
		}
	default:
		return false
	}
	for _, b := range m.Blocks() {
		if !canonicalBlock(b) {
			return false
		}
	}
	return true
}

func canonicalBlock(b *transcript.Block) bool {
	switch b.Type() {
	case transcript.TypeText, transcript.TypeThinking:
		return plain(b.TextValue())
	case transcript.TypeToolCall:
		v := b.Get("arguments")
		return v.Kind == jsonline.ObjectKind && !suspicious(v) && plainID(b.Get("id")) && plain(b.Get("name"))
	}
	return b.IsObject() && !b.IsToolCall()
}

func plain(v jsonline.Value) bool { return v.Flags&odd == 0 }

// plainID reports whether v is an id in ASCII with nothing to trim.
func plainID(v jsonline.Value) bool {
	n := len(v.Raw)
	return v.IsString() && v.Flags&(odd|jsonline.FlagEscaped|jsonline.FlagNonASCII) == 0 &&
		n > 2 && v.Raw[1] != ' ' && v.Raw[n-2] != ' ' && string(v.Raw[1:min(n, 4)]) != "fc_"
}
