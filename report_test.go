package hygeia

import (
	"strings"
	"testing"
)

// toClaude reads a list of messages and replays it to Claude.
func toClaude(t *testing.T, list string) (*Transcript, *Replay) {
	t.Helper()
	read, err := Read(strings.NewReader(list), "test", OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := read.Replay(Target{Provider: "anthropic", Model: "claude-sonnet-4-5"}, ReplayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return read, r
}

// A side of a change that is too long to be shown is cut between characters.
func TestReportCutsBetweenCharacters(t *testing.T) {
	input := `{"role":"user","content":"x` + strings.Repeat("あ", 900) + `\ud83d"}`
	read, r := toClaude(t, input)
	printed, err := read.ReportJSON(r)
	if err != nil {
		t.Fatal(err)
	}
	if s := string(printed); !strings.Contains(s, "あ… (2701 bytes)") || strings.Contains(s, "\ufffd") {
		t.Errorf("cut inside of a character: %s", s)
	}
}

// Both sides of a change can be told apart, also where what was taken out (W-120)
// is no text.
func TestReportShowsWhatIsNoText(t *testing.T) {
	for in, want := range map[string]string{
		`a\ud83d`:                     `a\\ud83d`,
		`\ude00a\ud83d\ude00`:         `\\ude00a😀`,
		`\ud83d\ud83d\ude00\"\\ud83d`: `\\ud83d😀\"\\ud83d`,
		"a\xffb\xed\xa0\x80":          `a\\xffb\\xed\\xa0\\x80`,
	} {
		read, r := toClaude(t, `[{"role":"user","content":"`+in+`"}]`)
		printed, err := read.ReportJSON(r)
		if err != nil || !strings.Contains(string(printed), `"before":{"role":"user","content":"`+want+`"}`) {
			t.Errorf("%s: want %s in\n%s, %v", in, want, printed, err)
		}
	}
}

// What a provider says of turns that stand side by side names the role that they
// have (AN-01).
func TestExplainNamesTheRole(t *testing.T) {
	const turns = `{"role":"user","content":"a"}
{"role":"user","content":"b"}
{"role":"assistant","content":[{"type":"text","text":"c"}]}
{"role":"assistant","content":[{"type":"text","text":"d"}]}
{"role":"user","content":"e"}`
	_, r := toClaude(t, turns)
	list := r.Explain()
	if len(list) != 2 || !strings.Contains(list[0].AnswerText, `multiple "user" roles`) || !strings.Contains(list[1].AnswerText, `multiple "assistant" roles`) {
		t.Errorf("%+v", list)
	}
}
