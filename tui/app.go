package tui

import (
	"context"
	"crypto/rand"
	"io"
	"os"
	"slices"
	"time"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"hygeia/projection"
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
	live     string // what it says so far
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
		start = a.open(Session{Key: a.o.Key, Title: a.o.Key})
		if a.o.Message != "" {
			start = tea.Sequence(start, a.say(a.o.Message))
		}
	}
	return tea.Batch(a.input.Focus(), start, patrol())
}

// patrolled is the time to ask after an answer whose end may have been missed.
type patrolled struct{}

func patrol() tea.Cmd {
	return tea.Tick(2*time.Second, func(time.Time) tea.Msg { return patrolled{} })
}

// ask looks whether the answer under way is over: a short one, or one that ended
// while there was no connection, may have left no event.
func (a *app) ask() tea.Cmd {
	if a.run == "" || !a.known || a.lost {
		return nil
	}
	round, key, run := a.round, a.session.Key, a.run
	return func() tea.Msg {
		if e, over := a.o.Source.Outcome(a.ctx, key, run); over {
			return followed{round, key, e}
		}
		return nil
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
	a.run, a.live, a.covered, a.fallback, a.leaf = "", "", "", "", ""
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

// taken is a prompt that the source has.
type taken struct{ run string }

// refused is a prompt that was not taken.
type refused struct {
	Prompt
	err error
}

// say sends a prompt.
func (a *app) say(text string) tea.Cmd {
	p := Prompt{Text: text, Run: rand.Text(), Model: a.o.Model, Leaf: a.leaf}
	for _, f := range a.files {
		p.Files = append(p.Files, f.data)
	}
	if text == a.again.Text && a.again.Run != "" {
		p.Run = a.again.Run // it may have been taken all the same
	}
	a.pending, a.files, a.leaf, a.offset, a.fallback = append(a.pending, p), nil, "", 0, ""
	if a.run == "" {
		a.run, a.known, a.live, a.covered = p.Run, false, "", ""
	}
	key := a.session.Key
	send := func() tea.Msg {
		if err := a.o.Source.Send(a.ctx, key, p); err != nil {
			return refused{p, err}
		}
		return taken{p.Run}
	}
	if a.show.Leaf == "" {
		return send
	}
	a.show.Leaf = "" // the branch is the active one from now on
	return tea.Batch(send, a.reshow())
}

// stop ends the answer under way.
func (a *app) stop() tea.Cmd {
	key, run := a.session.Key, a.run
	a.note("stopping the answer")
	return a.do(func(ctx context.Context) (tea.Msg, error) { return nil, a.o.Source.Stop(ctx, key, run) })
}

// hear takes an event of the session.
func (a *app) hear(f followed) {
	if f.key != a.session.Key {
		return
	}
	if f.round != a.round && f.Kind != Ended && f.Kind != Note {
		return // messages that are shown otherwise now
	}
	switch e := f.Event; e.Kind {
	case Loaded:
		// What was paged in before stays in front of the new page.
		a.messages, a.older = joined(a.messages, a.older, e.Page)
		a.lines, a.lost = map[*transcript.Message][]string{}, false
		a.arrived()
	case Added:
		a.messages = append(a.messages, e.Message)
		a.arrived()
	case Replaced:
		id := projection.MetaOf(e.Message).ID
		for i := len(a.messages) - 1; i >= 0; i-- {
			if projection.MetaOf(a.messages[i]).ID == id {
				a.messages[i] = e.Message
				break
			}
		}
	case Grew:
		a.run, a.known, a.live = e.Run, true, e.Text
	case Ended:
		a.ended(e)
	case Note:
		a.note(e.Text)
	case Lost:
		if !a.lost {
			a.note("the connection is gone; trying again")
		}
		a.lost = true
	}
}

// joined returns a new page behind what was paged in before it, if the two touch.
func joined(had []*transcript.Message, older string, p Page) ([]*transcript.Message, string) {
	if len(p.Messages) == 0 || p.Older == "" {
		return p.Messages, p.Older
	}
	first := projection.MetaOf(p.Messages[0]).ID
	for i, m := range had {
		if first != "" && projection.MetaOf(m).ID == first {
			return append(append([]*transcript.Message{}, had[:i]...), p.Messages...), older
		}
	}
	return p.Messages, p.Older
}

// arrived drops what stands twice: prompts that are stored now, and the part of the
// answer that is.
func (a *app) arrived() {
	stored := map[string]bool{}
	for _, m := range a.messages[max(0, len(a.messages)-projection.Window):] {
		if key := projection.MetaOf(m).IdempotencyKey; key != "" {
			stored[key] = true
		}
	}
	a.fallback = ""
	left := a.pending[:0]
	for _, p := range a.pending {
		if !stored[p.Run+":user"] {
			left = append(left, p)
		}
	}
	a.pending = left
	for i := len(a.messages) - 1; i >= 0 && !a.messages[i].Is(transcript.User); i-- {
		if a.messages[i].Is(transcript.Assistant) {
			a.covered = words(a.messages[i])
			break
		}
	}
}

// ended takes the end of an answer. What was neither stored nor is an error is
// said all the same (H-61: final, streamed, error, no output).
func (a *app) ended(e Event) {
	if e.Run != a.run {
		return
	}
	answered := false
	for i := len(a.messages) - 1; i >= 0 && !a.messages[i].Is(transcript.User); i-- {
		answered = answered || a.messages[i].Is(transcript.Assistant)
	}
	switch {
	case answered && e.Err == nil:
	case answered:
		a.note("the answer failed: " + e.Err.Error())
	case e.Text != "":
		a.fallback = e.Text
	case a.live != "":
		a.fallback = a.live
	case e.Err != nil:
		a.fallback = "the answer failed: " + e.Err.Error()
	default:
		a.fallback = "(no output)"
	}
	a.run, a.live, a.covered = "", "", ""
	if i := a.waits(e.Run); i >= 0 { // it never came to be stored
		if a.input.Value() == "" {
			a.input.SetValue(a.pending[i].Text)
		}
		a.pending = slices.Delete(a.pending, i, i+1)
	}
	if len(a.pending) > 0 { // what waited in the gateway is answered next
		a.run, a.known = a.pending[0].Run, a.pending[0].taken
	}
}

// waits returns the index of a prompt that is not stored yet, -1 for none.
func (a *app) waits(run string) int {
	return slices.IndexFunc(a.pending, func(p Prompt) bool { return p.Run == run })
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
