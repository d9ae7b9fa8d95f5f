package acceptance_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"hygeia"
	"hygeia/acp"
	"hygeia/gateway"
	"hygeia/internal/cli"
	"hygeia/runner"
	"hygeia/runner/model"
	"hygeia/runner/tools"
	"hygeia/transcript"
	"hygeia/tui"
)

func shownByCommand(t *testing.T, r recording) *told {
	t.Setenv("HYGEIA_HOME", t.TempDir())
	w, problems := &told{}, bytes.Buffer{}
	ask := []string{"history", r.path, "--thinking", "--tools"}
	for _, form := range [][]string{{"--as", "text"}, {"--as", "markdown"}, {"--as", "html"}, {"--json"}} {
		if code := cli.Main(append(ask, form...), strings.NewReader(""), &w.raw, &problems); code != 0 {
			t.Fatal(code, problems.String())
		}
	}
	var h struct{ Messages []json.RawMessage }
	if err := json.Unmarshal(w.raw.Bytes()[bytes.LastIndex(w.raw.Bytes(), []byte("\n{")):], &h); err != nil {
		t.Fatal(err)
	}
	return w.messages(t, h.Messages)
}

// serve returns the address of a gateway.
func serve(t *testing.T, state string) string {
	t.Helper()
	g, err := gateway.New(gateway.Config{State: state, Poll: 5 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(g.Handler())
	t.Cleanup(func() { server.CloseClientConnections(); g.Close(); server.Close() })
	return server.URL
}

// historyOf asks a gateway for the session.
func historyOf(t *testing.T, state, accept string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", serve(t, state)+"/sessions/"+surfacesKey+"/history?includeThinking=true&includeTools=true", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", accept)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	if res.StatusCode != http.StatusOK {
		t.Fatal(res.Status)
	}
	return res
}

func shownByREST(t *testing.T, r recording) *told {
	var h struct{ Messages []json.RawMessage }
	w := &told{}
	if _, err := w.raw.ReadFrom(historyOf(t, r.state, "application/json").Body); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(w.raw.Bytes(), &h); err != nil {
		t.Fatal(err)
	}
	return w.messages(t, h.Messages)
}

// shownByTool reads the session as the model of a session does (H-81).
func shownByTool(t *testing.T, r recording) *told {
	list, err := runner.HistoryTools(runner.Sessions{State: r.state}, runner.Access{}, surfacesKey)
	if err != nil {
		t.Fatal(err)
	}
	set, err := tools.New(list...)
	if err != nil {
		t.Fatal(err)
	}
	answer := set.Call(t.Context(), tools.Call{Name: "sessions_history", Arguments: []byte(`{"sessionKey":"` + surfacesKey + `","includeTools":true}`)})
	w := &told{}
	w.raw.WriteString(answer.Text)
	var h struct{ Messages []json.RawMessage }
	if err := json.Unmarshal(w.raw.Bytes(), &h); err != nil || answer.Failed {
		t.Fatal(answer.Text, err)
	}
	return w.messages(t, h.Messages)
}

// shownByStream follows the session until its last words were told.
func shownByStream(t *testing.T, r recording, grow func()) *told {
	w := &told{}
	events := bufio.NewScanner(io.TeeReader(historyOf(t, r.state, "text/event-stream").Body, &w.raw))
	events.Buffer(nil, 16<<20)
	var list []json.RawMessage
	at := map[string]int{} // by id
	name := ""
	for events.Scan() {
		line := events.Text()
		if rest, ok := strings.CutPrefix(line, "event: "); ok {
			name = rest
		}
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		var e struct {
			Messages  []json.RawMessage
			Message   json.RawMessage
			MessageID string
		}
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			t.Fatal(err)
		}
		switch name {
		case "history":
			list, at = nil, map[string]int{}
			for _, m := range e.Messages {
				var id struct {
					Meta struct{ ID string } `json:"__openclaw"`
				}
				if err := json.Unmarshal(m, &id); err != nil {
					t.Fatal(err)
				}
				at[id.Meta.ID] = len(list)
				list = append(list, m)
			}
			if grow != nil {
				go grow()
				grow = nil
			}
		case "message":
			at[e.MessageID] = len(list)
			list = append(list, e.Message)
		case "replace":
			list[at[e.MessageID]] = e.Message
		default:
			t.Fatalf("event %s", name)
		}
		if len(list) > 0 && bytes.Contains(list[len(list)-1], []byte(lastWords)) {
			return w.messages(t, list)
		}
	}
	t.Fatal("the stream ends:", events.Err())
	return nil
}

// shownLive follows a session that is being written.
func shownLive(t *testing.T, r recording) *told {
	lines := bytes.SplitAfter(r.text, []byte("\n"))
	half := len(lines) / 3
	if err := os.WriteFile(r.path, bytes.Join(lines[:half], nil), 0o600); err != nil {
		t.Fatal(err)
	}
	return shownByStream(t, r, func() { appendSlowly(t, r.path, lines[half:]) })
}

// appendSlowly writes as a run does, one record after the other.
func appendSlowly(t *testing.T, path string, lines [][]byte) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	for _, line := range lines {
		time.Sleep(8 * time.Millisecond)
		if _, err := f.Write(line); err != nil {
			t.Error(err)
		}
	}
}

func nobody(string) (*runner.Runner, error) {
	return runner.New(runner.Options{Target: hygeia.Target{Provider: "anthropic", Model: "claude-opus-4-6"}, Model: model.New(model.Config{})})
}

// everything is what a terminal shows when it shows all.
var everything = tui.Show{Thinking: true, Tools: true, Limit: 1000}

// loadedFrom returns the page that a source of the terminal begins with.
func loadedFrom(t *testing.T, source tui.Source, key string) (messages []*transcript.Message) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	source.Follow(ctx, key, everything, func(e tui.Event) {
		if e.Kind == tui.Loaded && messages == nil {
			messages = e.Page.Messages
		}
		cancel()
	})
	return messages
}

// terminal tells the messages that a source of the terminal gives.
func terminal(t *testing.T, source tui.Source, key string) *told {
	w := &told{}
	for _, m := range loadedFrom(t, source, key) {
		w.raw.Write(m.AppendJSON(nil))
		w.message(t, m)
	}
	return w
}

func openFile(t *testing.T, path string) *tui.File {
	f, err := tui.NewFile(tui.FileOptions{Path: path, Run: nobody})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

func shownByTerminal(t *testing.T, r recording) *told { return terminal(t, openFile(t, r.path), "") }

func shownByRemote(t *testing.T, r recording) *told {
	source, err := tui.NewRemote(serve(t, r.state), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return terminal(t, source, surfacesKey)
}

var looks = regexp.MustCompile("\x1b\\[[0-9;]*m")

// shownOnScreen reads the lines that the terminal draws.
func shownOnScreen(t *testing.T, r recording) *told {
	w := &told{}
	for _, m := range loadedFrom(t, openFile(t, r.path), "") {
		text := looks.ReplaceAllString(strings.Join(tui.Lines(m, 4000, everything), "\n"), "")
		w.raw.WriteString(text + "\n")
		w.screen(text)
	}
	return w
}

func shownByACP(t *testing.T, r recording) *told {
	w := &told{}
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"session/load","params":{"sessionId":"surfaces","cwd":"/srv/app","mcpServers":[]}}`)
	if err := acp.Serve(t.Context(), acp.Config{State: r.state, Run: nobody}, in, &w.raw); err != nil {
		t.Fatal(err)
	}
	last := ""
	titles := map[string]string{}
	for line := range bytes.Lines(w.raw.Bytes()) {
		var m struct {
			Error  any
			Params struct {
				Update struct {
					Kind    string          `json:"sessionUpdate"`
					Content json.RawMessage `json:"content"`
					CallID  string          `json:"toolCallId"`
					Title   string          `json:"title"`
					Status  string          `json:"status"`
					Input   json.RawMessage `json:"rawInput"`
					Meta    map[string]any  `json:"_meta"`
				}
			}
		}
		if err := json.Unmarshal(line, &m); err != nil || m.Error != nil {
			t.Fatalf("%v %v", err, m.Error)
		}
		u := m.Params.Update
		kind, ok := map[string]string{"user_message_chunk": "user", "agent_message_chunk": "assistant", "agent_thought_chunk": "thinking"}[u.Kind]
		switch {
		case ok:
			if u.Meta["hygeia.kind"] != nil {
				kind = "note"
			}
			if sender := u.Meta["hygeia.sender"]; sender != nil && kind != "thinking" {
				kind += fmt.Sprint(", ", sender)
			}
			var c struct{ Text string }
			if err := json.Unmarshal(u.Content, &c); err != nil {
				t.Fatal(err)
			}
			if u.Kind == last {
				c.Text = strings.TrimPrefix(c.Text, "\n\n")
			}
			w.piece(kind, c.Text)
		case u.Kind == "tool_call":
			titles[u.CallID] = u.Title
		case u.Input != nil:
			w.call(titles[u.CallID], u.Input)
		case u.Kind == "tool_call_update":
			var c []struct{ Content struct{ Text string } }
			if err := json.Unmarshal(u.Content, &c); err != nil {
				t.Fatal(err)
			}
			id, _, _ := strings.Cut(u.CallID, "#") // repeated ids are made distinct
			w.piece(fmt.Sprintf("result of %s (%s), failed %v", titles[u.CallID], id, u.Status == "failed"), c[0].Content.Text)
		}
		last = u.Kind
	}
	return w
}
