package tui

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
)

// picker lets people choose a session.
type picker struct {
	query string
	list  []Session
	at    int
	ready bool
}

// listed is the list of sessions for a query.
type listed struct {
	query string
	list  []Session
}

// list asks for the sessions that fit a query.
func (a *app) list(query string) tea.Cmd {
	a.picker.query = query
	return a.do(func(ctx context.Context) (tea.Msg, error) {
		list, err := a.o.Source.List(ctx, query)
		return listed{query, list}, err
	})
}

func (a *app) pick(l listed) {
	if l.query != a.picker.query {
		return // an answer to what was asked before
	}
	a.picker.list, a.picker.ready = l.list, true
	a.picker.at = min(a.picker.at, max(0, len(l.list)-1))
}

// created is a session that was made.
type created struct{ Session }

func (a *app) create() tea.Cmd {
	return a.do(func(ctx context.Context) (tea.Msg, error) {
		s, err := a.o.Source.Create(ctx)
		return created{s}, err
	})
}

func (a *app) pickerKey(k tea.KeyPressMsg) tea.Cmd {
	p := &a.picker
	switch key := k.String(); key {
	case "up", "ctrl+p":
		p.at = max(0, p.at-1)
	case "down":
		p.at = min(max(0, len(p.list)-1), p.at+1)
	case "pgup":
		p.at = max(0, p.at-a.bodyHeight())
	case "pgdown":
		p.at = min(max(0, len(p.list)-1), p.at+a.bodyHeight())
	case "enter":
		if p.at < len(p.list) {
			return a.open(p.list[p.at])
		}
	case "ctrl+n":
		return a.create()
	case "backspace":
		if r := []rune(p.query); len(r) > 0 {
			return a.list(string(r[:len(r)-1]))
		}
	case "esc":
		if a.session.Key == "" {
			return tea.Quit
		}
		a.screen = chatting
	default:
		if k.Text != "" {
			p.at = 0
			return a.list(p.query + k.Text)
		}
	}
	return nil
}

// lines returns the rows that fit the screen.
func (p *picker) lines(width, height int) []string {
	head := "search: " + SafeLine(p.query)
	switch {
	case !p.ready:
		return []string{head, "", faint.Render("loading")}
	case len(p.list) == 0:
		return []string{head, "", faint.Render("no sessions; ctrl+n makes one")}
	}
	lines := []string{cut(head, width), ""}
	rows := max(1, height-len(lines))
	from := max(0, min(p.at-rows/2, len(p.list)-rows))
	for i := from; i < min(len(p.list), from+rows); i++ {
		s := p.list[i]
		text := fmt.Sprintf("  %-16s  %s", "", SafeLine(s.Title))
		if s.Updated > 0 {
			text = fmt.Sprintf("  %-16s  %s", time.UnixMilli(s.Updated).Local().Format("2006-01-02 15:04"), SafeLine(s.Title))
		}
		if s.Model != "" {
			text += "  " + SafeLine(s.Model)
		}
		if s.Running {
			text += "  (answering)"
		}
		if text = cut(text, width); i == p.at {
			text = marked.Render("▸" + text[1:])
		}
		lines = append(lines, text)
	}
	return lines
}
