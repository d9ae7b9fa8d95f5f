package pairs

import (
	"fmt"
	"strings"
	"testing"

	"hygeia/transcript"
)

// R-B01, R-77: which calls have a real result. An upper-case word is a turn with
// calls of those ids ("A:ab" has two), "a" a real result, "-a" a stand-in, "?"
// a result without id, "?g" one that names the tool g, "U" a user turn. The
// wanted string has + or - for each call.
func TestReal(t *testing.T) {
	for list, want := range map[string]string{
		"A:a":             "-",
		"A:a a":           "+",
		"A:a -a":          "-",
		"A:a -a a":        "+",
		"A:a a -a":        "+",
		"A:a A:a a":       "-+", // 2026.7 gave it to the first
		"A:a a A:a a":     "++",
		"A:a A:a a a":     "++",  // as with a turn of other calls in front of the last
		"A:a A:a a A:b a": "++-", // G-2: whether that turn stays must not matter
		"A:a A:a A:a a a": "--+", // of two earlier calls nobody knows which
		"A:aa a":          "+-",
		"A:aa a a":        "++",
		"A:aa -a a":       "-+",
		"A:aa -a a a":     "++",
		"A:ab b a":        "++",
		"A:a A:b b a":     "++",  // displaced
		"A:a -a A:b a":    "+-",  // a stand-in gives way to a displaced result
		"A:a A:b b -a a":  "++",  // a displaced stand-in too
		"A:a A:a A:b a":   "---", // two calls are left: nobody can say whose it is
		"A:a a A:a A:b a": "++-",
		"A:a U a":         "+",
		"a A:a":           "-", // never for a later call
		"A:a A:b a a":     "+-",
		"A:a ?":           "+",
		"A:ab ?":          "--",
		"A:a a ?":         "+",
		"A:a ?g":          "-",
		"A:a ? a":         "+",
	} {
		if got := match(t, list); got != want {
			t.Errorf("%q: got %s, want %s", list, got, want)
		}
	}
}

func match(t *testing.T, line string) string {
	t.Helper()
	var r transcript.Reader
	var list []*transcript.Message
	for _, word := range strings.Fields(line) {
		text := `{"role":"user","content":"u"}`
		id := strings.TrimPrefix(word, "-")
		switch {
		case word == "U":
		case strings.HasPrefix(word, "A:"):
			var calls []string
			for _, id := range word[2:] {
				calls = append(calls, fmt.Sprintf(`{"type":"toolCall","id":"%c","name":"f","arguments":{}}`, id))
			}
			text = `{"role":"assistant","content":[` + strings.Join(calls, ",") + `]}`
		case word[0] == '?':
			text = fmt.Sprintf(`{"role":"toolResult","toolName":%q,"content":"x"}`, word[1:])
		case id != word:
			text = fmt.Sprintf(`{"role":"toolResult","toolCallId":%q,"content":"aborted","isError":true}`, id)
		default:
			text = fmt.Sprintf(`{"role":"toolResult","toolCallId":%q,"content":"x"}`, id)
		}
		m, err := r.Message([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	table := Match(list)
	var b strings.Builder
	for i, m := range list {
		for j := range m.Blocks() {
			if !m.Is(transcript.Assistant) {
				continue
			}
			if table.Real(i, j) {
				b.WriteByte('+')
			} else {
				b.WriteByte('-')
			}
		}
	}
	return b.String()
}
