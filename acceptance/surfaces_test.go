package acceptance_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hygeia"
	"hygeia/acp"
	"hygeia/gateway"
	"hygeia/internal/cli"
	"hygeia/runner"
	"hygeia/runner/model"
	"hygeia/transcript"
	"hygeia/tui"
)

var updateSurfaces = flag.Bool("update-surfaces", false, "rewrite what the surfaces are held to")

const surfacesKey = "agent:main:main"

// H-B14: every surface shows the same turns of a recorded session.
func TestSurfacesShowTheSame(t *testing.T) {
	recorded, err := os.ReadFile("testdata/surfaces.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	golden, err := os.ReadFile("testdata/surfaces.golden")
	if err != nil && !*updateSurfaces {
		t.Fatal(err)
	}
	path := func(state string) string { return filepath.Join(state, "agents", "main", "sessions", "surfaces.jsonl") }
	for _, s := range []struct {
		name string
		show func(t *testing.T, state string) string
	}{
		{"command line", func(t *testing.T, state string) string { return shownByCommand(t, path(state)) }},
		{"REST", shownByREST},
		{"event stream", func(t *testing.T, state string) string { return shownByStream(t, state, nil) }},
		{"live event stream", func(t *testing.T, state string) string {
			lines := bytes.SplitAfter(recorded, []byte("\n"))
			if err := os.WriteFile(path(state), bytes.Join(lines[:4], nil), 0o600); err != nil {
				t.Fatal(err)
			}
			return shownByStream(t, state, func() { appendSlowly(t, path(state), lines[4:]) })
		}},
		{"terminal", func(t *testing.T, state string) string { return shownByTerminal(t, path(state)) }},
		{"ACP", shownByACP},
	} {
		t.Run(s.name, func(t *testing.T) {
			state := t.TempDir()
			folder := filepath.Dir(path(state))
			if err := os.MkdirAll(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			index := fmt.Sprintf(`{%q:{"sessionId":"surfaces","updatedAt":1772438400000}}`, surfacesKey)
			if err := errors.Join(os.WriteFile(path(state), recorded, 0o600), os.WriteFile(filepath.Join(folder, "sessions.json"), []byte(index), 0o600)); err != nil {
				t.Fatal(err)
			}
			got := s.show(t, state)
			if *updateSurfaces && s.name == "command line" {
				golden = []byte(got)
				if err := os.WriteFile("testdata/surfaces.golden", golden, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if got != string(golden) {
				t.Errorf("shown:\n%s\nwant:\n%s", got, golden)
			}
		})
	}
}

// told writes down what is shown, one line for each piece.
type told struct{ strings.Builder }

func (w *told) piece(kind, text string) {
	if text != "" {
		fmt.Fprintf(w, "%s: %s\n", kind, strings.ReplaceAll(text, "\n", "\\n"))
	}
}

// call writes down a call; white space in its arguments is no difference.
func (w *told) call(name string, arguments []byte) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, arguments); err != nil {
		compact.WriteString(err.Error())
	}
	w.piece("call of "+name, compact.String())
}

// message writes down a message as every surface but ACP shows it.
func (w *told) message(t *testing.T, m *transcript.Message) {
	t.Helper()
	who := string(m.Role())
	result := m.Is(transcript.ToolResult)
	if !m.Is(transcript.User) && !m.Is(transcript.Assistant) && !result {
		who = "note"
	}
	if result {
		who = fmt.Sprintf("result of %s, failed %v", m.ToolCallID(), m.IsError())
	}
	if sender := m.Get("senderLabel").String(); sender != "" {
		who += ", " + sender
	}
	if text := m.Text(); text.Exists() {
		w.piece(who, text.String())
		return
	}
	for _, b := range m.Blocks() {
		switch {
		case b.IsThinking():
			w.piece("thinking", b.Text())
		case b.IsToolCall():
			w.call(b.Name(), b.Get("arguments").Raw)
		default:
			w.piece(who, b.Text())
		}
	}
}

func (w *told) messages(t *testing.T, list []json.RawMessage) string {
	t.Helper()
	var r transcript.Reader
	for _, raw := range list {
		m, err := r.Message(raw)
		if err != nil {
			t.Fatal(err)
		}
		w.message(t, m)
	}
	return w.String()
}

func shownByCommand(t *testing.T, path string) string {
	t.Setenv("HYGEIA_HOME", t.TempDir())
	var out, problems bytes.Buffer
	if code := cli.Main([]string{"history", path, "--json", "--thinking", "--tools"}, strings.NewReader(""), &out, &problems); code != 0 {
		t.Fatal(code, problems.String())
	}
	var h struct{ Messages []json.RawMessage }
	if err := json.Unmarshal(out.Bytes(), &h); err != nil {
		t.Fatal(err)
	}
	return new(told).messages(t, h.Messages)
}

// historyOf asks a gateway for the session.
func historyOf(t *testing.T, state, accept string) *http.Response {
	t.Helper()
	g, err := gateway.New(gateway.Config{State: state, Poll: 5 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(g.Handler())
	t.Cleanup(func() { server.CloseClientConnections(); g.Close(); server.Close() })
	req, err := http.NewRequestWithContext(t.Context(), "GET", server.URL+"/sessions/"+surfacesKey+"/history?includeThinking=true&includeTools=true", nil)
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

func shownByREST(t *testing.T, state string) string {
	var h struct{ Messages []json.RawMessage }
	if err := json.NewDecoder(historyOf(t, state, "application/json").Body).Decode(&h); err != nil {
		t.Fatal(err)
	}
	return new(told).messages(t, h.Messages)
}

// lastWords end the recorded session.
const lastWords = "You are welcome."

// shownByStream follows the session until its last words were told.
func shownByStream(t *testing.T, state string, grow func()) string {
	events := bufio.NewScanner(historyOf(t, state, "text/event-stream").Body)
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
			return new(told).messages(t, list)
		}
	}
	t.Fatal("the stream ends:", events.Err())
	return ""
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

func shownByTerminal(t *testing.T, path string) string {
	f, err := tui.NewFile(tui.FileOptions{Path: path, Run: nobody})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var w told
	f.Follow(ctx, "", tui.Show{Thinking: true, Tools: true, Limit: 1000}, func(e tui.Event) {
		if e.Kind == tui.Loaded && w.Len() == 0 {
			for _, m := range e.Page.Messages {
				w.message(t, m)
			}
		}
		cancel()
	})
	return w.String()
}

func shownByACP(t *testing.T, state string) string {
	var out bytes.Buffer
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"session/load","params":{"sessionId":"surfaces","cwd":"/srv/app","mcpServers":[]}}`)
	if err := acp.Serve(t.Context(), acp.Config{State: state, Run: nobody}, in, &out); err != nil {
		t.Fatal(err)
	}
	w := &told{}
	last := ""
	titles := map[string]string{}
	for line := range bytes.Lines(out.Bytes()) {
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
			w.piece(fmt.Sprintf("result of %s, failed %v", id, u.Status == "failed"), c[0].Content.Text)
		}
		last = u.Kind
	}
	return w.String()
}
