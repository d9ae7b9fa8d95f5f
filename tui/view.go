package tui

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"hygeia/transcript"
)

// keysOf says which keys there are on a screen.
var keysOf = map[screen]string{
	chatting: "enter send · alt+enter new line · pgup/pgdn page · ctrl+t thinking · ctrl+o tools · ctrl+g health · ctrl+s sessions · /help",
	picking:  "type to search · ↑↓ choose · enter open · ctrl+n new · esc back · ctrl+c quit",
	looking:  "↑↓ choose · enter what and why · esc back",
	helping:  "esc back",
}

// View implements [tea.Model].
func (a *app) View() tea.View {
	var v tea.View
	v.AltScreen = true
	v.WindowTitle = "hygeia"
	height := a.bodyHeight()
	var body []string
	switch a.screen {
	case picking:
		body = a.picker.lines(a.width, height)
	case looking:
		body = a.health.lines(a.width, height)
	case helping:
		body = help(a.width)
	case chatting:
		body = a.history(height)
	}
	body = body[:min(len(body), height)]
	for len(body) < height {
		body = append(body, "")
	}
	lines := append([]string{a.header()}, body...)
	for _, note := range a.notes {
		lines = append(lines, faint.Render(cut("∙ "+note, a.width)))
	}
	if a.screen == chatting {
		if c := a.input.Cursor(); c != nil {
			c.Y += len(lines)
			v.Cursor = c
		}
		lines = append(lines, strings.Split(a.input.View(), "\n")...)
	}
	lines = append(lines, faint.Render(cut(keysOf[a.screen], a.width)))
	v.SetContent(strings.Join(lines[:min(len(lines), a.height)], "\n"))
	return v
}

// bodyHeight is how many lines are left for what the screen is about.
func (a *app) bodyHeight() int {
	rest := a.height - 2 - len(a.notes)
	if a.screen == chatting {
		rest -= a.input.Height()
	}
	return max(1, rest)
}

func (a *app) header() string {
	text := " hygeia"
	if a.session.Key != "" {
		text += " · " + SafeLine(cmp.Or(a.session.Title, a.session.Key))
	}
	if model := cmp.Or(a.o.Model, a.session.Model); model != "" {
		text += " · " + SafeLine(model)
	}
	switch {
	case a.lost:
		text += " · no connection"
	case a.run != "":
		text += " · answering, esc stops"
	}
	if a.offset > 0 {
		text += " · scrolled up"
	}
	if a.leaf != "" {
		text += " · the next message makes a branch"
	}
	for _, f := range a.files {
		text += " · + " + SafeLine(f.name)
	}
	text = cut(text, a.width)
	return marked.Render(text + strings.Repeat(" ", max(0, a.width-lipgloss.Width(text))))
}

// linesOf returns the lines of a message, a blank one behind them.
func (a *app) linesOf(m *transcript.Message) []string {
	lines, ok := a.lines[m]
	if !ok {
		lines = append(Lines(m, a.width, a.show), "")
		a.lines[m] = lines
	}
	return lines
}

// history returns the lines of the conversation that are on the screen. It looks at
// no more messages than it has to. While people look at what was before, the answer
// that comes does not move it.
func (a *app) history(height int) []string {
	var tail []string
	if a.offset == 0 {
		tail = a.underWay()
	}
	blocks := [][]string{tail}
	n := len(tail)
	i := len(a.messages)
	for ; i > 0 && n < a.offset+height; i-- {
		lines := a.linesOf(a.messages[i-1])
		blocks = append(blocks, lines)
		n += len(lines)
	}
	if i == 0 {
		top := a.top()
		blocks = append(blocks, top)
		if n += len(top); n < a.offset+height {
			a.offset = max(0, n-height)
		}
	}
	slices.Reverse(blocks)
	lines := slices.Concat(blocks...)
	end := len(lines) - a.offset
	return lines[max(0, end-height):end]
}

// top is what stands in front of the oldest message that is loaded.
func (a *app) top() []string {
	switch {
	case a.older != "":
		return []string{faint.Render("pgup loads older messages"), ""}
	case len(a.messages) == 0:
		return []string{faint.Render("session " + SafeLine(a.session.Key)), faint.Render("Nothing was said yet."), ""}
	}
	return []string{faint.Render("session " + SafeLine(a.session.Key)), ""}
}

// underWay returns the lines of what is not stored yet: prompts and the answer.
func (a *app) underWay() []string {
	var lines []string
	for _, p := range a.pending {
		lines = append(lines, byUser.Render("user")+faint.Render("  sent"))
		lines = append(append(lines, indented(lipgloss.NewStyle(), "  ", Safe(p.Text), a.width)...), "")
	}
	switch {
	case a.fallback != "" && a.run == "":
		return append(lines, a.said(Event{Text: a.fallback})...)
	case a.run == "":
		return lines
	}
	live := a.live
	if strings.TrimSpace(live.Text) == strings.TrimSpace(a.covered) {
		live.Text = ""
	}
	if live.Text == "" && live.Thinking == "" && len(live.Calls) == 0 {
		return append(lines, faint.Render("…"), "")
	}
	return append(lines, a.said(live)...)
}

// said returns the lines of a turn that is not stored, as they will be when it is.
func (a *app) said(e Event) []string {
	lines := []string{byModel.Render("assistant")}
	if text := strings.TrimSpace(e.Thinking); text != "" {
		lines = append(lines, indented(faint, "  ┊ ", Safe(text), a.width)...)
	}
	if text := strings.TrimSpace(e.Text); text != "" {
		lines = append(lines, indented(lipgloss.NewStyle(), "  ", Safe(text), a.width)...)
	}
	for _, c := range e.Calls {
		lines = append(lines, card(byTool, c.Name, c.Arguments, a.width, a.show)...)
	}
	return append(lines, "")
}
