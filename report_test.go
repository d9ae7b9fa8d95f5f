package hygeia

import (
	"strings"
	"testing"
)

// A side of a change that is too long to be shown is cut between characters.
func TestReportCutsBetweenCharacters(t *testing.T) {
	input := `{"role":"user","content":"x` + strings.Repeat("あ", 900) + `\ud83d"}`
	read, err := Read(strings.NewReader(input), "test", OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := read.Replay(Target{Provider: "anthropic", Model: "claude-sonnet-4-5"}, ReplayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	printed, err := read.ReportJSON(r)
	if err != nil {
		t.Fatal(err)
	}
	if s := string(printed); !strings.Contains(s, "あ… (2701 bytes)") || strings.Contains(s, "\ufffd") {
		t.Errorf("cut inside of a character: %s", s)
	}
}
