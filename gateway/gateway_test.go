package gateway

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"hygeia"
	"hygeia/emulator"
	"hygeia/runner"
	"hygeia/runner/model"
)

const testToken = "correct horse battery"

// bench is a gateway in front of a strict emulator.
type bench struct {
	*Gateway
	t      *testing.T
	server *httptest.Server
	token  string
	raw    bool // ids of events are read with the sums behind them
}

func newBench(t *testing.T, respond emulator.Responder, set func(*Config)) *bench {
	t.Helper()
	fake := emulator.NewServer(emulator.Options{Respond: respond})
	t.Cleanup(fake.Close)
	c := Config{State: t.TempDir(), Token: testToken, Poll: 20 * time.Millisecond, Run: func(to string) (*runner.Runner, error) {
		if to == "" {
			to = "anthropic/claude-opus-4-6"
		}
		target, err := hygeia.ParseTarget(to)
		if err != nil {
			return nil, err
		}
		return runner.New(runner.Options{Target: target, Model: model.New(model.Config{Emulator: fake.URL, Retries: -1})})
	}}
	if set != nil {
		set(&c)
	}
	g, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(g.Handler())
	t.Cleanup(func() { server.CloseClientConnections(); g.Close(); server.Close() })
	return &bench{Gateway: g, t: t, server: server, token: testToken}
}

// ask sends a request and returns status, header and body.
func (b *bench) ask(method, path, body string, header ...string) (int, http.Header, string) {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), method, b.server.URL+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	if b.token != "" {
		req.Header.Set("Authorization", "Bearer "+b.token)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	return res.StatusCode, res.Header, string(text)
}

// want sends a request that must be answered with that status, and reads the
// answer.
func (b *bench) want(status int, method, path, body string, into any, header ...string) {
	b.t.Helper()
	got, _, text := b.ask(method, path, body, header...)
	if got != status {
		b.t.Fatalf("%s %s: %d %s, want %d", method, path, got, text, status)
	}
	if into != nil {
		if err := json.Unmarshal([]byte(text), into, json.MatchCaseInsensitiveNames(true)); err != nil {
			b.t.Fatalf("%s %s: %v in %s", method, path, err, text)
		}
	}
}

func (b *bench) session(key string) {
	b.t.Helper()
	b.want(201, "POST", "/sessions", fmt.Sprintf(`{"key":%q}`, key), nil)
}

// say sends a prompt and waits for its end.
func (b *bench) say(key, text string) told {
	b.t.Helper()
	id := fmt.Sprintf("id-%x", text)
	b.want(202, "POST", "/sessions/"+key+"/messages", fmt.Sprintf(`{"message":%q,"idempotencyKey":%q}`, text, id), nil)
	return b.wait(key, id)
}

func (b *bench) wait(key, id string) told {
	b.t.Helper()
	for {
		var t told
		b.want(200, "GET", "/sessions/"+key+"/runs/"+id, "", &t)
		if t.EndedAt != nil {
			return t
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// file writes the session file of a key with these lines.
func (b *bench) file(key string, lines ...string) string {
	b.t.Helper()
	b.session(key)
	p, ok, err := b.sessions.Find(key)
	if err != nil || !ok {
		b.t.Fatal(key, err)
	}
	text := `{"type":"session","version":3,"id":"s","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/x"}` + "\n" + strings.Join(lines, "\n") + "\n"
	if err := os.WriteFile(p.Path, []byte(text), 0o600); err != nil {
		b.t.Fatal(err)
	}
	return p.Path
}

// appending opens a file for another program that writes to it.
func appending(t testing.TB, path string) *os.File {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// turns are n user turns, one behind the other; the texts are their numbers.
func turns(n int) (lines []string) {
	parent := "null"
	for i := 1; i <= n; i++ {
		lines = append(lines, fmt.Sprintf(`{"type":"message","id":"e%d","parentId":%s,"timestamp":"2026-03-01T10:01:00.000Z","message":{"role":"user","content":"%d"}}`, i, parent, i))
		parent = fmt.Sprintf(`"e%d"`, i)
	}
	return lines
}

type shownPage struct {
	SessionID   string
	HasMore     bool
	NextCursor  string
	CursorReset bool
	Messages    []struct {
		Role    string
		Content any
		Meta    struct {
			ID  string
			Seq int
		} `json:"__openclaw"`
	}
}

func (p shownPage) texts() string {
	var list []string
	for _, m := range p.Messages {
		text := fmt.Sprint(m.Content)
		if parts, ok := m.Content.([]any); ok && len(parts) > 0 {
			text = fmt.Sprint(parts[0].(map[string]any)["text"])
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}

func TestConversation(t *testing.T) {
	b := newBench(t, nil, nil)
	b.session("k")
	if got := b.say("k", "hello"); got.Status != "ok" || !strings.HasSuffix(got.Text, "hello") {
		t.Fatalf("%+v", got)
	}
	var p shownPage
	b.want(200, "GET", "/sessions/k/history", "", &p)
	if !strings.HasPrefix(p.texts(), "hello ") || len(p.Messages) != 2 || p.SessionID == "" || p.HasMore { // H-41
		t.Errorf("%+v", p)
	}
	// A repetition runs nothing (H-21).
	var again told
	b.want(202, "POST", "/sessions/k/messages", `{"message":"hello","idempotencyKey":"id-68656c6c6f"}`, &again)
	if again.Status != "ok" || again.EndedAt == nil {
		t.Errorf("%+v", again)
	}
	var one struct {
		Message struct{ Content string }
	}
	b.want(200, "GET", "/sessions/k/messages/"+p.Messages[0].Meta.ID, "", &one)
	if one.Message.Content != "hello" { // H-14
		t.Errorf("%+v", one)
	}
	b.want(404, "GET", "/sessions/k/messages/nothing", "", nil)
	// A branch from the first turn; nothing is overwritten (H-B18).
	first := p.Messages[0].Meta.ID
	b.want(202, "POST", "/sessions/k/messages", fmt.Sprintf(`{"message":"instead","idempotencyKey":"b","leaf":%q}`, first), nil)
	b.wait("k", "b")
	b.want(200, "GET", "/sessions/k/history", "", &p)
	if got := p.texts(); !strings.HasSuffix(got, "instead") || len(p.Messages) != 3 {
		t.Error(p.texts())
	}
	var branches struct {
		Branches []struct{ Leaf string }
	}
	b.want(200, "GET", "/sessions/k/branches", "", &branches)
	if len(branches.Branches) < 2 {
		t.Errorf("%+v", branches)
	}
	// Sent again it neither runs nor goes back to where its branch parts (H-21).
	b.want(202, "POST", "/sessions/k/messages", fmt.Sprintf(`{"message":"instead","idempotencyKey":"b","leaf":%q}`, first), &again)
	if b.want(200, "GET", "/sessions/k/history", "", &p); again.Status != "ok" || len(p.Messages) != 3 {
		t.Errorf("%+v, and the session shows %s", again, p.texts())
	}
	b.want(404, "POST", "/sessions/k/messages", `{"message":"x","idempotencyKey":"c","leaf":"nowhere"}`, nil)
}

func TestSessions(t *testing.T) {
	b := newBench(t, nil, nil)
	var r row
	b.want(201, "POST", "/sessions", `{"title":"Garden","model":"openai/gpt-4o"}`, &r)
	if r.Title != "Garden" || r.Model != "openai/gpt-4o" || !strings.HasPrefix(r.Key, "agent:main:") {
		t.Errorf("%+v", r)
	}
	b.session("other")
	b.want(409, "POST", "/sessions", `{"key":"other"}`, nil)
	var made row
	b.want(201, "POST", "/sessions", "", &made, "Content-Type", "application/json") // nothing is chosen
	b.want(200, "PATCH", "/sessions/"+made.Key, `{"title":"zzzz","archived":true,"model":""}`, nil)
	b.want(200, "PATCH", "/sessions/"+made.Key, "", &made, "Content-Type", "application/json")
	if made.Title != "zzzz" || !made.Archived {
		t.Errorf("%+v", made)
	}
	b.want(200, "PATCH", "/sessions/"+r.Key, `{"title":"Roses","archived":true}`, &r)
	if r.Title != "Roses" || !r.Archived {
		t.Errorf("%+v", r)
	}
	var list struct {
		Sessions []row
		Total    int
	}
	for query, want := range map[string]string{"": "other", "?archived=true&search=roses": r.Key, "?search=OTH": "other", "?search=zzz": ""} {
		b.want(200, "GET", "/sessions"+query, "", &list)
		var keys []string
		for _, s := range list.Sessions {
			keys = append(keys, s.Key)
		}
		if got := strings.Join(keys, " "); got != want { // H-18
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
	for _, body := range []string{`{"key":"x"}`, `{"model":"` + strings.Repeat("a", 3) + `/"}`, `{"title":"` + strings.Repeat("a", 300) + `"}`, `{"unknown":1}`, `[]`, `{`} {
		b.want(400, "PATCH", "/sessions/other", body, nil)
	}
}

// H-41, H-B01, H-B02, X-64: pages from the newest on, each full, and cursors that
// outlive a branch.
func TestPaging(t *testing.T) {
	b := newBench(t, nil, nil)
	lines := turns(9)
	lines[4] = strings.Replace(lines[4], `"content":"5"`, `"content":" "`, 1) // not shown
	path := b.file("k", lines...)
	var got []string
	var p shownPage
	for cursor := ""; ; cursor = "&cursor=" + p.NextCursor {
		p = shownPage{}
		b.want(200, "GET", "/sessions/k/history?limit=3"+cursor, "", &p)
		got = append(got, p.texts())
		if !p.HasMore {
			break
		}
		if len(got) == 1 {
			// The branch parts behind the page: the cursor still names its message.
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			text = append(text, `{"type":"message","id":"f","parentId":"e7","timestamp":"2026-03-01T10:09:00.000Z","message":{"role":"user","content":"new"}}`+"\n"...)
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if want := []string{"7 8 9", "3 4 6", "1 2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	b.want(200, "GET", "/sessions/k/history?limit=2&cursor=seq:4", "", &p)
	if p.texts() != "2 3" {
		t.Error(p.texts())
	}
	// The entry of a cursor has left the branch.
	b.want(200, "GET", "/sessions/k/history?limit=1", "", &p)
	gone := p.NextCursor
	text, _ := os.ReadFile(path)
	os.WriteFile(path, append(text, `{"type":"message","id":"g","parentId":"e2","timestamp":"2026-03-01T10:09:00.000Z","message":{"role":"user","content":"newer"}}`+"\n"...), 0o600)
	p = shownPage{}
	b.want(200, "GET", "/sessions/k/history?limit=1&cursor="+gone, "", &p)
	if !p.CursorReset || len(p.Messages) != 1 {
		t.Errorf("%+v", p)
	}
	for _, query := range []string{"limit=abc", "limit=0", "limit=1001", "limit=", "cursor=!!", "cursor=seq:0", "cursor=AAAA", "maxChars=0", "includeTools=yes", "live=true", "nothing=1", "limit=1&limit=2", "leaf=zz&limit=1"} { // H-B05
		if status, _, text := b.ask("GET", "/sessions/k/history?"+query, ""); status != 400 && status != 404 {
			t.Errorf("%s: %d %s", query, status, text)
		}
	}
	_, h, _ := b.ask("GET", "/sessions/k/history", "")
	if status, _, _ := b.ask("GET", "/sessions/k/history", "", "If-None-Match", h.Get("ETag")); status != 304 { // H-B08
		t.Error(status, "for a page that is as it was")
	}
	os.WriteFile(path, append(text, `{"type":"message","id":"h","parentId":"e2","timestamp":"2026-03-01T10:09:00.000Z","message":{"role":"user","content":"newest"}}`+"\n"...), 0o600)
	if status, _, _ := b.ask("GET", "/sessions/k/history", "", "If-None-Match", h.Get("ETag")); status != 200 {
		t.Error(status, "for a page that has changed")
	}
	if etag(shown{}, "", &inFlight{RunID: "a", Text: "one"}) == etag(shown{}, "", &inFlight{RunID: "a", Text: "two"}) {
		t.Error("two answers have one tag")
	}
}

// H-12: what is too large is said to be, and the page stays bounded.
func TestOversized(t *testing.T) {
	b := newBench(t, nil, nil)
	big := `{"type":"message","id":"r%d","parentId":%s,"timestamp":"2026-03-01T10:01:00.000Z","message":{"role":"toolResult","toolCallId":"c","content":"%s"}}`
	lines := []string{fmt.Sprintf(big, 0, "null", strings.Repeat("x", 200<<10))}
	for i := 1; i < 80; i++ {
		lines = append(lines, fmt.Sprintf(big, i, fmt.Sprintf(`"r%d"`, i-1), strings.Repeat("y", 100<<10)))
	}
	b.file("k", lines...)
	status, _, text := b.ask("GET", "/sessions/k/history?limit=1000", "")
	if status != 200 || len(text) > 2*longestPage+1<<16 {
		t.Errorf("%d with %d bytes", status, len(text))
	}
	var p shownPage
	b.want(200, "GET", "/sessions/k/history?limit=1000", "", &p)
	for p.HasMore {
		cursor := p.NextCursor
		p = shownPage{}
		b.want(200, "GET", "/sessions/k/history?limit=1000&cursor="+cursor, "", &p)
	}
	if got := p.Messages[0]; got.Content != oversized || got.Meta.ID != "r0" {
		t.Errorf("%+v", got)
	}
}

// events reads a stream; it ends with the test.
func (b *bench) events(path string, header ...string) func() (name, id, data string) {
	b.t.Helper()
	ctx, cancel := context.WithCancel(b.t.Context())
	b.t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, "GET", b.server.URL+path, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Authorization", "Bearer "+b.token)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { res.Body.Close() })
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" {
		b.t.Fatal(res.Status, res.Header)
	}
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 16<<20)
	return func() (name, id, data string) {
		for lines.Scan() {
			line := lines.Text()
			switch {
			case strings.HasPrefix(line, "event: "):
				name = line[7:]
			case strings.HasPrefix(line, "id: "):
				if id = line[4:]; !b.raw {
					id, _, _ = strings.Cut(id, markSign) // the entry
				}
			case strings.HasPrefix(line, "data: "):
				data = line[6:]
			case line == "" && name != "":
				return name, id, data
			}
		}
		return "", "", ""
	}
}

// H-42, H-B03, H-B04: a stream begins with the page and tells of each message;
// one that comes back gets what it missed.
func TestStream(t *testing.T) {
	b := newBench(t, nil, nil)
	path := b.file("k", turns(3)...)
	next := b.events("/sessions/k/history?limit=2")
	name, id, data := next()
	if name != "history" || id != "e3" || !strings.Contains(data, `"content":"2"`) || strings.Contains(data, `"content":"1"`) {
		t.Fatal(name, id, data)
	}
	line := `{"type":"message","id":"e%d","parentId":"e%d","timestamp":"2026-03-01T10:01:00.000Z","message":{"role":"user","content":"%d"}}` + "\n"
	f := appending(t, path)
	add := func(i int) { fmt.Fprintf(f, line, i, i-1, i) }
	add(4)
	if name, id, data := next(); name != "message" || id != "e4" || !strings.Contains(data, `"content":"4"`) || !strings.Contains(data, `"messageSeq":4`) {
		t.Fatal(name, id, data)
	}
	add(5)
	if name, id, _ := next(); name != "message" || id != "e5" {
		t.Fatal(name, id)
	}
	back := b.events("/sessions/k/history", "Last-Event-ID", "e3")
	for _, want := range []string{"e4", "e5"} {
		if name, id, _ := back(); name != "message" || id != want {
			t.Fatal(name, id, want)
		}
	}
	for _, mark := range []string{"of another session", "0123456789abcdef", "~", "#", "e3#", "e3#-1", "e3#x~0123456789abcdef", "#1~0123456789abcdef"} {
		if name, _, _ := b.events("/sessions/k/history", "Last-Event-ID", mark)(); name != "history" {
			t.Fatalf("%s: %s", mark, name)
		}
	}
	// Another branch is no plain append.
	fmt.Fprintln(f, `{"type":"message","id":"x","parentId":"e1","timestamp":"2026-03-01T10:01:00.000Z","message":{"role":"user","content":"aside"}}`)
	if name, _, data := next(); name != "history" || !strings.Contains(data, "aside") || strings.Contains(data, `"content":"5"`) {
		t.Fatal(name, data)
	}
}

// H-30, H-B03: the running answer grows on the stream.
func TestLive(t *testing.T) {
	b := newBench(t, emulator.Script(emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{{Text: strings.Repeat("word ", 200)}}, Pace: 2 * time.Millisecond}}), nil)
	b.session("k")
	next := b.events("/sessions/k/history?live=true")
	next()
	b.want(202, "POST", "/sessions/k/messages", `{"message":"tell","idempotencyKey":"a"}`, nil)
	text, messages, order := "", 0, ""
	for {
		name, _, data := next()
		switch name {
		case "delta":
			var d struct {
				RunID     string
				DeltaText string
				Replace   bool
			}
			if err := json.Unmarshal([]byte(data), &d, json.MatchCaseInsensitiveNames(true)); err != nil {
				t.Fatal(err)
			}
			if d.Replace {
				text = ""
			}
			text += d.DeltaText
			order += "d"
			continue
		case "message":
			messages++
			order += "m"
			continue
		case "end":
		default:
			t.Fatal(name, data)
		}
		break
	}
	// The answer is a message behind its last delta, and in front of the end.
	if !strings.HasPrefix(strings.Repeat("word ", 200), text) || len(text) < 5 || messages != 2 || !strings.HasSuffix(order, "m") {
		t.Errorf("%d messages, order %s, text %q", messages, order, text)
	}
}

// H-54, H-B06, H-B10: what is thought and what tools are asked for stream to those who
// want to see them; the names of calls do to all.
func TestLiveThinkingAndCalls(t *testing.T) {
	thought, path := strings.Repeat("thought ", 30), strings.Repeat("path/", 40)
	b := newBench(t, emulator.Script(emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{
		{Thinking: thought + "with sk-a1b2c3d4e5f6g7h8i9"}, {Text: "I look."}, {Call: "read", Arguments: []byte(`{"path":"` + path + `"}`)},
	}, Pace: 2 * time.Millisecond}}), nil)
	b.session("k")
	all, words := b.events("/sessions/k/history?live=true&includeThinking=true&includeTools=true"), b.events("/sessions/k/history?live=true")
	all()
	words()
	b.want(202, "POST", "/sessions/k/messages", `{"message":"look","idempotencyKey":"a"}`, nil)
	grown := func(next func() (name, id, data string)) (thinking, calls string) {
		for {
			name, _, data := next()
			var d struct {
				DeltaThinking   string
				ReplaceThinking bool
				Calls           []struct{ Name, Arguments string }
			}
			if err := json.Unmarshal([]byte(data), &d, json.MatchCaseInsensitiveNames(true)); err != nil {
				t.Fatal(err)
			}
			if d.ReplaceThinking && d.DeltaThinking != "" { // not at the end of the turn
				thinking = ""
			}
			thinking += d.DeltaThinking
			if len(d.Calls) > 0 {
				calls = d.Calls[0].Name + " " + d.Calls[0].Arguments
			}
			if name == "end" {
				return thinking, calls
			}
		}
	}
	if thinking, calls := grown(all); !strings.HasPrefix(thinking, "thought ") || strings.Contains(thinking, "h8i9") || !strings.HasPrefix(calls, `read {"path":"path/`) {
		t.Errorf("to one who wants all: %q, %q", thinking, calls)
	}
	if thinking, calls := grown(words); thinking != "" || calls != "read " {
		t.Errorf("to one who wants words: %q, %q", thinking, calls)
	}
}

// X-B02, X-B17: what is not shown later does not show while it comes.
func TestLiveTextIsClean(t *testing.T) {
	b := newBench(t, emulator.Script(emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{{Text: "Key sk-a1b2c3d4e5f6g7h8i9 <think>hidden</think> done"}}}}), nil)
	b.session("k")
	if got := b.say("k", "tell"); got.Text != "Key ***  done" {
		t.Errorf("%q", got.Text)
	}
}

// What is stored may be no text, or say one thing twice; the answer is JSON (§9).
func TestDamagedTexts(t *testing.T) {
	b := newBench(t, nil, nil)
	b.file("k",
		`{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"half \ud83d"}}`,
		"{\"type\":\"message\",\"id\":\"b\",\"parentId\":\"a\",\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"toolCall\",\"id\":\"c\",\"name\":\"f\xff\",\"arguments\":{\"a\":1,\"a\":\"\xff\"}}]}}",
		`{"type":"message","id":"d","parentId":"b","message":{"role":"user","content":"x","content":"y","senderLabel":"\ud83d"}}`)
	for _, query := range []string{"", "?parts=true"} {
		var p shownPage
		b.want(200, "GET", "/sessions/k/history"+query, "", &p)
		if len(p.Messages) != 3 || p.Messages[2].Content != "y" {
			t.Errorf("%+v", p)
		}
	}
	b.want(200, "GET", "/sessions/k/messages/b", "", nil)
	if name, _, _ := b.events("/sessions/k/history")(); name != "history" {
		t.Error(name)
	}
	b.want(200, "GET", "/sessions/k/export", "", nil)
	b.want(200, "GET", "/sessions/k/health", "", nil)
}

// H-21, H-B07: prompts of one session wait for each other; a run can be stopped.
func TestQueue(t *testing.T) {
	slow := emulator.Step{Contains: "slow", Answer: emulator.Answer{Content: []emulator.Part{{Text: "x"}}, Delay: time.Minute}}
	b := newBench(t, emulator.Script(slow, emulator.Step{Times: -1, Answer: emulator.Answer{Content: []emulator.Part{{Text: "quick"}}}}), nil)
	b.session("k")
	b.want(202, "POST", "/sessions/k/messages", `{"message":"slow","idempotencyKey":"a"}`, nil)
	var second, repeat told
	b.want(202, "POST", "/sessions/k/messages", `{"message":"next","idempotencyKey":"b"}`, &second)
	b.want(202, "POST", "/sessions/k/messages", `{"message":"slow","idempotencyKey":"a"}`, &repeat)
	if second.Status != "queued" || repeat.Status != "in_flight" {
		t.Errorf("%+v, %+v", second, repeat)
	}
	b.want(409, "POST", "/sessions/k/messages", `{"message":"branch","idempotencyKey":"c","leaf":"x"}`, nil)
	var stopped struct{ Aborted bool }
	b.want(200, "DELETE", "/sessions/k/runs/a", "", &stopped)
	if a, next := b.wait("k", "a"), b.wait("k", "b"); !stopped.Aborted || a.Status != "aborted" || next.Status != "ok" || next.Text != "quick" {
		t.Errorf("%+v, %+v, %+v", stopped, a, next)
	}
	b.want(404, "GET", "/sessions/k/runs/zz", "", nil)
}

func TestChanges(t *testing.T) {
	b := newBench(t, nil, nil)
	b.file("k", turns(3)...)
	var in struct{ MessageID string }
	_, _, text := b.ask("POST", "/sessions/k/inject", `{"message":"from the desk","label":"desk"}`)
	if err := json.Unmarshal([]byte(text), &in, json.MatchCaseInsensitiveNames(true)); err != nil || in.MessageID == "" {
		t.Fatal(text)
	}
	_, _, text = b.ask("GET", "/sessions/k/messages/"+in.MessageID, "")
	if !strings.Contains(text, `[desk]\n\nfrom the desk`) || !strings.Contains(text, `"injectedBy":"gateway"`) { // H-24, H-B12
		t.Error(text)
	}
	b.want(200, "POST", "/sessions/k/compact", `{"summary":"what was","keepTokens":1}`, nil)
	_, _, text = b.ask("GET", "/sessions/k/history", "")
	if !strings.Contains(text, `"kind":"compaction"`) {
		t.Error(text)
	}
	var health struct {
		Branches int
		Targets  []struct{ Target string }
		Changes  []struct{ Rule string }
	}
	b.want(200, "GET", "/sessions/k/health?to=anthropic/claude-opus-4-6", "", &health, "Accept", "application/json")
	if health.Branches != 1 || len(health.Targets) < 12 { // H-B15
		t.Errorf("%+v", health)
	}
	_, h, text := b.ask("GET", "/sessions/k/export?as=html", "")
	if !strings.Contains(text, "from the desk") || strings.Contains(text, "<script") || !strings.HasPrefix(h.Get("Content-Disposition"), "attachment") {
		t.Error(text)
	}
	_, _, text = b.ask("GET", "/sessions/k/export?as=markdown", "")
	if !strings.Contains(text, "## assistant") {
		t.Error(text)
	}
}

// H-B15: a target of the panel is asked with its API, and the one that wrote the
// session is among them. The panel tells why, and nothing that is not shown. H-10: a
// session has one id, whoever is asked.
func TestHealthOfTargets(t *testing.T) {
	b := newBench(t, nil, nil)
	b.file("k",
		`{"type":"message","id":"u","parentId":null,"message":{"role":"user","content":"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nhidden\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\n\nhello"}}`,
		`{"type":"message","id":"a","parentId":"u","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hidden too","thinkingSignature":"reasoning_content"},{"type":"toolCall","id":"call_1","name":"f","arguments":{}}],"provider":"openai","api":"openai-completions","model":"gpt-5.1","stopReason":"toolUse"}}`)
	type health struct {
		SessionID string
		Targets   []struct{ Target, API string }
		Changes   []struct{ Rule, Op, Reason string }
	}
	rules := func(query string) (list []string) {
		_, _, text := b.ask("GET", "/sessions/k/health?"+query, "")
		if strings.Contains(text, "hidden") {
			t.Errorf("%s tells\n%s", query, text)
		}
		var h health
		if err := json.Unmarshal([]byte(text), &h, json.MatchCaseInsensitiveNames(true)); err != nil {
			t.Fatal(err)
		}
		for _, c := range h.Changes {
			if list = append(list, c.Rule); c.Op == "" || c.Reason == "" {
				t.Errorf("%s: %+v", query, c)
			}
		}
		return list
	}
	responses, chat := rules("to=openai/gpt-4o"), rules("to=openai/gpt-4o&api=openai-completions")
	if len(responses) == 0 || len(chat) == 0 || slices.Equal(responses, chat) {
		t.Errorf("by default %q, in chat completions %q", responses, chat)
	}
	b.want(400, "GET", "/sessions/k/health?api=openai-completions", "", nil)

	var list struct{ Sessions []row }
	var one row
	var p shownPage
	var h health
	b.want(200, "GET", "/sessions", "", &list)
	b.want(200, "GET", "/sessions/k", "", &one)
	b.want(200, "GET", "/sessions/k/history", "", &p)
	b.want(200, "GET", "/sessions/k/health", "", &h)
	if id := list.Sessions[0].SessionID; id == "" || one.SessionID != id || p.SessionID != id || h.SessionID != id {
		t.Errorf("ids %q, %q, %q, %q", id, one.SessionID, p.SessionID, h.SessionID)
	}
	if own := h.Targets[0]; own.Target != "openai/gpt-5.1" || own.API != "openai-completions" {
		t.Errorf("the first target is %+v", own)
	}
	for _, row := range h.Targets {
		if row.API == "" {
			t.Errorf("%s without an API", row.Target)
		}
	}
}

// H-43.
func TestCompletions(t *testing.T) {
	b := newBench(t, nil, nil)
	_, _, text := b.ask("POST", "/v1/chat/completions", `{"model":"hygeia","user":"ann","temperature":0.5,"messages":[{"role":"user","content":[{"type":"text","text":"hello"}]}]}`)
	if !strings.Contains(text, `hello"`) || !strings.Contains(text, `"finish_reason":"stop"`) {
		t.Error(text)
	}
	_, h, text := b.ask("POST", "/v1/chat/completions", `{"model":"hygeia","user":"ann","stream":true,"messages":[{"role":"user","content":"again"}]}`)
	if h.Get("Content-Type") != "text/event-stream" || !strings.HasSuffix(text, "data: [DONE]\n\n") || !strings.Contains(text, "chat.completion.chunk") {
		t.Error(text)
	}
	rows, err := b.rows(func(row) bool { return true })
	if err != nil || len(rows) != 1 || strings.Contains(rows[0].Key, "ann") {
		t.Errorf("%+v, %v", rows, err)
	}
	b.want(400, "POST", "/v1/chat/completions", `{"messages":[{"role":"assistant","content":"x"}]}`, nil)
}

// H-43: a stream holds every turn of an answer, and says so where there is none.
func TestStreamedCompletions(t *testing.T) {
	b := newBench(t, emulator.Script(
		emulator.Step{Contains: "look", Answer: emulator.Answer{Content: []emulator.Part{{Text: "I look."}, {Call: "read", Arguments: []byte(`{}`)}}, Pace: 20 * time.Millisecond}},
		emulator.Step{Contains: "fail", Answer: emulator.Answer{Status: 400, Error: "no such thing"}},
		emulator.Step{Times: -1, Answer: emulator.Answer{Content: []emulator.Part{{Text: "I see it."}}, Pace: 20 * time.Millisecond}},
	), func(c *Config) { c.MaxStreams = 1 })
	stream := func(text string) (said, failed, finish string) {
		status, _, body := b.ask("POST", "/v1/chat/completions", `{"user":"ann","stream":true,"messages":[{"role":"user","content":"`+text+`"}]}`)
		if status != 200 || !strings.HasSuffix(body, "data: [DONE]\n\n") {
			t.Errorf("%d %s", status, body)
		}
		for line := range strings.Lines(strings.TrimSuffix(body, "data: [DONE]\n\n")) {
			var chunk struct {
				Error   struct{ Message string }
				Choices []struct {
					Delta  struct{ Content string }
					Finish string `json:"finish_reason"`
				}
			}
			if data, ok := strings.CutPrefix(line, "data: "); !ok {
				continue
			} else if err := json.Unmarshal([]byte(data), &chunk, json.MatchCaseInsensitiveNames(true)); err != nil {
				t.Fatal(err, line)
			}
			failed += chunk.Error.Message
			for _, choice := range chunk.Choices {
				said, finish = said+choice.Delta.Content, choice.Finish
			}
		}
		return said, failed, finish
	}
	if said, failed, finish := stream("look"); said != "I look.\n\nI see it." || failed != "" || finish != "stop" {
		t.Errorf("%q, %q, %q", said, failed, finish)
	}
	if said, failed, finish := stream("fail"); said != "" || !strings.Contains(failed, "no such thing") || finish != "" {
		t.Errorf("%q, %q, %q", said, failed, finish)
	}
	// What cannot be streamed is not run either.
	key := func() (list []string) {
		rows, err := b.rows(func(row) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			list = append(list, r.Key)
		}
		return list
	}()
	next := b.events("/sessions/" + key[0] + "/history")
	next()
	b.want(503, "POST", "/v1/chat/completions", `{"user":"ann","stream":true,"messages":[{"role":"user","content":"one more"}]}`, nil)
	if _, _, text := b.ask("GET", "/sessions/"+key[0]+"/history", ""); strings.Contains(text, "one more") || b.runs.inFlight(key[0]) != nil {
		t.Error(text)
	}
}

// H-21: of many runs those that are over are forgotten first, however long another lasts.
func TestForgottenRuns(t *testing.T) {
	var r runs
	add := func(i int) *run {
		n := &run{id: fmt.Sprint(i), peer: runner.Peer{Key: fmt.Sprint("k", i)}, done: make(chan struct{})}
		if known, first, err := r.add(n); known != n || !first || err != nil {
			t.Fatalf("run %d: %v, %v", i, first, err)
		}
		return n
	}
	for i := range mostKnown + 10 {
		if n := add(i); i > 0 {
			close(n.done)
		}
	}
	if r.get("k0", "0") == nil || r.get("k1", "1") != nil || r.get("k1009", "1009") == nil || len(r.known) != mostKnown {
		t.Errorf("%d runs are known", len(r.known))
	}
	var busy runs
	for i := range mostKnown {
		if _, _, err := busy.add(&run{id: fmt.Sprint(i), peer: runner.Peer{Key: fmt.Sprint("k", i)}, done: make(chan struct{})}); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := busy.add(&run{id: "more", done: make(chan struct{})}); err == nil {
		t.Error("there is no end of runs")
	}
}

// H-43: clients find the models that they may name: that of the session, those that are
// configured, those of sessions; a share finds those of its session.
func TestModels(t *testing.T) {
	b := newBench(t, nil, func(c *Config) { c.Models = []string{"anthropic/claude-opus-4-6", "openrouter/z-ai/glm-5"} })
	b.want(201, "POST", "/sessions", `{"key":"k","model":"openai/gpt-4o"}`, nil)
	b.want(201, "POST", "/sessions", `{"key":"old","model":"anthropic/claude-opus-4-6"}`, nil)
	ids := func() string {
		var list struct {
			Object string
			Data   []openModel
		}
		b.want(200, "GET", "/v1/models", "", &list)
		var ids []string
		for _, m := range list.Data {
			ids = append(ids, m.ID)
			if list.Object != "list" || m.Object != "model" {
				t.Errorf("%+v", list)
			}
			var one openModel
			if b.want(200, "GET", "/v1/models/"+m.ID, "", &one); one != m {
				t.Errorf("%+v, in the list %+v", one, m)
			}
			if b.want(200, "GET", "/v1/models/"+url.PathEscape(m.ID), "", &one); one != m {
				t.Errorf("%+v, in the list %+v", one, m)
			}
		}
		return strings.Join(ids, " ")
	}
	if got, want := ids(), "hygeia/default anthropic/claude-opus-4-6 openrouter/z-ai/glm-5 openai/gpt-4o"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, id := range strings.Fields(ids()) { // what is listed is taken
		b.want(200, "POST", "/v1/chat/completions", `{"model":"`+id+`","messages":[{"role":"user","content":"hello"}]}`, nil)
	}
	b.want(404, "GET", "/v1/models/openai/gpt-nothing", "", nil)
	b.want(404, "GET", "/v1/models/", "", nil)
	var s struct{ Token string }
	b.want(201, "POST", "/sessions/k/shares", `{}`, &s)
	b.token = s.Token
	if got, want := ids(), "hygeia/default openai/gpt-4o"; got != want {
		t.Errorf("a share finds %s, want %s", got, want)
	}
	silent := newBench(t, nil, func(c *Config) { c.Run = nil })
	if _, _, text := silent.ask("GET", "/v1/models", ""); text != `{"object":"list","data":[]}`+"\n" {
		t.Error(text)
	}
}

func TestPictures(t *testing.T) {
	b := newBench(t, nil, nil)
	b.session("k")
	png := "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVQI12P8z4AdMDEMKQkAzUEBD9aGuoAAAAAASUVORK5CYII="
	b.want(202, "POST", "/sessions/k/messages", `{"message":"look","idempotencyKey":"a","attachments":[{"data":"`+png+`"}]}`, nil)
	b.wait("k", "a")
	var p shownPage
	b.want(200, "GET", "/sessions/k/history", "", &p)
	status, h, text := b.ask("GET", fmt.Sprintf("/sessions/k/pictures/%s/0", p.Messages[0].Meta.ID), "")
	if status != 200 || h.Get("Content-Type") != "image/png" || !strings.HasPrefix(text, "\x89PNG") {
		t.Errorf("the picture: %d %v %.20q", status, h, text)
	}
	b.want(400, "POST", "/sessions/k/messages", `{"message":"look","idempotencyKey":"b","attachments":[{"data":"aGVsbG8="}]}`, nil)
	b.want(404, "GET", "/sessions/k/pictures/nothing/0", "", nil)
	// One of a branch that is not the active one shows there.
	b.file("b", turns(1)[0], `{"type":"message","id":"p","parentId":"e1","message":{"role":"user","content":[{"type":"image","mimeType":"image/png","data":"`+png+`"}]}}`,
		`{"type":"message","id":"o","parentId":"e1","message":{"role":"user","content":"instead"}}`)
	for query, status := range map[string]int{"": 404, "?leaf=p": 200, "?leaf=nothing": 404} {
		b.want(status, "GET", "/sessions/b/pictures/p/0"+query, "", nil)
	}
	// Blocks that are not shown do not count.
	b.file("a", `{"type":"message","id":"p","parentId":null,"message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"image","mimeType":"image/png","data":"`+png+`"}]}}`)
	for n, status := range map[string]int{"0": 200, "1": 404, "-1": 404, "x": 404} {
		b.want(status, "GET", "/sessions/a/pictures/p/"+n, "", nil)
	}
}

// X-B17: whoever was the first to look at a session, and at what of it, nobody sees its
// secrets.
func TestSecretsHoweverShown(t *testing.T) {
	b := newBench(t, nil, nil)
	b.file("k", `{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"roses sk-a1b2c3d4e5f6g7h8i9"}}`)
	for _, query := range []string{"?", "?includeTools=true", "?includeThinking=true", "?raw=true"} {
		for _, first := range []string{"/pictures/a/0", "/health", "/branches", "/search?text=roses", "?preview=1", "/messages/a" + query, "/export", "/history" + query} {
			if _, _, text := b.ask("GET", "/sessions/k"+first, ""); strings.Contains(text, "h8i9") {
				t.Errorf("%s tells\n%s", first, text)
			}
		}
	}
}

// The document has every route, and every route answers as it says.
func TestOpenAPI(t *testing.T) {
	b := newBench(t, nil, nil)
	var doc struct {
		OpenAPI string `json:"openapi"`
		Paths   map[string]map[string]struct {
			Summary string `json:"summary"`
		} `json:"paths"`
	}
	b.token = ""
	b.want(200, "GET", "/openapi.json", "", &doc)
	n := 0
	for _, path := range doc.Paths {
		for _, operation := range path {
			if operation.Summary != "" {
				n++
			}
		}
	}
	if doc.OpenAPI != "3.1.0" || n != len(routes) {
		t.Errorf("%d of %d routes", n, len(routes))
	}
}

func TestFuzzedRequestsStayBelow500(t *testing.T) {
	b := newBench(t, nil, nil)
	b.file("k", turns(2)...)
	b.want(200, "GET", "/sessions", "", nil)
	before := runtime.NumGoroutine()
	bodies := []string{"", "{", "[]", "null", `{"message":7}`, `{"message":"\u0000","idempotencyKey":"a"}`, "\xff", strings.Repeat("[", 20_000), `{"message":"a","idempotencyKey":"` + strings.Repeat("k", 300) + `"}`}
	for _, r := range routes {
		if r.path == "/sessions/{key}/history" {
			continue
		}
		for _, key := range []string{"k", "nothing", "%00", "a%2f..%2fb", strings.Repeat("k", 600), "%ff"} {
			path := strings.NewReplacer("{$}", "", "{key}", key, "{id}", key, "{block}", "0", "{name}", key).Replace(r.path)
			for _, body := range bodies {
				status, _, text := b.ask(r.method, path, body, "Content-Type", "application/json")
				if status >= 500 {
					t.Errorf("%s %s %.60q: %d %s", r.method, path, body, status, text)
				}
			}
		}
	}
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	for tries := 0; runtime.NumGoroutine() > before; tries++ {
		if tries == 500 {
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, there were %d\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
		time.Sleep(10 * time.Millisecond)
	}
	if bytes.Contains([]byte(filepath.ToSlash(b.State)), []byte("..")) {
		t.Error("a path")
	}
}
