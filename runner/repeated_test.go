package runner

import (
	"fmt"
	"strings"
	"testing"

	"hygeia/emulator"
	"hygeia/internal/casetest"
	"hygeia/internal/texts"
	"hygeia/session"
)

// TestUnrepeated holds R-115: a summary is told once what a user said again within
// a minute, whatever the case and the white space, but not what is short, came
// later, from somebody else, or with a picture.
func TestUnrepeated(t *testing.T) {
	const long = "Please look at the weather in Bern"
	user := func(second int, more, text string) string {
		return fmt.Sprintf(`{"role":"user","content":%s,"timestamp":%d%s}`, text, 1_700_000_000_000+1000*second, more)
	}
	quoted := `"` + long + `"`
	sender := func(name string) string {
		return `"Sender (untrusted metadata):\n` + "```json" + `\n{\"label\":\"` + name + `\"}\n` + "```" + `\n\n` + long + `"`
	}
	for name, test := range map[string]struct {
		lines []string
		left  int
	}{
		"again":         {[]string{user(0, "", quoted), user(60, "", `"`+strings.ReplaceAll(strings.ToUpper(long), " ", `\n `)+`"`)}, 1},
		"as blocks":     {[]string{user(0, "", quoted), user(1, "", `[{"type":"text","text":`+quoted+`}]`)}, 1},
		"and again":     {[]string{user(0, "", quoted), user(50, "", quoted), user(100, "", quoted)}, 1},
		"later":         {[]string{user(0, "", quoted), user(61, "", quoted)}, 2},
		"short":         {[]string{user(0, "", `"yes, go on with it now."`), user(1, "", `"yes, go on with it now."`)}, 2},
		"no time":       {[]string{`{"role":"user","content":` + quoted + `}`, `{"role":"user","content":` + quoted + `}`}, 2},
		"a picture":     {[]string{user(0, "", quoted), user(1, "", `[{"type":"text","text":`+quoted+`},{"type":"image","data":"AAAA","mimeType":"image/png"}]`)}, 2},
		"other session": {[]string{user(0, "", quoted), user(1, `,"provenance":{"kind":"inter_session","sourceSessionKey":"agent:a:main"}`, quoted)}, 2},
		"other sender":  {[]string{user(0, "", sender("Ann")), user(1, "", sender("Bob"))}, 2},
		"same sender":   {[]string{user(0, "", sender("Ann")), user(1, "", sender("Ann"))}, 1},
		"the model":     {[]string{user(0, "", quoted), strings.Replace(user(1, "", quoted), "user", "assistant", 1)}, 2},
	} {
		messages := casetest.Messages(t, []byte(strings.Join(test.lines, "\n")))
		if left := unrepeated(messages); len(left) != test.left || left[0] != messages[0] {
			t.Errorf("%s: %d are left, want %d", name, len(left), test.left)
		}
	}

	told := ""
	b := newBench(t, everyFormat[0], func(r *emulator.Request) *emulator.Answer {
		told += r.Prompt
		return &emulator.Answer{Content: []emulator.Part{{Text: "All of it."}}}
	}, nil)
	messages := casetest.Messages(t, []byte(user(0, "", quoted)+"\n"+
		`{"role":"assistant","content":[{"type":"text","text":"Which Bern?"}],"stopReason":"stop"}`+"\n"+user(9, "", quoted)))
	if _, err := b.Summarise(t.Context(), session.CompactionInput{Messages: messages}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(told, texts.ConversationOpen) || strings.Count(told, long) != 1 {
		t.Errorf("told: %s", told)
	}
}
