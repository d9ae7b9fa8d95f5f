package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"hygeia"
	"hygeia/projection"
	"hygeia/runner"
	"hygeia/runner/model"
	"hygeia/transcript"
)

// parrot says what it is told to, and waits in between until it may go on or is
// stopped.
type parrot struct {
	say  string
	wait chan struct{}
	err  error
}

func (p *parrot) Stream(ctx context.Context, _ model.Call, on func(model.Event)) (*model.Answer, error) {
	on(model.Event{Kind: model.Text, Text: p.say})
	stop := model.Stop
	select {
	case <-p.wait:
	case <-ctx.Done():
		stop = model.Cancelled
	}
	if p.err != nil {
		stop = model.Failed
	}
	a := &model.Answer{Text: p.say, StopReason: stop, Message: fmt.Appendf(nil,
		`{"role":"assistant","content":[{"type":"text","text":%q}],"api":"anthropic-messages","provider":"anthropic","model":"claude-opus-4-6","stopReason":%q,"timestamp":1}`, p.say, stop)}
	if err := ctx.Err(); err != nil {
		return a, err
	}
	return a, p.err
}

// talk is a file that is followed.
type talk struct {
	*File
	t      *testing.T
	parrot *parrot
	mu     sync.Mutex
	told   []Event
}

func newTalk(t *testing.T, path string) *talk {
	p := &parrot{say: "So it is.", wait: make(chan struct{})}
	r, err := runner.New(runner.Options{Target: hygeia.Target{Provider: "anthropic", Model: "claude-opus-4-6"}, Model: p})
	if err != nil {
		t.Fatal(err)
	}
	f, err := NewFile(FileOptions{Path: path, Poll: 5 * time.Millisecond, Run: func(string) (*runner.Runner, error) { return r, nil }})
	if err != nil {
		t.Fatal(err)
	}
	x := &talk{File: f, t: t, parrot: p}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.Follow(ctx, "", Show{Limit: 100}, func(e Event) {
			x.mu.Lock()
			defer x.mu.Unlock()
			x.told = append(x.told, e)
		})
	}()
	t.Cleanup(func() { f.Close(); cancel(); <-done })
	return x
}

// until waits for an event and returns all that was told up to it.
func (x *talk) until(what string, is func(Event) bool) []Event {
	x.t.Helper()
	for range 2000 {
		x.mu.Lock()
		for i, e := range x.told {
			if is(e) {
				told := append([]Event{}, x.told[:i+1]...)
				x.told = x.told[i+1:]
				x.mu.Unlock()
				return told
			}
		}
		x.mu.Unlock()
		time.Sleep(5 * time.Millisecond)
	}
	x.t.Fatalf("waited for %s", what)
	return nil
}

// shownAfter is what a view holds after events.
func shownAfter(list []string, events []Event) []string {
	for _, e := range events {
		switch e.Kind {
		case Loaded:
			list = nil
			for _, m := range e.Page.Messages {
				list = append(list, words(m))
			}
		case Added:
			list = append(list, words(e.Message))
		}
	}
	return list
}

// An answer grows, is stored before its end is told, and the live view is what a
// later start shows. A second message while it grows is refused, not lost.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	x := newTalk(t, path)
	var view []string
	for i, text := range []string{"First.", "Second."} {
		if err := x.Send(t.Context(), "", Prompt{Text: text, Run: text}); err != nil {
			t.Fatal(err)
		}
		view = shownAfter(view, x.until("the answer to grow", func(e Event) bool { return e.Kind == Grew && e.Text == "So it is." }))
		if err := x.Send(t.Context(), "", Prompt{Text: "Too soon.", Run: "x"}); !errors.Is(err, ErrBusy) {
			t.Errorf("%v, want ErrBusy", err)
		}
		x.parrot.wait <- struct{}{}
		told := x.until("the end", func(e Event) bool { return e.Kind == Ended })
		if e := told[len(told)-1]; e.Run != text || e.Err != nil || e.Text != "So it is." {
			t.Errorf("ended with %+v", e)
		}
		view = shownAfter(view, told)
		if len(view) != 2*(i+1) {
			t.Errorf("at the end the view holds %q", view)
		}
	}
	list, err := x.history(Show{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(view, "|"), strings.Join(shownAfter(nil, []Event{{Kind: Loaded, Page: Page{Messages: list}}}), "|"); got != want {
		t.Errorf("live %s, later %s", got, want)
	}
	page, err := x.Before(t.Context(), "", pageOf(list, 4, 1).Older, Show{Limit: 2})
	if err != nil || len(page.Messages) != 2 || words(page.Messages[0]) != "So it is." || page.Older == "" {
		t.Errorf("%+v, %v", page, err)
	}
}

// H-11, X-41: messages that share a place are told apart, and no page loses one.
func TestFilePages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	var b strings.Builder
	b.WriteString(`{"type":"session","version":3,"id":"x","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}` + "\n")
	for i, message := range []string{
		`{"role":"user","content":"tell both"}`,
		`{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"message","arguments":{"action":"send","message":"first"}},{"type":"toolCall","id":"c2","name":"message","arguments":{"action":"send","message":"second"}}]}`,
		`{"role":"toolResult","toolCallId":"c1","toolName":"message","content":"sent"}`,
		`{"role":"toolResult","toolCallId":"c2","toolName":"message","content":"sent"}`,
		`{"role":"assistant","content":"NO_REPLY"}`,
	} {
		fmt.Fprintf(&b, `{"type":"message","id":"e%d","parentId":"e%d","timestamp":"2026-01-01T00:00:01.000Z","message":%s}`+"\n", i+1, i, message)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(b.String(), `"e0"`, "null", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	x := newTalk(t, path)
	list, err := x.history(Show{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for page := pageOf(list, len(list), 1); ; {
		got = append(got, projection.MetaOf(page.Messages[0]).ID)
		if page.Older == "" {
			break
		}
		if page, err = x.Before(t.Context(), "", page.Older, Show{Limit: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if s := strings.Join(got, " "); s != "e5 e5#1 e4 e3 e2 e1" {
		t.Error(s)
	}
	for _, cursor := range []string{"", "x", "-1"} {
		if _, err := x.Before(t.Context(), "", cursor, Show{Limit: 1}); err == nil {
			t.Errorf("%q is no cursor", cursor)
		}
	}
}

// A stopped answer is no failure and stays, one that fails says why.
func TestFileStopAndFailure(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	x := newTalk(t, path)
	ended := func() Event {
		told := x.until("the end", func(e Event) bool { return e.Kind == Ended })
		return told[len(told)-1]
	}
	if err := x.Send(t.Context(), "", Prompt{Text: "Go.", Run: "a"}); err != nil {
		t.Fatal(err)
	}
	x.until("the answer to grow", func(e Event) bool { return e.Kind == Grew })
	if err := x.Stop(t.Context(), "", "another"); err != nil {
		t.Fatal(err)
	}
	if err := x.Stop(t.Context(), "", "a"); err != nil {
		t.Fatal(err)
	}
	if e := ended(); e.Err != nil {
		t.Errorf("stopped with %v", e.Err)
	}
	x.parrot.err = errors.New("the moon is full")
	if err := x.Send(t.Context(), "", Prompt{Text: "Again.", Run: "b"}); err != nil {
		t.Fatal(err)
	}
	x.parrot.wait <- struct{}{}
	if e := ended(); e.Err == nil || !strings.Contains(e.Err.Error(), "the moon is full") {
		t.Errorf("failed with %v", e.Err)
	}
	if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), `"stopReason":"aborted"`) {
		t.Errorf("%v: %s", err, text)
	}
}

// What another program does to the file is seen: lines that it adds, another file in
// its place, and one that cannot be read, which is said once.
func TestFileOfOthers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	x := newTalk(t, path)
	x.until("nothing", func(e Event) bool { return e.Kind == Loaded && len(e.Page.Messages) == 0 })
	head := `{"type":"session","version":3,"id":"x","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}` + "\n"
	line := func(id, parent, text string) string {
		return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":%q}}`, id, parent, text) + "\n"
	}
	replace := func(text string) {
		t.Helper()
		if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	}
	holds := func(m []*transcript.Message, text string) bool { return len(m) == 1 && words(m[0]) == text }
	replace(head + line("e1", "null", "one"))
	x.until("a page", func(e Event) bool { return e.Kind == Loaded && holds(e.Page.Messages, "one") })
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(line("e2", `"e1"`, "two")); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	x.until("a message", func(e Event) bool { return e.Kind == Added && words(e.Message) == "two" })
	replace(head + line("f1", "null", "another"))
	x.until("another page", func(e Event) bool { return e.Kind == Loaded && holds(e.Page.Messages, "another") })
	replace("no session at all\n")
	x.until("a note", func(e Event) bool { return e.Kind == Note && strings.Contains(e.Text, "cannot be shown") })
}

// X-B02, X-B17, H-54: what is not shown later is not shown while it grows.
func TestGrowingIsClean(t *testing.T) {
	f, err := NewFile(FileOptions{Path: filepath.Join(t.TempDir(), "s.jsonl")}) // that nobody follows
	if err != nil {
		t.Fatal(err)
	}
	const secret = "sk-a1b2c3d4e5f6g7h8i9"
	run := &fileRun{id: "r"}
	for _, e := range []model.Event{
		{Kind: model.Thinking, Text: "with " + secret},
		{Kind: model.Text, Text: "Key " + secret + " <think>hidden</think> done"},
		{Kind: model.ToolStart, Block: 2, Name: "read"},
		{Kind: model.ToolDelta, Block: 2, Text: `{"key":"` + secret + `"-----BEGIN PRIVATE KEY-----\nMIIE`},
	} {
		run.turn.Hear(runner.Event{Kind: runner.Said, Model: e})
	}
	f.run = run
	for show, want := range map[Show]string{
		{}:                            `"Key ***  done" "" [{"read" ""}]`,
		{Thinking: true, Tools: true}: `"Key ***  done" "with ***" [{"read" "{\"key\":\"***\""}]`,
	} {
		if e := f.growing(show); fmt.Sprintf("%q %q %q", e.Text, e.Thinking, e.Calls) != want {
			t.Errorf("%q %q %q, want %s", e.Text, e.Thinking, e.Calls, want)
		}
	}
}
