package acp

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hygeia"
	"hygeia/emulator"
	"hygeia/runner"
	"hygeia/runner/model"
	"hygeia/runner/tools"
	"hygeia/session"
)

// client is the other side of an agent, which speaks to it in lines.
type client struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Scanner
	next int
	done chan error
}

// reply is a message of the agent.
type reply struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *failure        `json:"error"`
	Params struct {
		SessionID string         `json:"sessionId"`
		Update    map[string]any `json:"update"`
	} `json:"params"`
}

// stage is what an agent works on.
type stage struct {
	Config
	provider *emulator.Server
	cwd      string
}

// newStage returns a stage whose model says what the steps say, or echoes.
func newStage(t *testing.T, steps ...emulator.Step) *stage {
	t.Helper()
	s := &stage{cwd: t.TempDir()}
	o := emulator.Options{}
	if len(steps) > 0 {
		o.Respond = emulator.Script(steps...)
	}
	s.provider = emulator.NewServer(o)
	t.Cleanup(s.provider.Close)
	s.Config = Config{State: t.TempDir(), Run: func(cwd string) (*runner.Runner, error) {
		root, err := os.OpenRoot(cwd)
		if err != nil {
			return nil, err
		}
		set, err := tools.New(tools.Read(root))
		if err != nil {
			return nil, err
		}
		return runner.New(runner.Options{
			Target: hygeia.Target{Provider: "anthropic", Model: "claude-opus-4-6"}, Tools: set,
			Model: model.New(model.Config{Emulator: s.provider.URL}), Write: session.WriteOptions{CWD: cwd},
		})
	}}
	return s
}

func (s *stage) client(t *testing.T) *client {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &client{t: t, in: inW, out: bufio.NewScanner(outR), done: make(chan error, 1)}
	c.out.Buffer(nil, 16<<20)
	go func() {
		err := Serve(context.Background(), s.Config, inR, outW)
		outW.Close()
		c.done <- err
	}()
	t.Cleanup(func() {
		inW.Close()
		go io.Copy(io.Discard, outR)
		if err := <-c.done; err != nil {
			t.Error(err)
		}
	})
	return c
}

func (c *client) write(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) read() reply {
	c.t.Helper()
	if !c.out.Scan() {
		c.t.Fatalf("the agent says no more: %v", c.out.Err())
	}
	var r reply
	if err := json.Unmarshal(c.out.Bytes(), &r); err != nil {
		c.t.Fatalf("%v in %s", err, c.out.Bytes())
	}
	return r
}

// ask sends a request.
func (c *client) ask(method string, params any) {
	c.t.Helper()
	c.next++
	text, err := json.Marshal(params)
	if err != nil {
		c.t.Fatal(err)
	}
	c.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, c.next, method, text))
}

// call sends a request and returns the answer with the updates in front of it.
func (c *client) call(method string, params any) (r reply, updates []map[string]any) {
	c.t.Helper()
	c.ask(method, params)
	for {
		if r = c.read(); r.Method == "" {
			return r, updates
		}
		updates = append(updates, r.Params.Update)
	}
}

type object = map[string]any

func (c *client) begin(cwd string) string {
	c.t.Helper()
	r, _ := c.call("session/new", object{"cwd": cwd, "mcpServers": []any{}})
	var p opened
	if err := json.Unmarshal(r.Result, &p); err != nil || p.SessionID == "" {
		c.t.Fatalf("no session: %s %v", r.Result, r.Error)
	}
	return p.SessionID
}

func (c *client) say(id, text string) (reply, []map[string]any) {
	c.t.Helper()
	return c.call("session/prompt", object{"sessionId": id, "prompt": []object{{"type": "text", "text": text}}})
}

// lines writes updates down, chunks of one text joined.
func lines(updates []map[string]any) string {
	var b strings.Builder
	last := ""
	for _, u := range updates {
		kind := u["sessionUpdate"].(string)
		switch kind {
		case userChunk, messageChunk, thoughtChunk:
			text := u["content"].(object)["text"].(string)
			if kind == last {
				b.WriteString(text)
			} else {
				fmt.Fprintf(&b, "\n%s: %s", kind, text)
			}
		case toolCall:
			fmt.Fprintf(&b, "\n%s %s %s %s %s", kind, u["toolCallId"], u["title"], u["kind"], u["status"])
		case toolUpdate:
			fmt.Fprintf(&b, "\n%s %s %s", kind, u["toolCallId"], u["status"])
			if in := u["rawInput"]; in != nil {
				fmt.Fprintf(&b, " %v", in)
			}
			if c, ok := u["content"].([]any); ok {
				fmt.Fprintf(&b, " %v", c[0].(object)["content"].(object)["text"])
			}
		}
		last = kind
	}
	return strings.TrimPrefix(b.String(), "\n")
}

func text(words string) emulator.Part { return emulator.Part{Text: words} }

// readsNotes lets the model think, read a file, and say what is in it.
func readsNotes(t *testing.T) *stage {
	s := newStage(t,
		emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{
			{Thinking: "I have to look."}, text("Looking at it."), {Call: "read_file", Arguments: []byte(`{"path":"notes.txt"}`)},
		}}},
		emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{text("It says: grüß Gott 👋 and that is all.")}}},
	)
	if err := os.WriteFile(filepath.Join(s.cwd, "notes.txt"), []byte("grüß Gott"), 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

// H-70 to H-73, H-B09: a conversation streams, and is shown again when it is loaded by
// another process.
func TestConversation(t *testing.T) {
	s := readsNotes(t)
	c := s.client(t)
	r, _ := c.call("initialize", object{"protocolVersion": 1})
	for _, want := range []string{`"protocolVersion":1`, `"loadSession":true`, `"image":true`, `"embeddedContext":true`, `"list":{}`, `"resume":{}`, `"close":{}`} {
		if !strings.Contains(string(r.Result), want) {
			t.Errorf("initialize: %s is missing in %s", want, r.Result)
		}
	}
	id := c.begin(s.cwd)
	r, live := c.say(id, "What do the notes say?")
	if string(r.Result) != `{"stopReason":"end_turn"}` {
		t.Errorf("the answer is %s %v", r.Result, r.Error)
	}
	said := lines(live)
	call := live[len(live)-1]["toolCallId"]
	for _, u := range live {
		if u["toolCallId"] != nil {
			call = u["toolCallId"]
		}
	}
	want := strings.ReplaceAll(`agent_thought_chunk: I have to look.
agent_message_chunk: Looking at it.
tool_call ID read_file read pending
tool_call_update ID in_progress map[path:notes.txt]
tool_call_update ID completed grüß Gott
agent_message_chunk: It says: grüß Gott 👋 and that is all.`, "ID", fmt.Sprint(call))
	if said != want {
		t.Errorf("live:\n%s\nwant:\n%s", said, want)
	}

	c = s.client(t)
	if r, _ := c.say(id, "hello"); r.Error == nil || r.Error.Code != codeNotFound {
		t.Errorf("a session that is not open takes prompts: %+v", r)
	}
	r, again := c.call("session/load", object{"sessionId": id, "cwd": s.cwd, "mcpServers": []any{}})
	if r.Error != nil {
		t.Fatal(r.Error)
	}
	if got := lines(again); got != "user_message_chunk: What do the notes say?\n"+want {
		t.Errorf("loaded:\n%s\nwant:\n%s", got, want)
	}
	if r, updates := c.call("session/resume", object{"sessionId": id, "cwd": s.cwd}); r.Error != nil || len(updates) > 0 {
		t.Errorf("resume: %+v, %d updates", r, len(updates)) // H-73: without replay
	}
	if r, _ := c.say(id, "And now?"); r.Error != nil {
		t.Error(r.Error)
	}
	if r, _ := c.call("session/close", object{"sessionId": id}); r.Error != nil {
		t.Error(r.Error)
	}
	if r, _ := c.say(id, "hello"); r.Error == nil {
		t.Error("a closed session takes prompts")
	}
}

// H-B11: the model knows the working directory; the session does not hold it as words.
func TestWorkingDirectoryIsHidden(t *testing.T) {
	for _, p := range []Provenance{NoProvenance, Meta, MetaReceipt} {
		s := newStage(t, emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{text("Here.")}}})
		s.Provenance = p
		c := s.client(t)
		id := c.begin(s.cwd)
		c.say(id, "Where are we?")
		requests := s.provider.Requests()
		sent := string(requests[len(requests)-1].Body)
		if !strings.Contains(sent, "Working directory: "+s.cwd+`\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>`) { // in the carrier, behind all else
			t.Errorf("%s: the model does not know: %s", p, sent)
		}
		if got := strings.Contains(sent, "[Source Receipt]"); got != (p == MetaReceipt) { // H-72
			t.Errorf("%s: receipt sent: %v", p, got)
		}
		file := s.file(t, id)
		if strings.Contains(file, "Working directory") || strings.Contains(file, "Source Receipt") {
			t.Errorf("%s: the session holds what was hidden: %s", p, file)
		}
		if got := strings.Contains(file, `"sourceTool":"openclaw_acp"`); got != (p != NoProvenance) { // H-72
			t.Errorf("%s: provenance stored: %v", p, got)
		}
		if !strings.Contains(file, `"content":"Where are we?"`) {
			t.Errorf("%s: the prompt is stored otherwise: %s", p, file)
		}
	}
}

func (s *stage) file(t *testing.T, id string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.State, "agents", "main", "sessions", id+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
