package transcript

import (
	"fmt"
	"strings"
	"testing"
)

// shorthand: one word per message.
var roundWords = map[string]string{
	"U":        `{"role":"user","content":"u"}`,
	"K":        `{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"f","arguments":{}}]}`,
	"A":        `{"role":"assistant","content":[{"type":"text","text":"a"}]}`,
	"R":        `{"role":"toolResult","toolCallId":"c","content":[]}`,
	"note":     `{"role":"custom","customType":"note","content":"n"}`,
	"context":  `{"role":"custom","customType":"openclaw.runtime-context","content":"c"}`,
	"carrier":  `{"role":"user","content":"c","runtimeContextCarrier":true}`,
	"embedded": `{"role":"user","content":[{"type":"toolResult","toolUseId":"c"}]}`,
	"omitted":  `{"role":"user","content":[{"type":"text","text":"[tool results omitted]"}]}`,
	"text":     `{"role":"user","content":[{"type":"toolResult","toolUseId":"c"},{"type":"text","text":"go on"}]}`,
	"image":    `{"role":"user","content":[{"type":"image"}]}`,
	"empty":    `{"role":"user","content":[]}`,
	"bash":     `{"role":"bashExecution","command":"ls"}`,
	"hidden":   `{"role":"bashExecution","command":"ls","excludeFromContext":true}`,
	"summary":  `{"role":"compactionSummary","summary":"s"}`,
	"odd":      `{"role":"system","content":"s"}`,
	"pictures": `{"role":"user","content":[{"type":"text","text":"Images from the tool result:"},{"type":"image"}]}`,
	"spoken":   `{"role":"user","content":[{"type":"text","text":"Images from the tool result:"},{"type":"image"},{"type":"text","text":"go on"}]}`,
	"wrapped":  `{"role":"user","content":"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nc\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"}`,
	"both":     `{"role":"user","content":"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nc\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\nhi"}`,
	"noted":    `{"role":"user","content":"[tool results omitted]"}`,
	"behind":   `{"role":"user","content":[{"type":"toolResult","toolUseId":"c"},{"type":"text","text":"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nc\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"}]}`,
	"told":     `{"role":"user","content":[{"type":"text","text":"[result of tool f]\nok"},{"type":"cachePoint"}]}`,
	"failure":  `{"role":"user","content":[{"type":"text","text":"[error of tool f]\nno"},{"type":"image"},{"type":"text","text":"go on"}]}`,
}

func roundList(t *testing.T, line string) []*Message {
	t.Helper()
	var r Reader
	var list []*Message
	for _, word := range strings.Fields(line) {
		m, err := r.Message([]byte(roundWords[word]))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	return list
}

// D-31: all turns behind the last user turn that does not follow a result.
func TestRoundStart(t *testing.T) {
	for _, c := range []struct {
		list string
		want int
	}{
		{"", 0},
		{"U", 1},
		{"U A", 2},
		{"U K", 2}, // the results are not there yet
		{"U K R", 1},
		{"U K R K R", 1},
		{"U A U K R K R", 3},
		{"U K R U", 1}, // the text belongs to the turn of the results
		{"U K R U U", 1},
		{"U K R A U", 5},
		{"U K R U K R", 1}, // a user turn in the middle of the round
		{"U K R U U K R", 1},
		{"U A U U K R", 4},
		{"K R", 0},
		{"U K R note", 1}, // goes out as a user turn
		{"U A note K R", 3},
		{"U A bash K R", 3},
		{"U A hidden K R", 1}, // does not go out
		{"summary K R", 1},
		{"U context K R", 1},
		{"U K R carrier", 1},
		{"U K R odd", 1},
		{"U K R embedded", 1},
		{"U A embedded K R", 3}, // goes out as a user turn
		{"U K R pictures K R", 1},
		{"U A told", 1}, // results told in words (W-707)
		{"U A U A told A failure", 3},
		{"U A told A", 4},
	} {
		if got := RoundStart(roundList(t, c.list)); got != c.want {
			t.Errorf("%q: got %d, want %d", c.list, got, c.want)
		}
	}
}

// R-B05, W-422: any user turn ends the round; every call in it that is followed
// by a result keeps its reasoning.
func TestChatRound(t *testing.T) {
	for _, c := range []struct{ list, want string }{
		{"", "0 0"},
		{"U", "1 1"},
		{"U K", "1 1"},
		{"U K R", "1 3"},
		{"U K R K R", "1 5"},
		{"U K R A", "1 3"},
		{"U K R U", "4 4"},
		{"U K R note", "4 4"},
		{"U K R bash", "4 4"},
		{"U K R hidden", "1 3"},
		{"U K R context", "1 3"},
		{"U K R carrier", "1 3"},
		{"U K R embedded", "1 3"},
		{"U K R omitted", "1 3"},
		{"U K R text", "4 4"},
		{"U K R image", "4 4"},
		{"U K R empty", "4 4"},
		{"U K R odd K R", "1 6"},
		{"U K R pictures", "1 3"}, // the converter's own turn (W-406)
		{"U K R pictures K R", "1 6"},
		{"U K R spoken", "4 4"},
		{"U K R wrapped", "1 3"}, // runtime context in a request
		{"U K R both", "4 4"},
		{"U K R noted", "1 3"},
		{"U K R behind", "1 3"}, // runtime context behind results
	} {
		from, to := ChatRound(roundList(t, c.list))
		if got := fmt.Sprint(from, to); got != c.want {
			t.Errorf("%q: got %s, want %s", c.list, got, c.want)
		}
	}
}

// runtime context in a user turn is marked, or all of the text says so; pictures
// may stand behind it.
func TestCarriesContext(t *testing.T) {
	const context = `{"type":"text","text":"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nc\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"}`
	for content, want := range map[string]bool{
		`"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nc\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"`:     true,
		`"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nc\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\nhi"`: false,
		`"CONTEXT>>>"`:                                  false,
		`[` + context + `]`:                             true,
		`[` + context + `,{"type":"image"}]`:            true,
		`[{"type":"image"},` + context + `]`:            false,
		`[` + context + `,{"type":"text","text":"hi"}]`: false,
		`[{"type":"text","text":"hi"},` + context + `]`: false,
		`[{"type":"image"}]`:                            false,
		`[]`:                                            false,
	} {
		if got := read(t, `{"role":"user","content":`+content+`}`).CarriesContext(); got != want {
			t.Errorf("%s: %v", content, got)
		}
	}
}
