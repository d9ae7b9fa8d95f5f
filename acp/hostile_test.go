package acp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"hygeia"
	"hygeia/emulator"
	"hygeia/runner"
	"hygeia/runner/model"
)

// What is no request has the error of JSON-RPC, and the connection goes on.
func TestHostileLines(t *testing.T) {
	s := newStage(t)
	c := s.client(t)
	id := c.begin(s.cwd)
	prompt := func(blocks string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"session/prompt","params":{"sessionId":%q,"prompt":%s}}`, id, blocks)
	}
	for _, h := range []struct {
		line string
		id   string
		code int
	}{
		{`{`, "null", codeParse},
		{"\xff\xfe", "null", codeParse},
		{`{"jsonrpc":"2.0","id":1,"id":2,"method":"initialize"}`, "null", codeParse},
		{strings.Repeat("[", 20_000), "null", codeParse},
		{strings.Repeat(" ", 100), "null", codeParse},
		{`[]`, "null", codeRequest},
		{`null`, "null", codeRequest},
		{`7`, "null", codeRequest},
		{`{}`, "null", codeRequest},
		{`{"jsonrpc":"2.0","id":{},"method":"initialize","params":{}}`, "null", codeRequest},
		{`{"jsonrpc":"2.0","id":true,"method":"initialize","params":{}}`, "null", codeRequest},
		{`{"jsonrpc":"2.0","id":"` + strings.Repeat("x", 5000) + `","method":"initialize","params":{}}`, "null", codeRequest},
		{`{"jsonrpc":"1.0","id":3,"method":"initialize","params":{}}`, "3", codeRequest},
		{`{"id":3,"method":"initialize","params":{}}`, "3", codeRequest},
		{`{"jsonrpc":"2.0","id":3,"method":3}`, "3", codeRequest},
		{`{"jsonrpc":"2.0","id":10}`, "10", codeRequest},
		{`{"jsonrpc":"2.0","id":"x","params":{}}`, `"x"`, codeRequest},
		{`{"jsonrpc":"2.0","id":null,"method":"session/dance"}`, "null", codeMethod},
		{`{"jsonrpc":"2.0","id":1e400,"method":"session/dance"}`, "1e400", codeMethod},
		{`{"jsonrpc":"2.0","id":"x","method":"authenticate","params":{}}`, `"x"`, codeMethod},
		{`{"jsonrpc":"2.0","id":3,"method":"initialize"}`, "3", codeParams},
		{`{"jsonrpc":"2.0","id":3,"method":"initialize","params":[]}`, "3", codeParams},
		{`{"jsonrpc":"2.0","id":3,"method":"session/new","params":{"cwd":7}}`, "3", codeParams},
		{`{"jsonrpc":"2.0","id":3,"method":"session/new","params":{"cwd":"relative","mcpServers":[]}}`, "3", codeParams},
		{`{"jsonrpc":"2.0","id":3,"method":"session/new","params":{"cwd":"/","mcpServers":[{"name":"x"}]}}`, "3", codeParams},
		{`{"jsonrpc":"2.0","id":3,"method":"session/new","params":{"cwd":"/","_meta":{"sessionKey":"agent:../../x:1"}}}`, "3", codeNotFound},
		{`{"jsonrpc":"2.0","id":3,"method":"session/new","params":{"cwd":"/","_meta":{"sessionKey":"a\u0000"}}}`, "3", codeParams},
		{`{"jsonrpc":"2.0","id":3,"method":"session/load","params":{"sessionId":"../../etc/passwd","cwd":"/"}}`, "3", codeNotFound},
		{`{"jsonrpc":"2.0","id":3,"method":"session/load","params":{"sessionId":"","cwd":"/"}}`, "3", codeParams},
		{`{"jsonrpc":"2.0","id":3,"method":"session/resume","params":{"sessionId":"nobody","cwd":"/"}}`, "3", codeNotFound},
		{`{"jsonrpc":"2.0","id":3,"method":"session/close","params":{"sessionId":"nobody"}}`, "3", codeNotFound},
		{`{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"nobody","prompt":[]}}`, "3", codeNotFound},
		{`{"jsonrpc":"2.0","id":3,"method":"session/list","params":{"cursor":"!"}}`, "3", codeParams},
		{prompt(`[]`), "7", codeParams},
		{prompt(`[{"type":"text","text":" \n"}]`), "7", codeParams},
		{prompt(`[{"type":"audio","data":"","mimeType":"audio/wav"}]`), "7", codeParams},
		{prompt(`[{"type":"image","data":"AAAA","mimeType":"image/png"}]`), "7", codeParams},
		{prompt(`[{"type":"image","data":"!","mimeType":"image/png"}]`), "7", codeParams},
		{prompt(`[{"type":"resource_link","name":"x"}]`), "7", codeParams},
		{prompt(`[{"type":"resource"}]`), "7", codeParams},
		{prompt(`[{"type":"resource","resource":{"uri":"file:///x","blob":"AAAA","mimeType":"application/pdf"}}]`), "7", codeParams},
		{prompt(`[{"type":"text","text":"` + strings.Repeat("x", longestPrompt+1) + `"}]`), "7", codeParams}, // H-72
	} {
		c.write(h.line)
		r := c.read()
		if r.Error == nil || r.Error.Code != h.code || string(r.ID) != h.id {
			t.Errorf("%.80s: the answer is %s %v, want code %d", h.line, r.ID, r.Error, h.code)
		}
	}
	// Neither notices nor answers to what nobody asked have an answer.
	c.write(``)
	c.write(`{"jsonrpc":"2.0","method":"session/prompt","params":{}}`)
	c.write(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"nobody"}}`)
	c.write(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":[]}}`)
	c.write(`{"jsonrpc":"2.0","id":9,"result":{}}`)
	c.write(`{"jsonrpc":"2.0","id":9,"result":null}`)
	c.write(`{"jsonrpc":"2.0","id":9,"error":{"code":-32601,"message":"no"}}`)
	if r, _ := c.say(id, "still there?"); r.Error != nil {
		t.Error(r.Error)
	}
	if _, err := os.Stat(filepath.Join(s.State, "agents", "..", "..", "x")); !errors.Is(err, os.ErrNotExist) {
		t.Error("a key has led out of the state")
	}
}

// A line that is too long is not kept, and the next one is read.
func TestHugeLine(t *testing.T) {
	in := io.MultiReader(io.LimitReader(letters{}, longestLine+1), strings.NewReader("\n"+`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`))
	var out bytes.Buffer
	if err := Serve(t.Context(), newStage(t).Config, in, &out); err != nil {
		t.Fatal(err)
	}
	if s := out.String(); !strings.Contains(s, `"code":-32700`) || !strings.Contains(s, `"id":1,"result"`) {
		t.Error(s)
	}
}

type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// H-71: at most 120 sessions begin within 10 s.
func TestCreationsAreLimited(t *testing.T) {
	l := limit{most: 120, within: 10 * time.Second}
	now := time.Unix(1000, 0)
	for i := range 120 {
		if !l.take(now.Add(time.Duration(i) * time.Millisecond)) {
			t.Fatalf("creation %d is refused", i)
		}
	}
	if l.take(now.Add(9 * time.Second)) {
		t.Error("one too many is let through")
	}
	if !l.take(now.Add(10*time.Second)) || l.take(now.Add(10*time.Second)) {
		t.Error("the window does not move with the time")
	}
	s := newStage(t)
	s.Now = func() time.Time { return now }
	c := s.client(t)
	for range 120 {
		c.begin(s.cwd)
	}
	if r, _ := c.call("session/new", object{"cwd": s.cwd}); r.Error == nil || r.Error.Code != codeLimit {
		t.Errorf("session/new: %+v", r)
	}
	// session/list pages through all of them once; a cursor belongs to its filter (H-73).
	seen := map[string]bool{}
	next := ""
	for {
		r, _ := c.call("session/list", object{"cwd": s.cwd, "cursor": next})
		var p listed
		if err := json.Unmarshal(r.Result, &p); err != nil {
			t.Fatal(err, r.Error)
		}
		for _, info := range p.Sessions {
			if seen[info.SessionID] || info.CWD != s.cwd {
				t.Errorf("listed wrongly: %+v", info)
			}
			seen[info.SessionID] = true
		}
		if next = p.Next; next == "" {
			break
		}
		if r, _ := c.call("session/list", object{"cursor": next}); r.Error == nil || r.Error.Code != codeParams {
			t.Errorf("a cursor of another filter: %+v", r)
		}
	}
	if len(seen) != 120 {
		t.Errorf("%d sessions are listed", len(seen))
	}
	if r, _ := c.call("session/list", object{"cwd": "/elsewhere"}); string(r.Result) != `{"sessions":[]}` {
		t.Errorf("another folder: %s", r.Result)
	}
}

// H-72: cancel ends a prompt, also one that it directly follows; what was said stays.
func TestCancel(t *testing.T) {
	slow := emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{text(strings.Repeat("word ", 2000))}, Pace: 5 * time.Millisecond}, Times: -1}
	s := newStage(t, slow)
	c := s.client(t)
	id := c.begin(s.cwd)
	for _, how := range []string{"session/cancel", "$/cancel_request", "session/close"} {
		c.ask("session/prompt", object{"sessionId": id, "prompt": []object{{"type": "text", "text": "talk"}}})
		prompt := fmt.Sprint(c.next)
		if how != "session/cancel" { // it has to find a prompt that only just came
			for r := c.read(); r.Params.Update["sessionUpdate"] != messageChunk; r = c.read() {
				if r.Method == "" {
					t.Fatalf("%s: no answer streams: %+v", how, r)
				}
			}
		}
		switch how {
		case "session/cancel":
			c.write(fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":%q}}`, id))
		case "$/cancel_request":
			c.write(fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":%d}}`, c.next))
		default:
			c.ask(how, object{"sessionId": id})
		}
		for {
			r := c.read()
			if r.Method != "" || string(r.ID) != prompt {
				continue
			}
			if string(r.Result) != `{"stopReason":"cancelled"}` {
				t.Errorf("%s: %s %v", how, r.Result, r.Error)
			}
			break
		}
	}
	if !strings.Contains(s.file(t, id), `"stopReason":"aborted"`) {
		t.Error("what was said before is not stored")
	}
}

// H-B09: a call that is never carried out, because the answer was stopped, does not look
// for ever as if it were.
func TestCancelledCallIsOver(t *testing.T) {
	s := newStage(t, emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{
		{Call: "read_file", Arguments: []byte(`{"path":"` + strings.Repeat("long/", 2000) + `"}`)},
	}, Pace: 5 * time.Millisecond}})
	c := s.client(t)
	id := c.begin(s.cwd)
	c.ask("session/prompt", object{"sessionId": id, "prompt": []object{{"type": "text", "text": "look"}}})
	status := any(nil)
	for r := c.read(); r.Method != ""; r = c.read() {
		u := r.Params.Update
		if u["sessionUpdate"] == toolCall {
			c.write(fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":%q}}`, id))
		}
		if u["toolCallId"] != nil {
			status = u["status"]
		}
	}
	if status != failed {
		t.Errorf("the call is %v", status)
	}
}

// H-72: why an answer ended, and what people are told of an error.
func TestStopReasons(t *testing.T) {
	for _, c := range []struct {
		answer emulator.Answer
		stop   string
		told   string
	}{
		{emulator.Answer{Content: []emulator.Part{text("all")}}, "end_turn", "all"},
		{emulator.Answer{Content: []emulator.Part{text("half")}, Stop: "length"}, "max_tokens", "half"},
		{emulator.Answer{Status: 401, Error: "bad key"}, "end_turn", "bad key"},
		{emulator.Answer{Content: []emulator.Part{text("no")}, Stop: "refusal"}, "refusal", ""},
	} {
		s := newStage(t, emulator.Step{Answer: c.answer, Times: -1})
		cl := s.client(t)
		r, updates := cl.say(cl.begin(s.cwd), "go")
		var p prompted
		if err := json.Unmarshal(r.Result, &p); err != nil || p.StopReason != c.stop {
			t.Errorf("%+v: %s %v, want %s", c.answer, r.Result, r.Error, c.stop)
		}
		if !strings.Contains(lines(updates), c.told) {
			t.Errorf("%+v: told %s", c.answer, lines(updates))
		}
	}
}

// H-72: text, links, resources and pictures make one prompt.
func TestPromptParts(t *testing.T) {
	const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	words := "see\nthe ```fences```"
	p, err := promptOf([]block{
		{Type: "text", Text: "Compare \r\nthem\x07"},
		{Type: "resource_link", Name: "a.go", URI: "file:///a.go"},
		{Type: "resource", Resource: &resource{URI: "file:///b.md", Text: &words}},
		{Type: "image", Data: png, MimeType: "image/png"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := "Compare \nthem\n[a.go](file:///a.go)\n<file:///b.md>\n````\nsee\nthe ```fences```\n````"; p.Body != want {
		t.Errorf("the body is %q, want %q", p.Body, want)
	}
	if len(p.Pictures) != 1 {
		t.Errorf("%d pictures", len(p.Pictures))
	}
	if p, err := promptOf([]block{{Type: "image", Data: png}}); err != nil || p.Body == "" {
		t.Errorf("a picture alone: %q %v", p.Body, err)
	}
	half := block{Type: "text", Text: strings.Repeat("a", longestPrompt/2)}
	picture, note := block{Type: "image", Data: png}, "note"
	if _, err := promptOf([]block{half, half}); err != nil {
		t.Error(err)
	}
	if _, err := promptOf(slices.Repeat([]block{picture}, mostPictures)); err != nil {
		t.Error(err)
	}
	blob := &resource{URI: "file:///p.png", Blob: &picture.Data, MimeType: "image/png"}
	if p, err := promptOf([]block{{Type: "resource", Resource: blob}}); err != nil || len(p.Pictures) != 1 {
		t.Errorf("%d pictures, %v", len(p.Pictures), err)
	}
	for _, c := range []struct {
		prompt []block
		want   string
	}{
		{[]block{half, half, {Type: "text", Text: "a"}}, "bytes of text"},
		{slices.Repeat([]block{picture}, mostPictures+1), "pictures"},
		{[]block{{Type: "image", Data: strings.Repeat("A", hygeia.MaxPicture*4/3+8)}}, "prompt/0: a picture has more than"},
		{[]block{half, {Type: "image", Data: "?"}}, "prompt/1: the data of the picture is no base64"},
		{[]block{{Type: "resource_link", Name: "a"}}, "a link needs a uri"},
		{[]block{{Type: "resource"}}, "a resource needs a uri"},
		{[]block{{Type: "resource", Resource: &resource{Text: &note}}}, "a resource needs a uri"},
		{[]block{{Type: "resource", Resource: &resource{URI: "file:///a"}}}, "text or a picture"},
		{[]block{{Type: "resource", Resource: &resource{URI: "file:///a", Blob: &picture.Data, MimeType: "audio/wav"}}}, "text or a picture"},
		{[]block{{Type: "audio"}}, `"audio" is not taken`},
		{[]block{{Type: "text", Text: " \n"}}, "it is empty"},
		{nil, "it is empty"},
	} {
		if _, err := promptOf(c.prompt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d blocks: %v, want %s", len(c.prompt), err, c.want)
		}
	}
}

// FuzzServe: whatever comes in, every line that goes out is a message of JSON-RPC.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"session/list","params":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/","_meta":{"sessionKey":"k"}}}` + "\n" +
			`{"jsonrpc":"2.0","id":2,"method":"session/load","params":{"sessionId":"k","cwd":"/"}}` + "\n" +
			`{"jsonrpc":"2.0","id":"3","method":"session/prompt","params":{"sessionId":"k","prompt":[{"type":"text","text":"hi"}]}}` + "\n" +
			`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"k"}}`,
		`[` + "\n\n" + `{"id":[]}`, "\xff", `{"jsonrpc":"2.0","id":1e999,"method":"\u0000"}`,
	} {
		f.Add([]byte(seed))
	}
	run := func(string) (*runner.Runner, error) {
		return runner.New(runner.Options{Target: hygeia.Target{Provider: "anthropic", Model: "claude-opus-4-6"}, Model: mute{}})
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		if err := Serve(t.Context(), Config{State: t.TempDir(), Run: run}, bytes.NewReader(in), &out); err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(out.Bytes()) {
			var r reply
			if err := json.Unmarshal(line, &r); err != nil || r.Method == "" && (r.Result == nil) == (r.Error == nil) {
				t.Fatalf("%v in %s", err, line)
			}
		}
	})
}

// mute is a model that fails at once.
type mute struct{}

func (mute) Stream(context.Context, model.Call, func(model.Event)) (*model.Answer, error) {
	return &model.Answer{StopReason: model.Failed}, &model.Error{Kind: model.Unready, Text: "nobody is there"}
}
