package hygeia_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hygeia"
)

// past replays messages, one per line, each with an entry id as in a file, and
// returns the texts that go out and the rules of the report.
func past(t *testing.T, h *hygeia.Past, lines string) (list []string, rules map[string]int) {
	t.Helper()
	var file strings.Builder
	file.WriteString(`{"type":"session","version":3,"id":"s","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/"}` + "\n")
	parent := "null"
	for i, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		fmt.Fprintf(&file, `{"type":"message","id":"e%d","parentId":%s,"timestamp":"2026-03-01T10:00:00.000Z","message":%s}`+"\n", i, parent, line)
		parent = fmt.Sprintf(`"e%d"`, i)
	}
	tr, err := hygeia.Read(strings.NewReader(file.String()), "t", hygeia.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := tr.Replay(hygeia.Target{Provider: "openai", Model: "gpt-5.1"}, hygeia.ReplayOptions{Past: h})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Messages {
		text := m.Text().String()
		for _, b := range m.Blocks() {
			text += b.Text() + b.Name()
		}
		list = append(list, text)
	}
	return list, r.Report.Counts()
}

// TestHeartbeats holds R-96: only what nobody saw goes.
func TestHeartbeats(t *testing.T) {
	const (
		beat   = `{"role":"user","content":"[heartbeat poll]"}`
		custom = `{"role":"user","content":"Look around, then rest."}`
		ask    = `{"role":"user","content":"hi"}`
		hello  = `{"role":"assistant","content":[{"type":"text","text":"hello"}],"stopReason":"stop"}`
		ok     = `{"role":"assistant","content":[{"type":"text","text":"HEARTBEAT_OK"}],"stopReason":"stop"}`
		news   = `{"role":"assistant","content":[{"type":"text","text":"The disk is full!"}],"stopReason":"stop"}`
		call   = `{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"read","arguments":{}}],"stopReason":"toolUse"}`
		result = `{"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"r"}]}`
		quiet  = `{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"heartbeat_respond","arguments":{}}],"stopReason":"toolUse"}`
		loud   = `{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"heartbeat_respond","arguments":{"notify":true}}],"stopReason":"toolUse"}`
	)
	for name, test := range map[string]struct {
		lines []string
		left  int // messages besides the last question
		drops int
	}{
		"answered with nothing": {[]string{ask, hello, beat, ok}, 2, 2},
		"tools between":         {[]string{ask, hello, beat, call, result, ok}, 2, 4},
		"by the tool":           {[]string{ask, hello, beat, quiet, result}, 2, 3},
		"by the tool, loudly":   {[]string{ask, hello, beat, loud, result}, 5, 0},
		"somebody saw it":       {[]string{ask, hello, beat, news}, 4, 0},
		"configured":            {[]string{ask, hello, custom, ok}, 2, 2},
		"no heartbeat":          {[]string{ask, hello, ask, ok}, 4, 0},
	} {
		lines := strings.Join(append(test.lines, `{"role":"user","content":"last"}`), "\n")
		list, rules := past(t, &hygeia.Past{Heartbeat: "Look around"}, lines)
		if len(list) != test.left+1 || rules["R-96"] != test.drops {
			t.Errorf("%s: %q, %v", name, list, rules)
		}
	}
	if list, _ := past(t, nil, strings.Join([]string{ask, hello, beat, ok, ask}, "\n")); len(list) != 5 {
		t.Errorf("nobody asked: %q", list)
	}
	if list, _ := past(t, &hygeia.Past{}, strings.Join([]string{ask, hello, beat}, "\n")); len(list) != 3 {
		t.Errorf("the heartbeat that is being answered: %q", list)
	}
}

// TestHistoryLimit holds R-97, its worked example among others.
func TestHistoryLimit(t *testing.T) {
	const lines = `{"role":"compactionSummary","summary":"S"}
{"role":"user","content":"U1"}
{"role":"assistant","content":[{"type":"text","text":"A1"}],"stopReason":"stop"}
{"role":"user","content":"U2"}
{"role":"assistant","content":[{"type":"text","text":"A2"}],"stopReason":"stop"}
{"role":"user","content":"U3"}`
	for limit, want := range map[int]string{0: "S U1 A1 U2 A2 U3", 1: "S U3", 2: "S U2 A2 U3", 3: "S U1 A1 U2 A2 U3", 9: "S U1 A1 U2 A2 U3"} {
		list, rules := past(t, &hygeia.Past{Limit: limit}, lines)
		got := strings.Join(list, " ")
		if i := strings.Index(got, "S\n"); i >= 0 { // the summary has its frame
			got = "S " + strings.Join(list[1:], " ")
		}
		if got != want || rules["R-97"] != strings.Count("S U1 A1 U2 A2 U3", " ")-strings.Count(want, " ") {
			t.Errorf("limit %d: %q, %v; want %q", limit, got, rules, want)
		}
	}
}

// TestPairedBehindTheLimit holds R-98: what the limit parts is paired again. The
// result of a call that went with its turn goes too, and a call whose result the
// limit left behind keeps it.
func TestPairedBehindTheLimit(t *testing.T) {
	const lines = `{"role":"user","content":"U1"}
{"role":"assistant","content":[{"type":"toolCall","id":"call_1","name":"f","arguments":{}}],"stopReason":"toolUse"}
{"role":"user","content":"U2"}
{"role":"toolResult","toolCallId":"call_1","toolName":"f","content":[{"type":"text","text":"R1"}]}
{"role":"assistant","content":[{"type":"toolCall","id":"call_2","name":"g","arguments":{}}],"stopReason":"toolUse"}`
	for limit, want := range map[int]string{1: "U2 g aborted", 2: "U1 f R1 U2 g aborted"} {
		list, rules := past(t, &hygeia.Past{Limit: limit}, lines)
		if got := strings.Join(list, " "); got != want || rules["R-73"] != 2-limit || rules["R-72"] != limit {
			t.Errorf("limit %d: %q, %v; want %q", limit, got, rules, want)
		}
	}
}

// TestStamps holds X-07 and S-04: which turns get their time, which do not, and that
// it stays the same when turns are added (G-5).
func TestStamps(t *testing.T) {
	zone := time.FixedZone("CET", 3600)
	h := &hygeia.Past{Zone: zone}
	const when = `,"timestamp":1772359200000}`
	for text, want := range map[string]string{
		`{"role":"user","content":"hi"` + when:                                       "[Sun 2026-03-01 11:00 CET] hi",
		`{"role":"user","content":[{"type":"text","text":"hi"}]` + when:              "[Sun 2026-03-01 11:00 CET] hi",
		`{"role":"user","content":"[todo] milk"` + when:                              "[Sun 2026-03-01 11:00 CET] [todo] milk",
		`{"role":"user","content":"[Telegram Ada 2026-01-05 09:30] hi"` + when:       "[Telegram Ada 2026-01-05 09:30] hi",
		`{"role":"user","content":"Current time: 9"` + when:                          "Current time: 9",
		`{"role":"user","content":"hi"}`:                                             "hi",
		`{"role":"user","content":"hi","provenance":{"kind":"inter_session"}` + when: "hi",
		`{"role":"user","content":"hi","provenance":{"kind":"external_user"}` + when: "[Sun 2026-03-01 11:00 CET] hi",
	} {
		alone, rules := past(t, h, text)
		if got := alone[0]; got != want && !(strings.HasPrefix(got, "[Inter-session") && strings.HasSuffix(got, want)) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
		if (rules["X-07"] == 1) != strings.HasPrefix(want, "[Sun") {
			t.Errorf("%s: %v", text, rules)
		}
		longer, _ := past(t, h, text+"\n"+`{"role":"assistant","content":[{"type":"text","text":"a"}],"stopReason":"stop"}`+"\n"+`{"role":"user","content":"more"`+when)
		if longer[0] != alone[0] && !strings.Contains(text, "Telegram") {
			t.Errorf("%s: %q, with another turn %q", text, alone[0], longer[0])
		}
	}
}
