package tui

import (
	"context"
	"io"
	"os"
	"slices"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"hygeia/transcript"
)

// DefaultLimit is how many messages are loaded at once (H-60).
const DefaultLimit = 200

// Options says how a chat goes. Source must be there.
type Options struct {
	Source Source
	// Key is the session to begin with, "" shows the picker.
	Key string
	// Model is the target that answers, PROVIDER/MODEL, "" for that of the session.
	Model string
	// Message is sent at once, "" for nothing.
	Message string
	// Limit is how many messages are loaded at once, from 1 to 1 000; 0 means
	// [DefaultLimit].
	Limit int
	// In and Out are the terminal, nil for that of the process.
	In  io.Reader
	Out io.Writer
}

// Run shows the chat until the user leaves it or ctx ends. An answer that is under
// way then goes on at a gateway; that of a [File] ends with its Close.
func Run(ctx context.Context, o Options) error {
	a := newApp(ctx, o)
	// Signals are the caller's: two that listen to the same one wait for each other.
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler()}
	if o.In != nil {
		options = append(options, tea.WithInput(o.In))
	}
	if o.Out != nil {
		options = append(options, tea.WithOutput(o.Out))
	}
	p := tea.NewProgram(a, options...)
	a.send = p.Send
	_, err := p.Run()
	a.leave()
	if ctx.Err() != nil {
		return nil // it was told to end
	}
	return err
}

// screen is what the screen shows.
type screen int

const (
	chatting screen = iota
	picking
	looking // at the health of the session
	helping
)

// app is the state of the chat.
type app struct {
	o    Options
	ctx  context.Context
	send func(tea.Msg)

	width, height int
	screen        screen
	show          Show
	input         textarea.Model
	files         []attachment

	session Session
	follow  context.CancelFunc // ends the follower
	round   int                // of followers: what an older one says of messages is not heard
	lost    bool               // there is no connection

	messages []*transcript.Message
	older    string // cursor of the page before
	loading  bool   // that page is on its way
	lines    map[*transcript.Message][]string
	offset   int // lines below the screen

	run      string // the answer under way
	known    bool   // the source has it
	live     Event  // what it says so far
	covered  string // the part of it that is stored
	fallback string // stands for an answer that was not stored
	pending  []Prompt
	again    Prompt // was not taken
	leaf     string // the entry that the next prompt goes on from
	notes    []string

	picker picker
	health panel
}

type attachment struct {
	name string
	data []byte
}

func newApp(ctx context.Context, o Options) *app {
	if o.Limit == 0 {
		o.Limit = DefaultLimit
	}
	input := textarea.New()
	input.Prompt = "│ "
	input.Placeholder = "Write a message, or /help"
	input.ShowLineNumbers = false
	input.DynamicHeight, input.MinHeight, input.MaxHeight = true, 1, 6
	input.MaxContentHeight = 10_000
	input.CharLimit = 1 << 20
	input.SetVirtualCursor(false)
	looks := textarea.StyleState{Placeholder: faint, Prompt: faint} // as the terminal is, light or dark
	input.SetStyles(textarea.Styles{Focused: looks, Blurred: looks})
	input.KeyMap.InsertNewline.SetKeys("alt+enter", "ctrl+j", "shift+enter")
	a := &app{o: o, ctx: ctx, input: input, show: Show{Limit: o.Limit}, width: 80, height: 24, screen: picking}
	a.send = func(tea.Msg) {}
	return a
}

// Init implements [tea.Model].
func (a *app) Init() tea.Cmd {
	start := a.list("")
	if a.o.Key != "" {
		start = tea.Batch(a.open(Session{Key: a.o.Key}), a.describe(a.o.Key))
		if a.o.Message != "" {
			start = tea.Sequence(start, a.say(a.o.Message))
		}
	}
	return tea.Batch(a.input.Focus(), start, patrol())
}

// described is what is known of a session that was named by its key alone.
type described struct{ Session }

func (a *app) describe(key string) tea.Cmd {
	return func() tea.Msg {
		list, err := a.o.Source.List(a.ctx, key)
		if i := slices.IndexFunc(list, func(s Session) bool { return s.Key == key }); err == nil && i >= 0 {
			return described{list[i]}
		}
		return nil // the key has to do
	}
}

// followed is an event of a follower.
type followed struct {
	round int
	key   string
	Event
}

// open shows a session.
func (a *app) open(s Session) tea.Cmd {
	a.session, a.screen = s, chatting
	a.messages, a.older, a.pending, a.notes, a.files = nil, "", nil, nil, nil
	a.run, a.live, a.covered, a.fallback, a.leaf = "", Event{}, "", "", ""
	a.again, a.show.Leaf, a.offset = Prompt{}, "", 0
	return a.reload()
}

// reload follows the session anew, as people want to see it now.
func (a *app) reload() tea.Cmd {
	a.leave()
	a.round++
	a.lines, a.loading = map[*transcript.Message][]string{}, false
	ctx, cancel := context.WithCancel(a.ctx)
	a.follow = cancel
	round, key, show := a.round, a.session.Key, a.show
	tell := a.send
	return func() tea.Msg {
		go a.o.Source.Follow(ctx, key, show, func(e Event) { tell(followed{round, key, e}) })
		return nil
	}
}

// leave ends the follower.
func (a *app) leave() {
	if a.follow != nil {
		a.follow()
		a.follow = nil
	}
}

// failed is what went wrong in something that the user asked for.
type failed struct{ err error }

// do runs something that may fail or give a message.
func (a *app) do(work func(context.Context) (tea.Msg, error)) tea.Cmd {
	return func() tea.Msg {
		msg, err := work(a.ctx)
		if err != nil {
			return failed{err}
		}
		return msg
	}
}

// mostNotes is how many notes stand below the history.
const mostNotes = 5

func (a *app) note(text string) {
	a.notes = append(a.notes, SafeLine(text))
	if len(a.notes) > mostNotes {
		a.notes = a.notes[1:]
	}
}

// readFile reads what the user names, up to a bound.
func readFile(path string, most int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most))
}
