package tui

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"charm.land/lipgloss/v2"

	"hygeia/internal/export"
	"hygeia/projection"
	"hygeia/transcript"
)

// The looks. Colours are those of the terminal, so that they fit light and dark.
var (
	byUser  = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Color("4"))
	byModel = lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Color("2"))
	byTool  = lipgloss.NewStyle().Foreground(lipgloss.Color("5"))
	wrong   = lipgloss.NewStyle().Foreground(lipgloss.Color("1"))
	faint   = lipgloss.NewStyle().Faint(true)
	marked  = lipgloss.NewStyle().Reverse(true)
	titled  = lipgloss.NewStyle().Bold(true)
)

// words returns what a shown message says, without calls and thinking.
func words(m *transcript.Message) string {
	var b strings.Builder
	for _, p := range export.Parts(m) {
		if p.Kind == "text" {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// Lines returns a shown message as it stands on a screen of that width in columns.
func Lines(m *transcript.Message, width int, show Show) []string {
	switch meta := projection.MetaOf(m); {
	case meta.Kind == projection.KindCompaction:
		return []string{faint.Render(divider(SafeLine(words(m)), width))}
	case meta.Kind != "" || m.Get("command").Bool() || m.IsSystem():
		return indented(faint, "∙ ", Safe(words(m)), width)
	case m.Is(transcript.ToolResult):
		return resultCard(m, width, show)
	}
	lines := []string{head(m)}
	for _, p := range export.Parts(m) {
		switch text := strings.TrimSpace(p.Text); {
		case text == "" && (p.Kind == "text" || p.Kind == "thinking"):
		case p.Kind == "text":
			lines = append(lines, indented(lipgloss.NewStyle(), "  ", Safe(text), width)...)
		case p.Kind == "thinking":
			lines = append(lines, indented(faint, "  ┊ ", Safe(text), width)...)
		case p.Kind == "call":
			lines = append(lines, card(byTool, p.Name, p.Text, width, show)...)
		default:
			lines = append(lines, faint.Render("  ["+SafeLine(p.Name+" "+p.Text)+"]"))
		}
	}
	if meta := projection.MetaOf(m); meta.Truncated {
		lines = append(lines, faint.Render(fmt.Sprintf("  [cut: the whole has %d characters; /export writes it]", meta.FullLength)))
	}
	return lines
}

func head(m *transcript.Message) string {
	look := byModel
	if m.Is(transcript.User) {
		look = byUser
	}
	text := look.Render(SafeLine(export.Author(m)))
	if at := export.When(m); !at.IsZero() {
		text += faint.Render("  " + at.Local().Format("2006-01-02 15:04"))
	}
	return text
}

// The most that is shown of what tools were asked for and gave, in bytes: opened,
// and on one line.
const (
	longestCard  = 64 << 10
	longestTitle = 1 << 10
)

// card shows something of a tool: on one line, or opened.
func card(look lipgloss.Style, title, text string, width int, show Show) []string {
	if !show.Tools {
		first, _, _ := strings.Cut(part(text, longestTitle), "\n")
		return []string{look.Render(cut("  ▸ "+SafeLine(title+" "+first), width))}
	}
	lines := append([]string{look.Render(cut("  ▾ "+SafeLine(title), width))}, indented(faint, "    ", Safe(part(text, longestCard)), width)...)
	if more := len(text) - longestCard; more > 0 {
		lines = append(lines, faint.Render(fmt.Sprintf("    [%d bytes more; /export writes all]", more)))
	}
	return lines
}

// part returns the beginning of a text, no more than n bytes.
func part(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// resultCard shows what a tool gave: on one line, or all of it when results are
// asked for (H-60).
func resultCard(m *transcript.Message, width int, show Show) []string {
	var pieces []string
	for _, p := range export.Parts(m) {
		if p.Kind == "other" {
			p.Text = "[" + strings.TrimSpace(p.Name+" "+p.Text) + "]"
		}
		pieces = append(pieces, p.Text)
	}
	text := strings.TrimSpace(strings.Join(pieces, "\n"))
	look, title := byTool, m.ToolName()+" done"
	if m.IsError() {
		look, title = wrong, m.ToolName()+" failed"
	}
	if n := strings.Count(text, "\n"); n > 0 {
		title += fmt.Sprintf(", %d lines", n+1)
	}
	if !show.Tools {
		title += ":"
	}
	return card(look, title, text, width, show)
}

func divider(text string, width int) string {
	side := strings.Repeat("─", max(2, (width-lipgloss.Width(text)-2)/2))
	return cut(side+" "+text+" "+side, width)
}

// indented wraps a safe text behind an indent.
func indented(look lipgloss.Style, indent, text string, width int) []string {
	text = strings.ReplaceAll(text, "\t", "    ")
	var lines []string
	for line := range strings.SplitSeq(lipgloss.Wrap(text, max(8, width-lipgloss.Width(indent)), ""), "\n") {
		lines = append(lines, look.Render(indent+isolated(strings.TrimRight(line, " "))))
	}
	return lines
}

// cut shortens a line to a width in columns.
func cut(line string, width int) string {
	if lipgloss.Width(line) <= width {
		return line
	}
	return lipgloss.NewStyle().MaxWidth(max(0, width-1)).Render(line) + "…"
}
