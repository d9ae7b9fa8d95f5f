package hygeia

import (
	"regexp"
	"strings"
	"testing"

	"hygeia/check"
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// No answer shows a word that stands for a value, and each has the places and ids
// that the change tells.
func TestAnswerText(t *testing.T) {
	call := transcript.NewBlock(transcript.TypeToolCall).With("id", jsonline.Text("call|1"))
	open := regexp.MustCompile(`[.\[](?:N|M)\b|(?:^|[^A-Za-z-])(?:N|M|X|L|NAME|MODEL)(?:[^A-Za-z-]|$)`)
	for rule, families := range answers {
		for family, id := range families {
			r := check.Lookup(id)
			if r == nil {
				t.Fatalf("%s %s: no rule %s", rule, family, id)
			}
			if len(r.Messages) == 0 {
				continue
			}
			for _, c := range []*hygiene.Change{{Rule: rule, Message: 3, Block: 1, Before: call}, {Rule: rule, Message: -1, Block: -1}} {
				text := answerText(r.Messages[0], c, c.Message, "gpt-5.1")
				if open.MatchString(text) || strings.Contains(text, ": ID") {
					t.Errorf("%s %s: %s", rule, id, text)
				}
			}
		}
	}
	for _, c := range []struct{ rule, answer, want string }{
		{"R-60", "AN-08", "messages.3.content.1.tool_use.id: String should match pattern"},
		{"R-61", "MI-01", "Tool call id was call|1 but must be"},
		{"R-80", "OR-06", "Invalid 'input[3].id': 'call|1'. Expected an ID that begins with"},
		{"R-60", "CC-05", "but got a string with length 6 instead"},
		{"W-120", "AN-27", "line 1 column … (char …)"},
		{"R-72", "AN-03", "messages.3: `tool_use` ids were found without `tool_result` blocks immediately after: call|1."},
	} {
		text := answerText(check.Lookup(c.answer).Messages[0], &hygiene.Change{Rule: c.rule, Message: 3, Block: 1, Before: call}, 3, "m")
		if !strings.Contains(text, c.want) {
			t.Errorf("%s %s: %s", c.rule, c.answer, text)
		}
	}
}
