package runner

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"hygeia/internal/texts"
	"hygeia/runner/tools"
)

// library is an installation whose sessions can be read.
type library struct {
	t     *testing.T
	state string
	Access
}

// put writes a session and its row.
func (l *library) put(key, row string, lines ...string) {
	l.t.Helper()
	dir := filepath.Join(l.state, "agents", agentOf(key), "sessions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		l.t.Fatal(err)
	}
	id := strings.ReplaceAll(key, ":", "-")
	head := fmt.Sprintf(`{"type":"session","version":3,"id":%q,"timestamp":"2026-03-01T10:00:00.000Z","cwd":"/x"}`, id)
	text := head + "\n"
	for i, line := range lines {
		parent := "null"
		if i > 0 {
			parent = fmt.Sprintf(`"e%d"`, i)
		}
		text += fmt.Sprintf(`{"type":"message","id":"e%d","parentId":%s,"message":%s}`, i+1, parent, line) + "\n"
	}
	if lines != nil {
		if err := os.WriteFile(filepath.Join(dir, id+".jsonl"), []byte(text), 0o600); err != nil {
			l.t.Fatal(err)
		}
	}
	rows := map[string]any{}
	if index, err := os.ReadFile(filepath.Join(dir, "sessions.json")); err == nil {
		if err := json.Unmarshal(index, &rows); err != nil {
			l.t.Fatal(err)
		}
	}
	var own map[string]any
	if err := json.Unmarshal([]byte(row), &own); err != nil {
		l.t.Fatal(err)
	}
	own["sessionId"] = id
	rows[key] = own
	index, err := json.Marshal(rows)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "sessions.json"), index, 0o600)
	}
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *library) call(from, name, arguments string) tools.Result {
	l.t.Helper()
	list, err := HistoryTools(Sessions{State: l.state}, l.Access, from)
	if err != nil {
		l.t.Fatal(err)
	}
	set, err := tools.New(list...)
	if err != nil {
		l.t.Fatal(err)
	}
	return set.Call(l.t.Context(), tools.Call{ID: "1", Name: name, Arguments: []byte(arguments)})
}

func (l *library) read(from, arguments string) (h toldHistory) {
	l.t.Helper()
	r := l.call(from, "sessions_history", arguments)
	if err := json.Unmarshal([]byte(r.Text), &h); err != nil || r.Failed != (h.Status != "ok") {
		l.t.Fatalf("%+v, %v", r, err)
	}
	return h
}

func joinedTexts(h toldHistory) string {
	var list []string
	for _, m := range h.Messages {
		list = append(list, string(m))
	}
	return strings.Join(list, "\n")
}

// H-81, H-B09, H-B14: a model reads another session as people are shown it, without
// what it costs, secrets, and what tools did unless it asks for that.
func TestSessionsHistory(t *testing.T) {
	t.Parallel()
	l := &library{t, t.TempDir(), Access{}}
	l.put("agent:main:main", `{}`)
	key := "sk-ant-api03-" + strings.Repeat("a1B2c3D4", 12)
	l.put("agent:main:child", `{"spawnedBy":"agent:main:main"}`,
		`{"role":"user","content":"[Mon 2026-03-02 08:00 UTC] look `+key+`"}`,
		`{"role":"assistant","usage":{"input":1,"cost":{"total":1}},"content":[{"type":"thinking","thinking":"HIDDEN","thinkingSignature":"HIDDEN"},{"type":"text","text":"<think>HIDDEN</think>Looking."},{"type":"toolCall","id":"c","name":"TOOL","arguments":{}}]}`,
		`{"role":"toolResult","toolCallId":"c","toolName":"TOOL","details":{"x":"HIDDEN"},"content":[{"type":"text","text":"RESULT`+strings.Repeat("é", 5_000)+`"},{"type":"image","data":"QUJDHIDDEN","mimeType":"image/png"}]}`,
		`{"role":"assistant","content":"NO_REPLY"}`,
		`{"role":"assistant","content":"Done."}`)
	h := l.read("agent:main:main", `{"sessionKey":"agent:main:child"}`)
	text := joinedTexts(h)
	if len(h.Messages) != 3 || h.TotalMessages != 3 || !strings.Contains(text, `"look `) || !strings.Contains(text, "Looking.") || !strings.Contains(text, "Done.") || h.HasMore || h.Truncated {
		t.Errorf("%+v\n%s", h, text)
	}
	for _, hidden := range []string{"HIDDEN", "TOOL", "RESULT", "08:00 UTC", key, `"usage"`, `"cost"`} {
		if strings.Contains(text, hidden) {
			t.Errorf("%q is told:\n%s", hidden, text)
		}
	}
	if !h.ContentRedacted || h.ContentTruncated {
		t.Errorf("%+v", h)
	}
	h = l.read("agent:main:main", `{"sessionKey":"agent:main:child","includeTools":true}`)
	text = joinedTexts(h)
	if len(h.Messages) != 4 || !strings.Contains(text, `"name":"TOOL"`) || !strings.Contains(text, "RESULT"+strings.Repeat("é", longestToldText-len("RESULT"))+`\n`) || strings.Contains(text, "HIDDEN") || !h.ContentTruncated || !h.Truncated {
		t.Errorf("%+v\n%.3000s", h, text)
	}
}

// what answers an announcement from before a session is none of it.
func TestSessionsHistoryFromBefore(t *testing.T) {
	t.Parallel()
	l := &library{t, t.TempDir(), Access{}}
	l.put("agent:main:main", `{}`)
	for key, c := range map[string]struct{ row, want string }{
		"agent:main:known":   {`{"spawnedBy":"agent:main:main","sessionStartedAt":100}`, "Of now."},
		"agent:main:unknown": {`{"spawnedBy":"agent:main:main"}`, "Of before."},
	} {
		l.put(key, c.row,
			`{"role":"user","timestamp":1,"content":"done","provenance":{"kind":"inter_session","sourceTool":"subagent_announce"}}`,
			`{"role":"assistant","timestamp":2,"content":"Of before."}`,
			`{"role":"assistant","timestamp":3,"content":"Of now."}`)
		h := l.read("agent:main:main", `{"sessionKey":"`+key+`"}`)
		if len(h.Messages) == 0 || !strings.Contains(string(h.Messages[0]), c.want) {
			t.Errorf("%s: %s", key, joinedTexts(h))
		}
	}
}

// H-81, H-11, H-B02: pages go back through the whole session, none is too large, and
// none is empty while there are more.
func TestSessionsHistoryPages(t *testing.T) {
	t.Parallel()
	l := &library{t, t.TempDir(), Access{}}
	var lines []string
	for i := range 120 {
		lines = append(lines, fmt.Sprintf(`{"role":"user","content":"%d %s"}`, i, strings.Repeat("x", 3_000)), `{"role":"toolResult","toolCallId":"c","content":"r"}`)
	}
	l.put("agent:main:main", `{}`, lines...)
	seen, offset := 0, 0
	for page := 0; ; page++ {
		h := l.read("agent:main:main", fmt.Sprintf(`{"sessionKey":"agent:main:main","limit":50,"offset":%d}`, offset))
		if len(h.Messages) == 0 || h.Bytes > longestTold || h.TotalMessages != 120 || page > 10 {
			t.Fatalf("page %d: %d messages, %d bytes of %d", page, len(h.Messages), h.Bytes, h.TotalMessages)
		}
		if last := string(h.Messages[len(h.Messages)-1]); !strings.Contains(last, fmt.Sprintf(`"%d x`, 119-seen)) {
			t.Fatalf("page %d ends with %.80s", page, last)
		}
		if page == 0 && (h.DroppedMessages == 0 || !h.Truncated || len(h.Messages)+h.DroppedMessages != 50) {
			t.Errorf("%d dropped of a page of %d", h.DroppedMessages, len(h.Messages))
		}
		seen += len(h.Messages)
		if !h.HasMore {
			break
		}
		offset = h.NextOffset
	}
	if seen != 120 {
		t.Errorf("%d messages in all", seen)
	}
	if h := l.read("agent:main:main", `{"sessionKey":"agent:main:main","offset":500}`); len(h.Messages) != 0 || h.HasMore {
		t.Errorf("%+v", h)
	}
	// A newest message that fits in no page has a stand-in.
	l.put("agent:main:main", `{}`, `{"role":"user","content":"first"}`, `{"role":"user","content":[`+strings.Repeat(`{"type":"text","text":"`+strings.Repeat("y", 3_000)+`"},`, 40)+`{"type":"text","text":""}]}`)
	h := l.read("agent:main:main", `{"sessionKey":"agent:main:main"}`)
	if text := joinedTexts(h); len(h.Messages) != 2 || !strings.Contains(text, texts.OmittedOversized) || !h.Truncated {
		t.Errorf("%+v\n%.500s", h, text)
	}
}

// S-32, H-81: who may read what is what may be sent to, and the list names nothing else.
func TestSessionsAccess(t *testing.T) {
	t.Parallel()
	l := &library{t: t, state: t.TempDir()}
	talk := `{"role":"user","content":"hi"}`
	l.put("agent:main:main", `{"updatedAt":1}`, talk)
	l.put("agent:main:child", `{"spawnedBy":"agent:main:main","updatedAt":3,"label":"work"}`, talk)
	l.put("agent:main:stranger", `{"updatedAt":2}`, talk)
	l.put("agent:main:boxed", `{"sandboxed":true}`, talk)
	l.put("agent:ops:main", `{"updatedAt":4}`, talk)
	const from = "agent:main:main"
	for _, c := range []struct {
		access Access
		from   string
		may    string // in the order of the list
	}{
		{Access{}, from, "agent:main:child agent:main:main"},
		{Access{Visibility: VisibleSelf}, from, "agent:main:main"},
		{Access{Visibility: VisibleAgent}, from, "agent:main:child agent:main:stranger agent:main:main agent:main:boxed"},
		{Access{Visibility: VisibleAll}, "agent:main:boxed", "agent:main:boxed"},
		{Access{AgentToAgent: true}, from, "agent:ops:main agent:main:child agent:main:main"},
		{Access{AgentToAgent: true, Allow: []string{"main"}}, from, "agent:main:child agent:main:main"},
	} {
		l.Access = c.access
		r := l.call(c.from, "sessions_list", `{}`)
		var list struct {
			Sessions []struct {
				SessionKey string `json:"sessionKey"`
			} `json:"sessions"`
		}
		if err := json.Unmarshal([]byte(r.Text), &list); err != nil || r.Failed {
			t.Fatalf("%+v, %v", r, err)
		}
		var keys []string
		for _, s := range list.Sessions {
			keys = append(keys, s.SessionKey)
		}
		if got := strings.Join(keys, " "); got != c.may {
			t.Errorf("%+v for %s lists %q, want %q", c.access, c.from, got, c.may)
		}
		for _, key := range []string{"agent:main:main", "agent:main:child", "agent:main:stranger", "agent:main:boxed", "agent:ops:main"} {
			h := l.read(c.from, `{"sessionKey":"`+key+`"}`)
			if may := strings.Contains(" "+c.may+" ", " "+key+" "); may != (h.Status == "ok") || may != (len(h.Messages) == 1) || may == (h.Error != "") {
				t.Errorf("%+v lets %s read %s: %+v", c.access, c.from, key, h)
			}
		}
	}
	for name, arguments := range map[string]string{"sessions_history": `{"sessionKey":"nobody"}`, "sessions_list": `{"limit":0}`} {
		if r := l.call(from, name, arguments); !r.Failed {
			t.Errorf("%s %s: %+v", name, arguments, r)
		}
	}
	for _, arguments := range []string{`{"sessionKey":"agent:main:main","limit":0}`, `{"sessionKey":"agent:main:main","offset":-1}`, `{"sessionKey":7}`} {
		if r := l.call(from, "sessions_history", arguments); !r.Failed {
			t.Errorf("%s: %+v", arguments, r)
		}
	}
}
