package tui

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"

	"hygeia/transcript"
)

// bare returns the lines of a message without colours.
func bare(t *testing.T, text string, show Show) string {
	t.Helper()
	var r transcript.Reader
	m, err := r.Message([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return sequences.ReplaceAllString(strings.Join(Lines(m, 40, show), "\n"), "")
}

func TestLines(t *testing.T) {
	call := `{"role":"assistant","content":[{"type":"thinking","thinking":"I wonder"},{"type":"text","text":"I look."},{"type":"toolCall","id":"c","name":"read","arguments":{"path":"a-rather-long-name-of-a-file.txt"}}]}`
	result := `{"role":"toolResult","toolCallId":"c","toolName":"read","isError":true,"content":[{"type":"text","text":"line 1\nline 2"},{"type":"image","mimeType":"image/png","bytes":12}]}`
	for _, c := range []struct {
		name, text string
		show       Show
		want       string
	}{
		{"folded call", call, Show{}, "assistant\n  ┊ I wonder\n  I look.\n  ▸ read {\"path\":\"a-rather-long-name-of…"},
		{"opened call", call, Show{Tools: true}, "assistant\n  ┊ I wonder\n  I look.\n  ▾ read\n    {\"path\":\"a-rather-long-name-of-a-\n    file.txt\"}"},
		{"folded result", result, Show{}, "  ▸ read failed, 3 lines: line 1"},
		{"opened result", result, Show{Tools: true}, "  ▾ read failed, 3 lines\n    line 1\n    line 2\n    [image image/png 12 characters of\n    base64]"},
		{"divider", `{"role":"system","content":"compacted","__openclaw":{"kind":"compaction"}}`, Show{}, "────────────── compacted ──────────────"},
		{"note", `{"role":"system","content":"restarted","__openclaw":{"kind":"note"}}`, Show{}, "∙ restarted"},
		{"a command is a note (H-60)", `{"role":"assistant","content":"status: fine","command":true}`, Show{}, "∙ status: fine"},
		{"sender", `{"role":"user","content":"hi","senderLabel":"Kim\u001b[2J\u202e"}`, Show{}, "Kim\\u202e\n  hi"},
		{"a cut text says so", `{"role":"user","content":"hi","__openclaw":{"truncated":true,"fullLength":9000}}`, Show{}, "user\n  hi\n  [cut: the whole has 9000 characters; /export writes it]"},
		{"from right to left (H-61)", `{"role":"user","content":"abc\nשלום"}`, Show{}, "user\n  abc\n  " + isolate + "שלום" + endIsolate},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := bare(t, c.text, c.show); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// A result of any size has bounded lines and says what is left out.
func TestLargeResult(t *testing.T) {
	text := `{"role":"toolResult","toolCallId":"c","toolName":"read","content":"` + strings.Repeat("é ", 1<<20) + `"}`
	got := bare(t, text, Show{Tools: true})
	if n := strings.Count(got, "\n"); n > 3000 || !strings.HasSuffix(got, "bytes more; /export writes all]") || strings.Contains(got, "\uFFFD") {
		t.Errorf("%d lines, the last one %s", n, got[strings.LastIndex(got, "\n"):])
	}
	if got := bare(t, text, Show{}); lipgloss.Width(got) > 40 {
		t.Errorf("folded: %s", got)
	}
}
