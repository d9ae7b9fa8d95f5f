package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"charm.land/lipgloss/v2"

	"hygeia"
)

// panel shows what the engine would change for each provider, and why.
type panel struct {
	hygeia.Health
	at    int // the row that is chosen
	of    diagnosis
	ready bool
}

// diagnosis is what the changes are listed of: a target and its API.
type diagnosis struct{ to, api string }

// looked is what the engine says.
type looked struct {
	key string
	of  diagnosis
	hygeia.Health
}

// look opens the panel; to is the target whose changes are listed, "" for none.
func (a *app) look(to string) tea.Cmd { return a.lookAt(diagnosis{to: to}) }

func (a *app) lookAt(of diagnosis) tea.Cmd {
	a.screen = looking
	a.health.of = of
	key := a.session.Key
	return a.do(func(ctx context.Context) (tea.Msg, error) {
		h, err := a.o.Source.Health(ctx, key, of.to, of.api)
		return looked{key, of, h}, err
	})
}

// is reports whether the diagnosis is that of a row; without an API the first row
// of a target is.
func (d diagnosis) is(v hygeia.TargetHealth) bool {
	return v.Target == d.to && (d.api == "" || v.API == d.api)
}

func (a *app) diagnose(l looked) {
	if l.key != a.session.Key || l.of != a.health.of {
		return
	}
	a.health.Health, a.health.ready = l.Health, true
	if i := slices.IndexFunc(l.Targets, l.of.is); i >= 0 {
		a.health.at = i
	}
}

func (a *app) panelKey(k tea.KeyPressMsg) tea.Cmd {
	p := &a.health
	last := max(0, len(p.Targets)-1)
	switch k.String() {
	case "up":
		p.at = max(0, p.at-1)
	case "down":
		p.at = min(last, p.at+1)
	case "pgup":
		p.at = max(0, p.at-a.bodyHeight())
	case "pgdown":
		p.at = min(last, p.at+a.bodyHeight())
	case "enter", "right", "space":
		if p.at < len(p.Targets) {
			row := p.Targets[p.at]
			if p.of.is(row) {
				return a.look("")
			}
			return a.lookAt(diagnosis{row.Target, row.API})
		}
	case "esc", "q", "ctrl+g", "left":
		a.screen, a.health = chatting, panel{}
	}
	return nil
}

// mostListed is how many changes and problems are listed.
const mostListed = 200

// lines returns the part of the panel around the chosen row.
func (p *panel) lines(width, height int) []string {
	if !p.ready {
		return []string{faint.Render("looking")}
	}
	lines := []string{fmt.Sprintf("%d bytes, %s, %s", p.Bytes, count(p.Branches, "branch", "branches"), count(len(p.Problems), "problem", "problems")), ""}
	for i, text := range p.Problems {
		if i == mostListed {
			break
		}
		lines = append(lines, indented(wrong, "  ", SafeLine(text), width)...)
	}
	for _, text := range p.Backups {
		lines = append(lines, faint.Render("  kept: "+SafeLine(text)))
	}
	lines = append(lines, titled.Render("What would be changed for each provider"))
	chosen, opened := len(lines), slices.IndexFunc(p.Targets, p.of.is)
	for i, v := range p.Targets {
		if i == p.at {
			chosen = len(lines)
		}
		lines = append(lines, p.row(v, i == p.at, width))
		if i == opened {
			lines = append(append(lines, refusals(v, width)...), p.changes(width)...)
		}
	}
	above := height - 2
	if opened >= 0 {
		above = height / 3 // what is opened stands below
	}
	from := max(0, min(chosen-above, len(lines)-height))
	return lines[from:min(len(lines), from+height)]
}

func (p *panel) row(v hygeia.TargetHealth, chosen bool, width int) string {
	state := count(v.Changes, "change", "changes")
	if v.Changes == 0 {
		state = "nothing"
	}
	if v.Empty {
		state = "no turn is left"
	}
	name := v.Target
	if p.twice(name) {
		name += " by " + v.API
	}
	text := fmt.Sprintf("  %-44s %s", SafeLine(name), state)
	if len(v.Rules) > 0 {
		text += "; as it is refused by " + SafeLine(strings.Join(v.Rules, " "))
	}
	if text = cut(text, width); chosen {
		return marked.Render("▸" + text[1:])
	}
	return text
}

// twice reports whether more rows than one are of a target, in several APIs.
func (p *panel) twice(target string) bool {
	n := 0
	for _, v := range p.Targets {
		if v.Target == target {
			n++
		}
	}
	return n > 1
}

// refusals lists the rules of the provider that the session as it is breaks.
func refusals(v hygeia.TargetHealth, width int) []string {
	if len(v.Rules) == 0 {
		return nil
	}
	return indented(wrong, "    ", SafeLine("the provider refuses it as it is: "+strings.Join(v.Rules, " ")), width)
}

// changes lists the changes for the chosen target with their reasons.
func (p *panel) changes(width int) []string {
	var lines []string
	for i, c := range p.Changes {
		if i == mostListed {
			lines = append(lines, faint.Render(fmt.Sprintf("    … and %d more", len(p.Changes)-i)))
			break
		}
		text := fmt.Sprintf("%s %s message %d", c.Rule, c.Op, c.Message)
		if c.Entry != "" {
			text += " (" + c.Entry + ")"
		}
		text += ": " + c.Reason
		if c.Lossy {
			text += " (content goes)"
		}
		if c.Synthetic {
			text += " (content is made up)"
		}
		lines = append(lines, indented(lipgloss.NewStyle(), "    ", SafeLine(text), width)...)
	}
	if lines == nil {
		lines = []string{faint.Render("    nothing has to change")}
	}
	return lines
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
