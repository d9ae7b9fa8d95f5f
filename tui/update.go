package tui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"hygeia/projection"
	"hygeia/transcript"
)

// Update implements [tea.Model].
func (a *app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.width, a.height = max(20, msg.Width), max(6, msg.Height)
		a.input.SetWidth(a.width)
		a.lines = map[*transcript.Message][]string{}
	case followed:
		a.anchored(func() { a.hear(msg) })
	case patrolled:
		return a, tea.Batch(patrol(), a.ask())
	case taken:
		if i := a.waits(msg.run); i >= 0 {
			a.pending[i].taken = true
		}
		a.known = a.known || msg.run == a.run
	case listed:
		a.pick(msg)
	case described:
		if msg.Key == a.session.Key {
			a.session = msg.Session
		}
	case created:
		return a, a.open(msg.Session)
	case looked:
		a.diagnose(msg)
	case paged:
		a.paged(msg)
	case parted:
		return a, a.part(msg)
	case renamed:
		a.session.Title = string(msg)
	case said:
		a.note(string(msg))
	case attachment:
		a.files = append(a.files, msg)
	case failed:
		a.loading = false
		a.note(msg.err.Error())
	case refused:
		a.takeBack(msg)
	case tea.KeyPressMsg:
		return a, a.key(msg)
	default:
		var cmd tea.Cmd
		a.input, cmd = a.input.Update(msg)
		return a, cmd
	}
	return a, nil
}

// anchored keeps what is on the screen where it is when messages come below it.
func (a *app) anchored(change func()) {
	if a.offset == 0 || len(a.messages) == 0 {
		change()
		return
	}
	last := projection.MetaOf(a.messages[len(a.messages)-1]).ID
	change()
	grown := 0
	for i := len(a.messages) - 1; i >= 0; i-- {
		if projection.MetaOf(a.messages[i]).ID == last {
			a.offset += grown
			return
		}
		grown += len(a.linesOf(a.messages[i]))
	}
}

func (a *app) key(k tea.KeyPressMsg) tea.Cmd {
	if k.String() == "ctrl+c" {
		if a.run != "" && a.screen == chatting {
			return a.stop()
		}
		return tea.Quit
	}
	switch a.screen {
	case picking:
		return a.pickerKey(k)
	case looking:
		return a.panelKey(k)
	case helping:
		a.screen = chatting
		return nil
	}
	if act, ok := keys[k.String()]; ok {
		return act(a)
	}
	if k.String() == "ctrl+d" && a.input.Value() == "" {
		return tea.Quit
	}
	var cmd tea.Cmd
	a.input, cmd = a.input.Update(k)
	return cmd
}

// keys are those of the chat that are not the editor's.
var keys map[string]func(*app) tea.Cmd

// The table is set here because what it names refers to it.
func init() {
	keys = map[string]func(*app) tea.Cmd{
		"enter": (*app).submit,
		"esc": func(a *app) tea.Cmd {
			if a.run != "" {
				return a.stop()
			}
			a.notes, a.leaf, a.files, a.offset = nil, "", nil, 0
			if a.show.Leaf != "" { // back to the active branch
				a.show.Leaf = ""
				return a.reshow()
			}
			return nil
		},
		"pgup":       func(a *app) tea.Cmd { return a.scroll(a.bodyHeight() - 1) },
		"pgdown":     func(a *app) tea.Cmd { return a.scroll(1 - a.bodyHeight()) },
		"shift+up":   func(a *app) tea.Cmd { return a.scroll(1) },
		"shift+down": func(a *app) tea.Cmd { return a.scroll(-1) },
		"ctrl+home":  func(a *app) tea.Cmd { return a.scroll(1 << 30) },
		"ctrl+end":   func(a *app) tea.Cmd { return a.scroll(-1 << 30) },
		"ctrl+t": func(a *app) tea.Cmd {
			a.show.Thinking = !a.show.Thinking
			return a.reshow()
		},
		"ctrl+o": func(a *app) tea.Cmd {
			a.show.Tools = !a.show.Tools
			return a.reshow()
		},
		"ctrl+g": func(a *app) tea.Cmd { return a.look("") },
		"ctrl+s": func(a *app) tea.Cmd {
			a.screen = picking
			return a.list("")
		},
		"f1": func(a *app) tea.Cmd {
			a.screen = helping
			return nil
		},
	}
}

// reshow loads the session as people want to see it now.
func (a *app) reshow() tea.Cmd {
	a.messages, a.older, a.offset = nil, "", 0
	return a.reload()
}

// scroll goes up by lines, and loads what was before at the top.
func (a *app) scroll(lines int) tea.Cmd {
	was := a.offset
	a.offset = max(0, a.offset+lines)
	a.history(a.bodyHeight()) // which finds the top
	if lines < 0 || a.older == "" || a.loading || a.offset-was >= lines {
		return nil
	}
	a.loading = true
	left := lines - (a.offset - was)
	round, key, cursor, show := a.round, a.session.Key, a.older, a.show
	return a.do(func(ctx context.Context) (tea.Msg, error) {
		p, err := a.o.Source.Before(ctx, key, cursor, show)
		return paged{round, cursor, left, p}, err
	})
}

// paged is a page of older messages, and how far up people want to go in it.
type paged struct {
	round  int
	cursor string
	up     int
	Page
}

func (a *app) paged(p paged) {
	a.loading = false
	if p.round != a.round || p.cursor != a.older {
		return
	}
	a.messages, a.older = append(slices.Clip(p.Messages), a.messages...), p.Older
	a.offset += min(p.up, 1<<30) - 2 // the two lines of the invitation to load more are gone
	a.history(a.bodyHeight())
}

// submit sends what was written, or does what it commands.
func (a *app) submit() tea.Cmd {
	text := strings.TrimSpace(a.input.Value())
	if text == "" && len(a.files) == 0 {
		return nil
	}
	a.input.Reset()
	a.notes = nil
	if command, ok := strings.CutPrefix(text, "/"); ok && !strings.HasPrefix(command, "/") {
		return a.command(command)
	}
	if strings.HasPrefix(text, "//") {
		text = text[1:]
	}
	return a.say(text)
}
