package acp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hygeia/emulator"
)

func idOfReply(t *testing.T, r reply) string {
	t.Helper()
	var o opened
	if r.Error != nil || json.Unmarshal(r.Result, &o) != nil {
		t.Fatalf("%s %v", r.Result, r.Error)
	}
	return o.SessionID
}

// H-71: a client may name the session that it wants by key or label, and begin it anew.
func TestNamedSessions(t *testing.T) {
	s := newStage(t)
	c := s.client(t)
	begin := func(meta object) reply {
		r, _ := c.call("session/new", object{"cwd": s.cwd, "_meta": meta})
		return r
	}
	first := idOfReply(t, begin(object{"sessionKey": "agent:main:work"}))
	if again := idOfReply(t, begin(object{"sessionKey": "agent:main:work"})); again != first {
		t.Errorf("the key means %s, then %s", first, again)
	}
	index := filepath.Join(s.State, "agents", "main", "sessions", "sessions.json")
	text, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	labelled := strings.Replace(string(text), `"sessionId"`, `"label":"the \u202ework","sessionId"`, 1)
	if err := os.WriteFile(index, []byte(labelled), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := idOfReply(t, begin(object{"sessionLabel": "the \u202ework"})); got != first {
		t.Errorf("the label means %s, want %s", got, first)
	}
	if r, _ := c.call("session/list", object{}); !strings.Contains(string(r.Result), `"title":"the work"`) { // H-B13
		t.Errorf("the list is %s", r.Result)
	}
	if r := begin(object{"sessionLabel": "nobody's"}); r.Error == nil || r.Error.Code != codeNotFound {
		t.Errorf("an unknown label: %+v", r)
	}
	two := strings.Replace(labelled, "{", `{"agent:main:other":{"label":"the \u202ework","sessionId":"other"},`, 1)
	if err := os.WriteFile(index, []byte(two), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := begin(object{"sessionLabel": "the \u202ework"}); r.Error == nil || r.Error.Code != codeParams || !strings.Contains(r.Error.Message, "several sessions have the label") {
		t.Errorf("a label of two sessions: %+v", r)
	}
	idOfReply(t, begin(object{"sessionKey": strings.Repeat("k", longestKey)}))
	for key, code := range map[string]int{strings.Repeat("k", longestKey+1): codeParams, "a\nb": codeParams, "agent:other:work": codeNotFound} {
		if r := begin(object{"sessionKey": key}); r.Error == nil || r.Error.Code != code {
			t.Errorf("the key %.20q: %+v, want %d", key, r.Error, code)
		}
	}
	c.say(first, "hello")
	fresh := idOfReply(t, begin(object{"sessionKey": "agent:main:work", "resetSession": true}))
	if fresh == first {
		t.Error("the session was not begun anew")
	}
	if !strings.Contains(s.file(t, first), `"hello"`) {
		t.Error("what was said before is gone")
	}
	if _, updates := c.call("session/load", object{"sessionId": fresh, "cwd": s.cwd}); strings.Contains(lines(updates), "hello") {
		t.Error("the new session holds what was said in the old one")
	}
}

// H-73, X-28: a session file of somebody else is told, whatever stands in it; one that
// cannot be read is an error, and the next request is answered.
func TestLoadOfOddFiles(t *testing.T) {
	s := newStage(t)
	c := s.client(t)
	id := c.begin(s.cwd)
	file := filepath.Join(s.State, "agents", "main", "sessions", id+".jsonl")
	head := `{"type":"session","version":3,"id":"` + id + `","timestamp":"2026-03-02T08:00:00.000Z","cwd":"/"}` + "\n"
	row := func(n int, message string) string {
		return fmt.Sprintf(`{"type":"message","id":"e%d","parentId":null,"timestamp":"2026-03-02T08:00:00.000Z","message":%s}`+"\n", n, message)
	}
	for _, f := range []struct{ text, want string }{
		{head, ""},
		{head + row(1, `{"role":"user","text":"in the older form"}`), "user_message_chunk: in the older form"},
		{
			head + row(1, `{"role":"toolResult","toolCallId":"x","toolName":"\u001b[2J","content":[{"type":"text","text":"of no call"}]}`),
			"tool_call x  [2J other pending\ntool_call_update x completed of no call",
		},
		{
			head + row(1, `{"role":"assistant","content":[{"type":"toolCall","id":"y","name":"read","arguments":"{\"torn"}],"stopReason":"toolUse"}`),
			"tool_call y read read pending\ntool_call_update y in_progress {\"torn\ntool_call_update y failed",
		},
		{head + row(1, `{"role":"assistant","content":[null,7,{"type":"image","data":"AAAA"},{"type":"text","text":"left"}]}`), "agent_message_chunk: left"},
		{ // what answers an announcement from before the session
			head + row(1, `{"role":"user","timestamp":1,"content":"done","provenance":{"kind":"inter_session","sourceTool":"subagent_announce"}}`) +
				strings.Replace(row(2, `{"role":"assistant","timestamp":2,"content":"of before"}`), "null", `"e1"`, 1) +
				strings.Replace(row(3, `{"role":"assistant","timestamp":3,"content":"of the session"}`), "null", `"e2"`, 1), "agent_message_chunk: of the session",
		},
	} {
		if err := os.WriteFile(file, []byte(f.text), 0o600); err != nil {
			t.Fatal(err)
		}
		r, updates := c.call("session/load", object{"sessionId": id, "cwd": s.cwd})
		if got := lines(updates); r.Error != nil || got != f.want {
			t.Errorf("%s\ntold %q %v, want %q", f.text, got, r.Error, f.want)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(file, 0o700); err != nil {
		t.Fatal(err)
	}
	if r, _ := c.call("session/load", object{"sessionId": id, "cwd": s.cwd}); r.Error == nil || r.Error.Code != codeInternal {
		t.Errorf("a folder is no session: %+v", r)
	}
	if r, _ := c.call("session/list", object{}); r.Error != nil {
		t.Error(r.Error)
	}
}

// A session that is opened again while it answers can still be cancelled.
func TestCancelOfSessionOpenedAgain(t *testing.T) {
	s := newStage(t, emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{text(strings.Repeat("word ", 2000))}, Pace: 5 * time.Millisecond}})
	c := s.client(t)
	id := c.begin(s.cwd)
	c.ask("session/prompt", object{"sessionId": id, "prompt": []object{{"type": "text", "text": "talk"}}})
	c.ask("session/resume", object{"sessionId": id, "cwd": s.cwd})
	c.write(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"` + id + `"}}`)
	for {
		if r := c.read(); strings.Contains(string(r.Result), "stopReason") {
			if string(r.Result) != `{"stopReason":"cancelled"}` {
				t.Errorf("%s", r.Result)
			}
			return
		}
	}
}

type closed struct{}

var errClosed = errors.New("nobody reads")

func (closed) Write([]byte) (int, error) { return 0, errClosed }

// A client that takes nothing any more ends what is at work, also where it goes on
// talking; so does the end of the context.
func TestClientThatIsGone(t *testing.T) {
	in, _ := io.Pipe() // says nothing for ever
	first := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}` + "\n")
	if err := Serve(t.Context(), newStage(t).Config, io.MultiReader(first, in), closed{}); !errors.Is(err, errClosed) {
		t.Errorf("the error is %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Serve(ctx, newStage(t).Config, in, io.Discard); err != nil {
		t.Error(err)
	}
	if err := Serve(ctx, Config{}, in, io.Discard); !errors.Is(err, ErrConfig) {
		t.Errorf("the error is %v", err)
	}
}

// X-B11, H-B09: what an editor is told while a run goes on is what it is told when it
// loads the session: thoughts, words, calls and results, in their order.
func TestRunsReloadAsTheyWere(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	words := []string{"Looking at it.", "[[reply_to_current]]Yes, 你好.", "NO_REPLY", "<think>hidden</think>Done:\n\n- one\n- two", "a < b", "The key is sk-ant-api03-" + strings.Repeat("Ab1", 30)}
	paths := []string{`{"path":"notes.txt"}`, `{"path":"missing.txt"}`}
	for range 25 {
		var steps []emulator.Step
		for n := random.IntN(4); n >= 0; n-- {
			var content []emulator.Part
			if random.IntN(2) == 0 {
				content = append(content, emulator.Part{Thinking: "I think of it."})
			}
			if random.IntN(4) > 0 || n == 0 {
				word := words[random.IntN(len(words))]
				if len(content) > 0 && word == "NO_REPLY" {
					content = nil // a turn that says nothing is hidden with its thinking, which came before that was known
				}
				content = append(content, text(word))
			}
			for k := random.IntN(3); k >= 0 && n > 0; k-- {
				content = append(content, emulator.Part{Call: "read_file", Arguments: []byte(paths[random.IntN(2)])})
			}
			steps = append(steps, emulator.Step{Answer: emulator.Answer{Content: content}})
		}
		s := newStage(t, steps...)
		if err := os.WriteFile(filepath.Join(s.cwd, "notes.txt"), []byte("grüß Gott"), 0o600); err != nil {
			t.Fatal(err)
		}
		c := s.client(t)
		id := c.begin(s.cwd)
		r, live := c.say(id, "Go.")
		if string(r.Result) != `{"stopReason":"end_turn"}` {
			t.Fatalf("%s %v", r.Result, r.Error)
		}
		_, again := c.call("session/load", object{"sessionId": id, "cwd": s.cwd})
		if got, want := settledCalls(again), settledCalls(live); got != want {
			t.Errorf("loaded:\n%s\nlive:\n%s", got, want)
		}
	}
}

// settledCalls is lines with calls in the place where they began: results of calls
// that work at the same time come in any order.
func settledCalls(updates []map[string]any) string {
	var order, list []map[string]any
	ends := map[any]map[string]any{}
	for _, u := range updates {
		switch {
		case u["sessionUpdate"] == userChunk:
		case u["sessionUpdate"] == toolUpdate && u["status"] != inProgress:
			ends[u["toolCallId"]] = u
		default:
			order = append(order, u)
		}
	}
	for _, u := range order {
		list = append(list, u)
		if u["sessionUpdate"] == toolUpdate {
			list = append(list, ends[u["toolCallId"]])
		}
	}
	return lines(list)
}
