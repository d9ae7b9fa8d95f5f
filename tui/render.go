package tui

import (
	"fmt"
	"strings"

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
		switch p.Kind {
		case "text":
			lines = append(lines, indented(lipgloss.NewStyle(), "  ", Safe(strings.TrimSpace(p.Text)), width)...)
		case "thinking":
			lines = append(lines, indented(faint, "  ┊ ", Safe(strings.TrimSpace(p.Text)), width)...)
		case "call":
			lines = append(lines, callCard(p, width, show)...)
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

// callCard shows a call on one line, or with all that it asks for.
func callCard(p export.Part, width int, show Show) []string {
	if !show.Tools {
		return []string{byTool.Render(cut("  ▸ "+SafeLine(p.Name+" "+p.Text), width))}
	}
	return append([]string{byTool.Render("  ▾ " + SafeLine(p.Name))}, indented(faint, "    ", Safe(p.Text), width)...)
}

// resultCard shows what a tool gave: on one line, or all of it when results are
// asked for (H-60).
func resultCard(m *transcript.Message, width int, show Show) []string {
	var b strings.Builder
	for i, p := range export.Parts(m) {
		if i > 0 {
			b.WriteByte('\n')
		}
		if b.WriteString(p.Text); p.Kind == "other" {
			b.WriteString("[" + p.Name + "]")
		}
	}
	text := strings.TrimSpace(Safe(b.String()))
	look, state := byTool, "done"
	if m.IsError() {
		look, state = wrong, "failed"
	}
	title := "  ▸ " + SafeLine(m.ToolName()) + " " + state
	if !show.Tools {
		first, _, _ := strings.Cut(text, "\n")
		if n := strings.Count(text, "\n"); n > 0 {
			title += fmt.Sprintf(", %d lines", n+1)
		}
		return []string{look.Render(cut(title+": "+SafeLine(first), width))}
	}
	return append([]string{look.Render(strings.Replace(title, "▸", "▾", 1))}, indented(faint, "    ", text, width)...)
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
