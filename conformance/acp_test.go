package conformance_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	acpsdk "github.com/coder/acp-go-sdk"

	"hygeia"
	"hygeia/acp"
	"hygeia/emulator"
	"hygeia/runner"
	"hygeia/runner/model"
	runtools "hygeia/runner/tools"
	"hygeia/session"
)

// editor is a client of ACP that writes down what it is told.
type editor struct {
	acpsdk.Client // it is asked for nothing
	mu            sync.Mutex
	updates       []acpsdk.SessionUpdate
	first         chan struct{}
}

func (e *editor) SessionUpdate(_ context.Context, n acpsdk.SessionNotification) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.updates = append(e.updates, n.Update)
	if len(e.updates) == 1 {
		close(e.first)
	}
	return nil
}

// told returns what the editor was told: words by who says them, and calls.
func (e *editor) told(t *testing.T) (words map[string]string, calls map[string]string) {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	words, calls = map[string]string{}, map[string]string{}
	for _, u := range e.updates {
		switch {
		case u.UserMessageChunk != nil:
			words["user"] += u.UserMessageChunk.Content.Text.Text
		case u.AgentMessageChunk != nil:
			words["agent"] += u.AgentMessageChunk.Content.Text.Text
		case u.AgentThoughtChunk != nil:
			words["thought"] += u.AgentThoughtChunk.Content.Text.Text
		case u.ToolCall != nil:
			calls[u.ToolCall.Title] = string(u.ToolCall.Kind)
		case u.ToolCallUpdate != nil && u.ToolCallUpdate.Content != nil:
			words["result"] += u.ToolCallUpdate.Content[0].Content.Content.Text.Text
			calls["status"] = string(*u.ToolCallUpdate.Status)
		case u.ToolCallUpdate != nil, u.SessionInfoUpdate != nil, u.AvailableCommandsUpdate != nil:
		default:
			t.Errorf("an update that the SDK has no type for: %+v", u)
		}
	}
	return words, calls
}

// openEditor connects an editor of the SDK with an agent of the project.
func openEditor(t *testing.T, c acp.Config) (*acpsdk.ClientSideConnection, *editor) {
	t.Helper()
	toAgent, in := io.Pipe()
	fromAgent, out := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := acp.Serve(context.Background(), c, toAgent, out)
		done <- errors.Join(err, out.Close())
	}()
	e := &editor{first: make(chan struct{})}
	conn := acpsdk.NewClientSideConnection(e, in, fromAgent)
	t.Cleanup(func() {
		in.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	r, err := conn.Initialize(t.Context(), acpsdk.InitializeRequest{ProtocolVersion: acpsdk.ProtocolVersionNumber})
	if err != nil {
		t.Fatal(err)
	}
	caps := r.AgentCapabilities
	if r.ProtocolVersion != acpsdk.ProtocolVersionNumber || !caps.LoadSession || !caps.PromptCapabilities.Image || !caps.PromptCapabilities.EmbeddedContext ||
		caps.PromptCapabilities.Audio || caps.SessionCapabilities.List == nil || caps.SessionCapabilities.Resume == nil || caps.SessionCapabilities.Close == nil {
		t.Errorf("H-70: initialize says %+v", r)
	}
	return conn, e
}

// agentOf returns an agent whose model says what the steps say.
func agentOf(t *testing.T, steps ...emulator.Step) acp.Config {
	t.Helper()
	provider := emulator.NewServer(emulator.Options{Respond: emulator.Script(steps...)})
	t.Cleanup(provider.Close)
	return acp.Config{State: t.TempDir(), Run: func(cwd string) (*runner.Runner, error) {
		root, err := os.OpenRoot(cwd)
		if err != nil {
			return nil, err
		}
		set, err := runtools.New(runtools.Read(root))
		if err != nil {
			return nil, err
		}
		return runner.New(runner.Options{
			Target: hygeia.Target{Provider: "anthropic", Model: "claude-opus-4-6"}, Tools: set,
			Model: model.New(model.Config{Emulator: provider.URL}), Write: session.WriteOptions{CWD: cwd},
		})
	}}
}

// TestACPEditor has a client of the SDK work with the agent: what it is told live and
// when it loads the session again is the same (H-70 to H-73, H-B09).
func TestACPEditor(t *testing.T) {
	cwd := t.TempDir()
	if err := os.WriteFile(filepath.Join(cwd, "notes.txt"), []byte("buy milk"), 0o600); err != nil {
		t.Fatal(err)
	}
	config := agentOf(t,
		emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{
			{Thinking: "I have to look."}, {Text: "Let me see."}, {Call: "read_file", Arguments: []byte(`{"path":"notes.txt"}`)},
		}}},
		emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{{Text: "Milk, says the note."}}}},
	)
	conn, e := openEditor(t, config)
	made, err := conn.NewSession(t.Context(), acpsdk.NewSessionRequest{Cwd: cwd, McpServers: []acpsdk.McpServer{}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := conn.Prompt(t.Context(), acpsdk.PromptRequest{SessionId: made.SessionId, Prompt: []acpsdk.ContentBlock{
		acpsdk.TextBlock("What do I need?"), acpsdk.ResourceLinkBlock("notes.txt", "file:///notes.txt"),
	}})
	if err != nil || r.StopReason != acpsdk.StopReasonEndTurn {
		t.Fatalf("%+v %v", r, err)
	}
	words, calls := e.told(t)
	want := map[string]string{"thought": "I have to look.", "agent": "Let me see.Milk, says the note.", "result": "buy milk"}
	if !reflect.DeepEqual(words, want) || calls["read_file"] != "read" || calls["status"] != "completed" {
		t.Errorf("live: %q %q", words, calls)
	}

	conn, e = openEditor(t, config)
	list, err := conn.ListSessions(t.Context(), acpsdk.ListSessionsRequest{Cwd: &cwd})
	if err != nil || len(list.Sessions) != 1 || list.Sessions[0].SessionId != made.SessionId || list.Sessions[0].Cwd != cwd {
		t.Fatalf("%+v %v", list, err)
	}
	if _, err := conn.LoadSession(t.Context(), acpsdk.LoadSessionRequest{SessionId: made.SessionId, Cwd: cwd, McpServers: []acpsdk.McpServer{}}); err != nil {
		t.Fatal(err)
	}
	again, callsAgain := e.told(t)
	want["user"] = "What do I need?\n[notes.txt](file:///notes.txt)"
	if !reflect.DeepEqual(again, want) || !reflect.DeepEqual(calls, callsAgain) {
		t.Errorf("loaded: %q %q", again, callsAgain)
	}
	if _, err := conn.ResumeSession(t.Context(), acpsdk.ResumeSessionRequest{SessionId: made.SessionId, Cwd: cwd}); err != nil {
		t.Error(err)
	}
	if _, err := conn.CloseSession(t.Context(), acpsdk.CloseSessionRequest{SessionId: made.SessionId}); err != nil {
		t.Error(err)
	}
	var refused *acpsdk.RequestError
	if _, err := conn.Prompt(t.Context(), acpsdk.PromptRequest{SessionId: made.SessionId, Prompt: []acpsdk.ContentBlock{acpsdk.TextBlock("x")}}); !errors.As(err, &refused) || refused.Code != -32002 {
		t.Errorf("a closed session: %v", err)
	}
}

// TestACPCancel ends a prompt of the SDK's client while it streams (H-72).
func TestACPCancel(t *testing.T) {
	conn, e := openEditor(t, agentOf(t, emulator.Step{Answer: emulator.Answer{
		Content: []emulator.Part{{Text: strings.Repeat("word ", 4000)}}, Pace: 5 * time.Millisecond,
	}}))
	made, err := conn.NewSession(t.Context(), acpsdk.NewSessionRequest{Cwd: t.TempDir(), McpServers: []acpsdk.McpServer{}})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		<-e.first
		_ = conn.Cancel(context.Background(), acpsdk.CancelNotification{SessionId: made.SessionId})
	}()
	r, err := conn.Prompt(t.Context(), acpsdk.PromptRequest{SessionId: made.SessionId, Prompt: []acpsdk.ContentBlock{acpsdk.TextBlock("talk")}})
	if err != nil || r.StopReason != acpsdk.StopReasonCancelled {
		t.Errorf("%+v %v", r, err)
	}
}
