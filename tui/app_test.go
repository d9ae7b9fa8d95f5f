package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"hygeia/runner"
	"hygeia/transcript"
)

// fake is a source without anything behind it.
type fake struct {
	Source
	mu   sync.Mutex
	sent []Prompt
	err  error
	show Show
	over bool
}

func (f *fake) Follow(_ context.Context, _ string, show Show, _ func(Event)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.show = show
}

func (f *fake) Send(_ context.Context, _ string, p Prompt) error {
	f.sent = append(f.sent, p)
	return f.err
}

func (f *fake) Outcome(_ context.Context, _, run string) (Event, bool) {
	return Event{Kind: Ended, Run: run}, f.over
}

// chat is an app with a session open, driven without a terminal.
type chat struct {
	*app
	t *testing.T
	f *fake
	n int // of messages
}

func newChat(t *testing.T) *chat {
	f := &fake{}
	a := newApp(t.Context(), Options{Source: f, Key: "k"})
	c := &chat{a, t, f, 0}
	c.input.Focus()
	c.Update(tea.WindowSizeMsg{Width: 60, Height: 40})
	c.open(Session{Key: "k"})
	c.tell(Event{Kind: Loaded})
	return c
}

func (c *chat) tell(e Event) { c.Update(followed{c.round, "k", e}) }

// do runs a command and gives the app what it says.
func (c *chat) run(cmd tea.Cmd) {
	if cmd != nil {
		c.Update(cmd())
	}
}

// write types a text and sends it, and returns what the source got.
func (c *chat) write(text string) Prompt {
	c.input.SetValue(text)
	c.run(c.submit())
	return c.f.sent[len(c.f.sent)-1]
}

// message returns a shown message with an id of its own.
func (c *chat) message(role, text string) *transcript.Message { return c.keyed(role, text, "") }

// stored is the user turn of a prompt.
func (c *chat) stored(p Prompt) *transcript.Message { return c.keyed("user", p.Text, p.Run+":user") }

func (c *chat) keyed(role, text, key string) *transcript.Message {
	c.t.Helper()
	c.n++
	var r transcript.Reader
	m, err := r.Message(fmt.Appendf(nil, `{"role":%q,"content":%q,"__openclaw":{"id":"e%d","idempotencyKey":%q}}`, role, text, c.n, key))
	if err != nil {
		c.t.Fatal(err)
	}
	return m
}

func (c *chat) screen() string { return c.View().Content }

func (c *chat) count(text string, want int) {
	c.t.Helper()
	if got := strings.Count(c.screen(), text); got != want {
		c.t.Errorf("%q stands %d times, want %d:\n%s", text, got, want, c.screen())
	}
}

// H-60: a message that is sent stands once, from when it is sent over a loss of the
// connection to when it is stored.
func TestPendingMessageStandsOnce(t *testing.T) {
	c := newChat(t)
	p := c.write("My words")
	c.count("My words", 1)
	c.tell(Event{Kind: Lost})
	c.count("no connection", 1)
	c.tell(Event{Kind: Loaded}) // without it
	c.count("My words", 1)
	c.count("no connection", 0)
	c.tell(Event{Kind: Loaded, Page: Page{Messages: []*transcript.Message{c.stored(p)}}})
	c.count("My words", 1)
}

// H-62: the message that people start with is on its way at once, and stands there.
func TestMessageToBeginWith(t *testing.T) {
	f := &fake{}
	a := newApp(t.Context(), Options{Source: f, Key: "k", Message: "My words"})
	c := &chat{a, t, f, 0}
	a.Init()
	c.Update(tea.WindowSizeMsg{Width: 60, Height: 40})
	c.tell(Event{Kind: Loaded})
	c.count("My words", 1)
	if len(c.pending) != 1 || c.pending[0].Run == "" || a.run != c.pending[0].Run {
		t.Errorf("%+v is on its way, %q runs", c.pending, a.run)
	}
}

// H-B04: a message that is replaced changes where it stands, and where it is not shown
// nothing does.
func TestReplacedMessage(t *testing.T) {
	c := newChat(t)
	first, second := c.message("assistant", "first words"), c.message("user", "second words")
	c.tell(Event{Kind: Loaded, Page: Page{Messages: []*transcript.Message{first, second}}})
	c.tell(Event{Kind: Replaced, Message: first.WithText("other words")})
	c.tell(Event{Kind: Replaced, Message: c.message("user", "of a page before")})
	c.count("first words", 0)
	c.count("of a page before", 0)
	if at, behind := strings.Index(c.screen(), "other words"), strings.Index(c.screen(), "second words"); at < 0 || at > behind {
		t.Errorf("it stands at %d, the one behind it at %d:\n%s", at, behind, c.screen())
	}
}

// H-B18: the picker tells which sessions answer, follows what is typed, and opens.
func TestPicker(t *testing.T) {
	c := newChat(t)
	c.app.screen = picking
	c.Update(listed{"", []Session{{Key: "a", Title: "Roses", Running: true}, {Key: "b", Title: "Beans", Model: "openai/gpt-4o"}, {Key: "c", Title: "Peas"}}})
	c.count("(answering)", 1)
	c.count("Beans  openai/gpt-4o", 1)
	press := func(code rune, text string) { c.Update(tea.KeyPressMsg{Code: code, Text: text}) }
	press(tea.KeyDown, "")
	press('b', "b")
	c.Update(listed{"", []Session{{Key: "late"}}}) // to what was asked before
	c.Update(listed{"b", []Session{{Key: "b", Title: "Beans"}, {Key: "a", Title: "Bread"}}})
	c.count("search: b", 1)
	c.count("▸", 1)
	for range 3 {
		press(tea.KeyDown, "")
	}
	press(tea.KeyUp, "")
	press(tea.KeyEnter, "")
	if c.session.Key != "b" || c.app.screen != chatting {
		t.Errorf("it opened %q", c.session.Key)
	}
}

// What is said of an answer is shown once: while it grows, when it is stored and a
// tool works, and afterwards.
func TestAnswerStandsOnce(t *testing.T) {
	c := newChat(t)
	p := c.write("Q")
	c.tell(Event{Kind: Added, Message: c.stored(p)})
	c.tell(Event{Kind: Grew, Run: p.Run, Text: "It is"})
	c.count("It is", 1)
	c.tell(Event{Kind: Grew, Run: p.Run, Text: "It is so"})
	c.tell(Event{Kind: Added, Message: c.message("assistant", "It is so")})
	c.count("It is so", 1)
	c.tell(Event{Kind: Ended, Run: p.Run})
	c.count("It is so", 1)
	c.count("answering", 0)
	c.count("no output", 0)
}

// H-54, H-60: while an answer grows its calls stand on one line until tools are
// asked for, and what is thought only where the source tells it; a stored turn takes
// the place of all of it.
func TestLiveThinkingAndCalls(t *testing.T) {
	c := newChat(t)
	p := c.write("Q")
	c.tell(Event{Kind: Added, Message: c.stored(p)})
	calls := []runner.GrowingCall{{Name: "read_file", Arguments: `{"path":`}}
	c.tell(Event{Kind: Grew, Run: p.Run, Thinking: "It may be so.", Text: "I look."})
	c.count("┊ It may be so.", 1)
	c.count("I look.", 1)
	c.tell(Event{Kind: Grew, Run: p.Run, Text: "I look.", Calls: calls})
	c.count("It may be so.", 0)
	c.count("▸ read_file", 1)
	c.show.Tools = true
	c.count("▾ read_file", 1)
	c.count(`    {"path":`, 1)
	c.tell(Event{Kind: Grew, Run: p.Run, Text: "I look."}) // the turn is complete
	c.tell(Event{Kind: Added, Message: c.message("assistant", "I look.")})
	c.count("I look.", 1)
	c.count("read_file", 0)
}

// H-61: final text, streamed text, error, "(no output)".
func TestAnswerThatWasNotStored(t *testing.T) {
	for _, tc := range []struct {
		streamed string
		end      Event
		want     string
	}{
		{"streamed", Event{Text: "final"}, "final"},
		{"streamed", Event{}, "streamed"},
		{"", Event{Err: errors.New("the moon is full")}, "the answer failed: the moon is full"},
		{"", Event{}, "(no output)"},
	} {
		c := newChat(t)
		p := c.write("Q")
		c.tell(Event{Kind: Added, Message: c.stored(p)})
		if tc.streamed != "" {
			c.tell(Event{Kind: Grew, Run: p.Run, Text: tc.streamed})
		}
		tc.end.Kind, tc.end.Run = Ended, p.Run
		c.tell(tc.end)
		c.count(tc.want, 1)
		// It goes when the answer turns out to be stored.
		c.tell(Event{Kind: Added, Message: c.message("assistant", "stored")})
		c.count(tc.want, 0)
	}
}

// A message that was not taken is not lost, and the same one sent again is the same
// to the source, which may have taken it all the same.
func TestRefusedMessageComesBack(t *testing.T) {
	c := newChat(t)
	c.f.err = errors.New("no route")
	c.files, c.leaf = []attachment{{"p.png", []byte("x")}}, "e1"
	first := c.write("My words")
	if c.input.Value() != "My words" {
		t.Errorf("the input holds %q", c.input.Value())
	}
	c.count("not sent: no route", 1)
	c.f.err = nil
	if second := c.write("My words"); second.Run != first.Run || len(second.Files) != 1 || second.Leaf != "e1" {
		t.Errorf("it became another one: %+v", second)
	}
	c.tell(Event{Kind: Loaded})
	if other := c.write("Others"); other.Run == first.Run {
		t.Error("another message is the same run")
	}
}

// A file that is larger than a picture may be is refused whole, and not sent in part.
func TestLargePicture(t *testing.T) {
	c := newChat(t)
	path := filepath.Join(t.TempDir(), "p.png")
	for _, size := range []int64{1, largestPicture + 1} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
		c.run(c.attach(path))
	}
	if len(c.files) != 1 || len(c.files[0].data) != 1 {
		t.Errorf("%d files go along", len(c.files))
	}
	c.count("is larger than", 1)
}

// The end of an answer whose event was missed is asked for, but not of a prompt
// that is still on its way.
func TestMissedEnd(t *testing.T) {
	c := newChat(t)
	c.f.over = true
	c.input.SetValue("Q")
	send := c.submit()
	if c.ask() != nil {
		t.Error("asked after a prompt that is on its way")
	}
	c.run(send)
	c.run(c.ask())
	c.count("answering", 0)
}

// H-60, X-B10: thinking is hidden until it is asked for, which loads the session
// anew; what the older follower still says of messages is not heard.
func TestThinkingLoadsAnew(t *testing.T) {
	c := newChat(t)
	old := c.round
	c.tell(Event{Kind: Added, Message: c.message("user", "before")})
	c.run(c.keysOf("ctrl+t"))
	c.Update(followed{old, "k", Event{Kind: Added, Message: c.message("user", "late")}})
	c.count("late", 0)
	if !c.show.Thinking {
		t.Error("it shows no thinking")
	}
	c.tell(Event{Kind: Loaded, Page: Page{Messages: []*transcript.Message{c.message("user", "after")}}})
	c.count("after", 1)
	c.count("before", 0)
}

func (c *chat) keysOf(name string) tea.Cmd { return keys[name](c.app) }

// What people read stays where it is when messages come below it.
func TestScrolledUpStaysInPlace(t *testing.T) {
	c := newChat(t)
	for i := range 60 {
		c.tell(Event{Kind: Added, Message: c.message("user", "turn "+strconv.Itoa(i)+".")})
	}
	c.run(c.keysOf("pgup"))
	body := func() string { _, rest, _ := strings.Cut(c.screen(), "\n"); return rest }
	was := body()
	c.tell(Event{Kind: Added, Message: c.message("user", "new")})
	c.tell(Event{Kind: Grew, Run: "r", Text: "growing"})
	if is := body(); is != was {
		t.Errorf("the screen moved from\n%s\nto\n%s", was, is)
	}
	c.run(c.keysOf("pgdown"))
	c.run(c.keysOf("pgdown"))
	c.count("growing", 1)
}

// A window of any size shows no more lines and columns than it has.
func TestAnyWindow(t *testing.T) {
	c := newChat(t)
	c.tell(Event{Kind: Added, Message: c.message("user", strings.Repeat("漢字 word אבג ", 30))})
	for _, size := range [][2]int{{1, 1}, {20, 6}, {37, 11}, {200, 60}} {
		c.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		for _, c.app.screen = range []screen{chatting, picking, looking, helping} {
			lines := strings.Split(c.screen(), "\n")
			if len(lines) > max(6, size[1]) {
				t.Errorf("%v: %d lines", size, len(lines))
			}
			for _, line := range lines {
				if w := lipgloss.Width(line); w > max(20, size[0]) {
					t.Errorf("%v: %d columns: %q", size, w, line)
				}
			}
		}
	}
}
