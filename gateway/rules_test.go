package gateway

import (
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"hygeia/emulator"
	"hygeia/internal/jsonline"
	"hygeia/session"
)

// H-10: 200 messages and texts of 8 000 characters where nothing is said, and what is
// being answered.
func TestHistoryByDefault(t *testing.T) {
	b := newBench(t, emulator.Script(emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{{Text: strings.Repeat("word ", 2_000)}}, Pace: 5 * time.Millisecond}}), nil)
	lines := turns(250)
	lines[249] = strings.Replace(lines[249], `"content":"250"`, `"content":"`+strings.Repeat("a", 8_001)+`"`, 1)
	b.file("k", lines...)
	var p struct {
		shownPage
		InFlightRun *struct{ RunID, Text string }
	}
	b.want(200, "GET", "/sessions/k/history", "", &p)
	last := fmt.Sprint(p.Messages[len(p.Messages)-1].Content)
	if len(p.Messages) != 200 || !p.HasMore || p.InFlightRun != nil || !strings.HasPrefix(last, strings.Repeat("a", 8_000)+"\n...") {
		t.Errorf("%d messages, %v, the last %.80q", len(p.Messages), p.InFlightRun, last)
	}
	b.want(202, "POST", "/sessions/k/messages", `{"message":"tell","idempotencyKey":"a"}`, nil)
	for p.InFlightRun == nil || p.InFlightRun.Text == "" {
		b.want(200, "GET", "/sessions/k/history", "", &p)
	}
	if p.InFlightRun.RunID != "a" || !strings.HasPrefix(p.InFlightRun.Text, "word") {
		t.Errorf("%+v", p.InFlightRun)
	}
	b.want(200, "DELETE", "/sessions/k/runs/a", "", nil)
	b.wait("k", "a")
}

// H-B06, H-B10, X-72, X-B02: the parameters mean the same for a page, for a stream and for
// one message. H-16, H-B09: none of them shows what a program wrote around the words.
func TestShowParameters(t *testing.T) {
	b := newBench(t, nil, nil)
	b.file("k", `{"type":"message","id":"a","parentId":null,"message":{"role":"assistant","stopReason":"toolUse","content":[{"type":"thinking","thinking":"THOUGHT"},{"type":"text","text":"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nWRAPPED\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\n\nwords <think>PROSE</think> and more words"},{"type":"toolCall","id":"c","name":"TOOL","arguments":{}}]}}`)
	for _, c := range []struct{ query, shown, hidden string }{
		{"", "and more words", "THOUGHT PROSE TOOL truncated"},
		{"includeThinking=true", "THOUGHT", "PROSE TOOL"},
		{"includeTools=true", "TOOL", "THOUGHT PROSE"},
		{"raw=true", "PROSE", "THOUGHT TOOL"},
		{"maxChars=4", `"truncated":true`, "more"},
	} {
		_, _, data := b.events("/sessions/k/history?" + c.query)()
		for path, text := range map[string]string{"history": "", "messages/a": "", "stream": data} {
			if text == "" {
				_, _, text = b.ask("GET", "/sessions/k/"+path+"?"+c.query, "")
			}
			if !strings.Contains(text, c.shown) {
				t.Errorf("%s of %s lacks %q: %s", c.query, path, c.shown, text)
			}
			for word := range strings.FieldsSeq(c.hidden + " WRAPPED") {
				if strings.Contains(text, word) {
					t.Errorf("%s of %s has %q: %s", c.query, path, word, text)
				}
			}
		}
	}
}

// H-12, X-32, X-B15: a line of any length is read. What is too large to be shown has a
// stand-in that says which message it is; a text is cut and can be had whole; a picture,
// of which the data is not shown, shows.
func TestLongLines(t *testing.T) {
	b := newBench(t, nil, nil)
	long := strings.Repeat("x", 300<<10)
	b.file("k",
		`{"type":"message","id":"a","parentId":null,"timestamp":"2026-03-01T10:01:00.000Z","message":{"role":"user","timestamp":7,"content":"`+long+`"}}`,
		`{"type":"message","id":"b","parentId":"a","timestamp":"2026-03-01T10:01:00.000Z","message":{"role":"toolResult","timestamp":8,"idempotencyKey":"key","toolCallId":"c","content":"`+long+`"}}`,
		`{"type":"message","id":"c","parentId":"b","timestamp":"2026-03-01T10:01:00.000Z","message":{"role":"user","content":[{"type":"image","mimeType":"image/png","data":"`+strings.Repeat("AAAA", 80<<10)+`"}]}}`)
	var p struct {
		Messages []struct {
			Role      string
			Timestamp int64
			Content   any
			Meta      struct {
				ID             string
				Seq            int
				IdempotencyKey string
				Truncated      bool
				Reason         string
				FullLength     int
			} `json:"__openclaw"`
		}
	}
	b.want(200, "GET", "/sessions/k/history", "", &p)
	if len(p.Messages) != 3 {
		t.Fatalf("%d messages", len(p.Messages))
	}
	cut, stand, picture := p.Messages[0], p.Messages[1], p.Messages[2]
	if text := fmt.Sprint(cut.Content); !strings.HasPrefix(text, strings.Repeat("x", 8_000)+"\n...") || !cut.Meta.Truncated || cut.Meta.FullLength != 300<<10 {
		t.Errorf("%+v", cut.Meta)
	}
	if m := stand.Meta; stand.Content != oversized || stand.Role != "toolResult" || stand.Timestamp != 8 || m.ID != "b" || m.Seq != 2 || m.IdempotencyKey != "key" || !m.Truncated || m.Reason != "oversized" {
		t.Errorf("%+v", stand)
	}
	if text := fmt.Sprint(picture.Content); !strings.Contains(text, "omitted:true") || picture.Meta.Truncated {
		t.Errorf("%.200s", text)
	}
	if _, _, text := b.ask("GET", "/sessions/k/messages/a", ""); !strings.Contains(text, long) {
		t.Error("the message cannot be had whole")
	}
}

// X-33 gives way to H-B01 and H-B02: however much that is not shown stands behind a page,
// and wherever the branch that is shown ends, the page is full.
func TestPageFarFromTheEnd(t *testing.T) {
	b := newBench(t, nil, nil)
	lines := turns(3)
	lines = append(lines, `{"type":"compaction","id":"c","parentId":"e3","timestamp":"2026-03-01T10:01:00.000Z","summary":"s","firstKeptEntryId":"e3","tokensBefore":9}`)
	parent := "c"
	for i := range 300 { // more than limit × 20 + 20, and more than 8 MiB
		id := fmt.Sprint("n", i)
		lines = append(lines, fmt.Sprintf(`{"type":"custom","id":%q,"parentId":%q,"timestamp":"2026-03-01T10:01:00.000Z","customType":"x","data":%q}`, id, parent, strings.Repeat("x", 30<<10)))
		parent = id
	}
	b.file("k", lines...)
	b.file("back", append(lines, `{"type":"leaf","id":"l","parentId":"e2","timestamp":"2026-03-01T10:01:00.000Z","targetId":"e2"}`)...)
	for key, want := range map[string]string{"k": "3 Compaction", "back": "1 2"} {
		var p shownPage
		b.want(200, "GET", "/sessions/"+key+"/history?limit=2", "", &p)
		if p.texts() != want {
			t.Errorf("%s shows %q, want %q", key, p.texts(), want)
		}
	}
}

// H-11, X-41: messages that share a place are told apart, and no page loses one.
func TestPagesBetweenMessagesOfOneEntry(t *testing.T) {
	b := newBench(t, nil, nil)
	var lines []string
	for i, record := range strings.Split(sentBy("c1", "first")+"\n"+sentBy("c2", "second")+"\n"+delivered("c1")+"\n"+delivered("c2")+"\n"+silent, "\n") {
		parent := "null"
		if i > 0 {
			parent = fmt.Sprintf(`"e%d"`, i)
		}
		lines = append(lines, fmt.Sprintf(`{"id":"e%d","parentId":%s,%s}`, i+1, parent, record))
	}
	b.file("k", lines...)
	var got []string
	for cursor := ""; ; {
		var p shownPage
		b.want(200, "GET", "/sessions/k/history?limit=1"+cursor, "", &p)
		got = append(got, p.Messages[0].Meta.ID)
		if !p.HasMore {
			break
		}
		cursor = "&cursor=" + p.NextCursor
	}
	if s := strings.Join(got, " "); s != "e5 e5#1 e4 e3 e2 e1" {
		t.Error(s)
	}
	b.want(200, "GET", "/sessions/k/messages/"+url.PathEscape("e5#1"), "", nil)
}

// H-20, H-22: what a prompt is stored as, and which ones are refused.
func TestStoredPrompt(t *testing.T) {
	b := newBench(t, nil, nil)
	b.session("k")
	before := time.Now().UnixMilli()
	b.want(202, "POST", "/sessions/k/messages", `{"message":"  cafe\u0301\r\nand \u0007tea \n","idempotencyKey":"a"}`, nil)
	b.wait("k", "a")
	p, _, err := b.sessions.Find("k")
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(p.Path)
	if err != nil {
		t.Fatal(err)
	}
	var stored struct {
		Message struct {
			Role, Content, IdempotencyKey string
			Timestamp                     int64
		}
	}
	for line := range strings.Lines(string(file)) {
		if strings.Contains(line, `"role":"user"`) {
			if err := json.Unmarshal([]byte(line), &stored, json.MatchCaseInsensitiveNames(true)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if m := stored.Message; m.Content != "café\nand tea" || m.IdempotencyKey != "a:user" || m.Timestamp < before || strings.Count(string(file), `"role":"user"`) != 1 {
		t.Errorf("%+v", m)
	}
	for body, status := range map[string]int{
		`{"message":"x"}`:                                                                                       400, // no key
		`{"message":" ","idempotencyKey":"b"}`:                                                                  400,
		`{"message":"\u0000","idempotencyKey":"c"}`:                                                             400,
		`{"message":"x","idempotencyKey":"d","unknown":1}`:                                                      400, // H-02
		`{"message":"x","idempotencyKey":"` + strings.Repeat("k", longestID) + `"}`:                             202,
		`{"message":"x","idempotencyKey":"` + strings.Repeat("k", longestID+1) + `"}`:                           400,
		`{"message":"x","idempotencyKey":"a\u0007"}`:                                                            400,
		`{"message":"x","idempotencyKey":"f","model":"gpt"}`:                                                    400,
		`{"message":"x","idempotencyKey":"g","attachments":[{"data":"?"}]}`:                                     400,
		`{"message":"x","idempotencyKey":"h","attachments":[` + strings.Repeat(`{},`, mostAttachments) + `{}]}`: 400,
	} {
		b.want(status, "POST", "/sessions/k/messages", body, nil)
	}
	index := strings.TrimSuffix(p.Path, p.ID+".jsonl") + "sessions.json"
	if err := os.WriteFile(index, []byte(`{"k":{"sessionId":"`+p.ID+`","sendPolicy":"deny"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	b.want(403, "POST", "/sessions/k/messages", `{"message":"x","idempotencyKey":"e"}`, nil)
}

// talking is a gateway in which the session k gives a long answer to the prompt a, has
// begun to say it, and b waits behind it. It says "instead" to anything else.
func talking(t *testing.T) *bench {
	t.Helper()
	b := newBench(t, emulator.Script(
		emulator.Step{Contains: "tell", Times: -1, Answer: emulator.Answer{Content: []emulator.Part{{Text: strings.Repeat("word ", 2_000)}}, Pace: 5 * time.Millisecond}},
		emulator.Step{Times: -1, Answer: emulator.Answer{Content: []emulator.Part{{Text: "instead"}}}},
	), nil)
	b.session("k")
	next := b.events("/sessions/k/history?live=true")
	for _, id := range []string{"a", "b"} {
		b.want(202, "POST", "/sessions/k/messages", `{"message":"tell `+id+`","idempotencyKey":"`+id+`"}`, nil)
	}
	for data := ""; !strings.Contains(data, "word"); {
		_, _, data = next()
	}
	return b
}

// H-23, H-44: what was said before an answer was stopped stays, and one request stops
// all that a session does.
func TestStoppedAnswers(t *testing.T) {
	b := talking(t)
	var stopped struct {
		OK, Aborted bool
		RunIDs      []string
	}
	b.want(200, "DELETE", "/sessions/k/runs", "", &stopped)
	if !stopped.OK || !stopped.Aborted || strings.Join(stopped.RunIDs, " ") != "a b" {
		t.Errorf("%+v", stopped)
	}
	if a, waiting := b.wait("k", "a"), b.wait("k", "b"); a.Status != "aborted" || waiting.Status != "aborted" {
		t.Errorf("%+v, %+v", a, waiting)
	}
	b.want(200, "DELETE", "/sessions/k/runs", "", &stopped)
	if stopped.Aborted || len(stopped.RunIDs) != 0 {
		t.Errorf("nothing runs, and %+v", stopped)
	}
	_, _, text := b.ask("GET", "/sessions/k/history", "")
	if !strings.Contains(text, "tell a") || !strings.Contains(text, `"word `) || !strings.Contains(text, `"aborted"`) {
		t.Error(text)
	}
}

// H-25: a prompt that interrupts is answered next; what was said before stays, and what
// waited is not said. Sent again it stops nothing.
func TestInterruptingPrompt(t *testing.T) {
	b := talking(t)
	const steer = `{"message":"no, this","idempotencyKey":"c","interrupt":true}`
	b.want(202, "POST", "/sessions/k/messages", steer, nil)
	if a, waiting, c := b.wait("k", "a"), b.wait("k", "b"), b.wait("k", "c"); a.Status != "aborted" || waiting.Status != "aborted" || c.Status != "ok" || c.Text != "instead" {
		t.Errorf("%+v, %+v, %+v", a, waiting, c)
	}
	var again told
	b.want(202, "POST", "/sessions/k/messages", steer, &again)
	if again.Status != "ok" {
		t.Errorf("%+v", again)
	}
	_, _, text := b.ask("GET", "/sessions/k/history", "")
	if !strings.Contains(text, `"word `) || strings.Contains(text, "tell b") || strings.Count(text, "no, this") != 2 { // messages and items are the same
		t.Error(text)
	}
}

// H-31: a message that is appended is told as it is shown alone, with its entry and its
// place; one that is hidden is not told at all.
func TestStreamedMessages(t *testing.T) {
	b := newBench(t, nil, nil)
	path := b.file("k", turns(1)...)
	next := b.events("/sessions/k/history")
	next()
	f := appending(t, path)
	for i, message := range []string{
		`{"role":"user","content":"[OpenClaw heartbeat poll]"}`,
		`{"role":"assistant","content":[{"type":"text","text":"HEARTBEAT_OK"}]}`,
		`{"role":"assistant","content":[{"type":"text","text":"<think>hidden</think>shown"}],"details":{"hidden":1}}`,
	} {
		fmt.Fprintf(f, `{"type":"message","id":"e%d","parentId":"e%d","message":%s}`+"\n", i+2, i+1, message)
	}
	name, id, data := next()
	if name != "message" || id != "e4" || !strings.Contains(data, `"messageId":"e4","messageSeq":4`) || !strings.Contains(data, `"shown"`) || strings.Contains(data, "hidden") {
		t.Error(name, id, data)
	}
}

// H-B03: a reader that is far behind is sent the page anew, and told so.
func TestGap(t *testing.T) {
	b := newBench(t, nil, nil)
	path := b.file("k", turns(1)...)
	next := b.events("/sessions/k/history?limit=3")
	next()
	head, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	whole := path + ".new" // so that no part of it is seen
	if err := os.WriteFile(whole, append(head, strings.Join(turns(mostMissed + 2)[1:], "\n")+"\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(whole, path); err != nil {
		t.Fatal(err)
	}
	name, id, data := next()
	if name != "history" || id != fmt.Sprint("e", mostMissed+2) || !strings.Contains(data, `"gap":true`) || strings.Count(data, `"role"`) != 3 {
		t.Errorf("%s %s %.300s", name, id, data)
	}
}

// H-B03: a gateway that was started since knows whether what a reader saw is still what
// is stored: it goes on where that is so, and sends the page where it is not.
func TestComingBackToAnotherGateway(t *testing.T) {
	b := newBench(t, nil, nil)
	path := b.file("k", turns(3)...)
	b.raw = true
	_, mark, _ := b.events("/sessions/k/history")()
	if !strings.HasPrefix(mark, "e3"+markSign) {
		t.Fatal(mark)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	fourth := `{"type":"message","id":"e4","parentId":"e3","timestamp":"2026-03-01T10:01:00.000Z","message":{"role":"user","content":"4"}}` + "\n"
	for name, c := range map[string]struct{ file, mark, event string }{
		"as it was":                   {string(file) + fourth, mark, "message"},
		"rewritten in front":          {strings.Replace(string(file), `"content":"1"`, `"content":"other"`, 1) + fourth, mark, "history"},
		"a plain id of an entry":      {string(file) + fourth, "e3", "message"},
		"an id with a sum of its own": {string(file) + fourth, "e3~0123456789abcdef", "history"},
		"the sum under another id":    {string(file) + fourth, strings.Replace(mark, "e3", "e2", 1), "history"},
		"an entry of another branch":  {string(file) + strings.Replace(fourth, `"parentId":"e3"`, `"parentId":"e2"`, 1), mark, "history"},
	} {
		if err := os.WriteFile(path, []byte(c.file), 0o600); err != nil {
			t.Fatal(err)
		}
		other := *b
		if other.Gateway, err = New(Config{State: b.State, Token: testToken, Poll: 20 * time.Millisecond}); err != nil {
			t.Fatal(err)
		}
		other.server = httptest.NewServer(other.Handler())
		event, _, data := other.events("/sessions/k/history", "Last-Event-ID", c.mark)()
		if event != c.event {
			t.Errorf("%s: %s %s, want %s", name, event, data, c.event)
		}
		other.server.CloseClientConnections()
		other.Close()
		other.server.Close()
	}
}

// H-B03: each event names the state that its reader has with it, also where a message
// comes and is completed by the next one, and where an entry shows several.
func TestEventsNameTheirState(t *testing.T) {
	b := newBench(t, nil, nil)
	path := b.file("k", turns(1)...)
	next := b.events("/sessions/k/history")
	next()
	f := appending(t, path)
	lines := []string{spoken, families[2][1]}
	lines = append(lines, strings.Split(families[4][0], "\n")...)
	var text strings.Builder // in one piece, so that a reader learns of all at once
	for i, line := range lines {
		fmt.Fprintf(&text, `{"id":"e%d","parentId":"e%d","timestamp":"2026-03-01T10:01:00.000Z",%s}`+"\n", i+2, i+1, line)
	}
	fmt.Fprint(f, text.String())
	for _, want := range []string{"message e2", "replace e3", "message e4", "message e5", "message e6", "message e7", "message e8#1", "message e8"} {
		if name, id, data := next(); name+" "+id != want {
			t.Fatalf("%s %s, want %s\n%s", name, id, want, data)
		}
	}
	for mark, want := range map[string]string{"e2": "replace e3", "e7": "message e8#1", "e8#1": "message e8"} {
		if name, id, data := b.events("/sessions/k/history", "Last-Event-ID", mark)(); name+" "+id != want {
			t.Errorf("behind %s: %s %s, want %s\n%s", mark, name, id, want, data)
		}
	}
}

// what answers an announcement from before a session belongs to the one before,
// wherever people look. A fork holds what its session holds.
func TestAnnouncementsFromBefore(t *testing.T) {
	b := newBench(t, nil, nil)
	b.file("k",
		`{"type":"message","id":"e1","parentId":null,"message":{"role":"user","timestamp":1,"content":"done","provenance":{"kind":"inter_session","sourceTool":"subagent_announce"}}}`,
		`{"type":"message","id":"e2","parentId":"e1","message":{"role":"assistant","timestamp":2,"content":"Of before."}}`,
		`{"type":"message","id":"e3","parentId":"e2","message":{"role":"assistant","timestamp":3,"content":"Of now."}}`)
	looks := func(key, want string) {
		t.Helper()
		var p shownPage
		b.want(200, "GET", "/sessions/"+key+"/history", "", &p)
		_, _, streamed := b.events("/sessions/" + key + "/history")()
		var list listed
		b.want(200, "GET", "/sessions?preview=5&search="+key, "", &list)
		var of struct{ Sessions []row }
		b.want(200, "GET", "/sessions?texts=true&search=before", "", &of)
		hidden := !strings.Contains(want, "before")
		if p.texts() != want || strings.Contains(streamed, "before") == hidden || (len(of.Sessions) == 0) != hidden {
			t.Errorf("%s: %q, %s, %v", key, p.texts(), streamed, of.Sessions)
		}
		if items := list.Sessions[0].Preview.Items; len(items) != len(strings.Split(want, ". ")) {
			t.Errorf("%s: the list shows %d messages", key, len(items))
		}
	}
	looks("k", "Of now.")
	if _, err := session.AgentStore(b.State, b.Agent).Update(t.Context(), session.LockOptions{}, func(x *session.Index) error {
		x.Set("k", x.Row("k").With("sessionStartedAt", jsonline.Int(2)))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	looks("k", "Of before. Of now.")
	var made row
	b.want(201, "POST", "/sessions/k/fork", `{"key":"aside"}`, &made)
	looks("aside", "Of before. Of now.")
}
