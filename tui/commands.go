package tui

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"hygeia/projection"
	"hygeia/transcript"
)

// command is what people can do besides writing (H-B18).
type command struct {
	name, argument, about string
	run                   func(a *app, argument string) tea.Cmd
}

var commands []command

// The table is set here because the help refers to it.
func init() {
	commands = []command{
		{"new", "", "make a session", func(a *app, _ string) tea.Cmd { return a.create() }},
		{"sessions", "[TEXT]", "choose another session (ctrl+s)", func(a *app, text string) tea.Cmd {
			a.screen = picking
			return a.list(text)
		}},
		{"model", "PROVIDER/MODEL", "let another model answer", (*app).choose},
		{"title", "TEXT", "give the session a title", (*app).rename},
		{"archive", "", "put the session away", (*app).archive},
		{"attach", "FILE", "send a picture with the next message", (*app).attach},
		{"edit", "", "write the last message anew, on a branch of its own", (*app).edit},
		{"branches", "", "list the branches of the session", (*app).branches},
		{"branch", "NUMBER", "show a branch; the next message goes on there", (*app).branches},
		{"search", "TEXT", "go back to the last message with a text", (*app).search},
		{"copy", "", "copy the last answer to the clipboard of the terminal", (*app).copyAnswer},
		{"export", "FILE", "write the session as Markdown", (*app).export},
		{"health", "[PROVIDER/MODEL]", "what would be changed for each provider, and why (ctrl+g)", (*app).look},
		{"thinking", "", "show or hide what the model thought (ctrl+t)", func(a *app, _ string) tea.Cmd { return keys["ctrl+t"](a) }},
		{"tools", "", "show or hide what tools were asked for and gave (ctrl+o)", func(a *app, _ string) tea.Cmd { return keys["ctrl+o"](a) }},
		{"stop", "", "end the answer (esc)", func(a *app, _ string) tea.Cmd {
			if a.run == "" {
				return nil
			}
			return a.stop()
		}},
		{"help", "", "this list (f1)", func(a *app, _ string) tea.Cmd {
			a.screen = helping
			return nil
		}},
		{"quit", "", "leave (ctrl+c)", func(*app, string) tea.Cmd { return tea.Quit }},
	}
}

func help(width int) []string {
	lines := []string{titled.Render("Commands"), ""}
	for _, c := range commands {
		lines = append(lines, cut(fmt.Sprintf("  /%-26s %s", c.name+" "+c.argument, c.about), width))
	}
	return append(lines, "", cut("  //TEXT sends a message that begins with a slash.", width))
}

func (a *app) command(text string) tea.Cmd {
	name, argument, _ := strings.Cut(text, " ")
	argument = strings.TrimSpace(argument)
	for _, c := range commands {
		switch {
		case c.name != name:
		case argument == "" && c.argument != "" && c.argument[0] != '[':
			a.note("/" + name + " takes " + c.argument)
			return nil
		default:
			return c.run(a, argument)
		}
	}
	a.note("there is no command /" + name + "; /help lists them")
	return nil
}

// said is a note that a command leaves.
type said string

// renamed is the new title of the session.
type renamed string

func (a *app) choose(model string) tea.Cmd {
	if provider, name, ok := strings.Cut(model, "/"); !ok || provider == "" || name == "" {
		a.note("a model is written PROVIDER/MODEL")
		return nil
	}
	a.o.Model = model
	return nil
}

func (a *app) rename(title string) tea.Cmd {
	key := a.session.Key
	return a.do(func(ctx context.Context) (tea.Msg, error) {
		return renamed(title), a.o.Source.Rename(ctx, key, title)
	})
}

func (a *app) archive(string) tea.Cmd {
	key := a.session.Key
	return a.do(func(ctx context.Context) (tea.Msg, error) {
		return said("archived; it stays in the list of archived sessions"), a.o.Source.Archive(ctx, key)
	})
}

// largestPicture is how large a file may be that is sent along, in bytes.
const largestPicture = 20 << 20

func (a *app) attach(path string) tea.Cmd {
	return a.do(func(context.Context) (tea.Msg, error) {
		data, err := readFile(path, largestPicture+1)
		if err == nil && len(data) > largestPicture {
			err = fmt.Errorf("%s is larger than %d bytes", path, largestPicture)
		}
		return attachment{filepath.Base(path), data}, err
	})
}

// edit takes the last message of the user back into the input. It will hang from
// what stood before, so that nothing is overwritten.
func (a *app) edit(string) tea.Cmd {
	for i := len(a.messages) - 1; i > 0; i-- {
		if !a.messages[i].Is(transcript.User) {
			continue
		}
		if a.leaf = projection.MetaOf(a.messages[i-1]).ID; a.leaf != "" {
			a.input.SetValue(words(a.messages[i]))
			return nil
		}
	}
	a.note("there is no message with another one before it")
	return nil
}

// parted are the branches of the session; to is the one that people want to see,
// from 1, 0 for none.
type parted struct {
	key  string
	list []Branch
	to   int
}

func (a *app) branches(number string) tea.Cmd {
	to, err := strconv.Atoi(number)
	if number != "" && (err != nil || to < 1) {
		a.note("a branch is named by its number; /branches lists them")
		return nil
	}
	key := a.session.Key
	return a.do(func(ctx context.Context) (tea.Msg, error) {
		list, err := a.o.Source.Branches(ctx, key)
		return parted{key, list, to}, err
	})
}

// part lists the branches, or shows one of them.
func (a *app) part(p parted) tea.Cmd {
	switch {
	case p.key != a.session.Key:
		return nil
	case p.to > len(p.list):
		a.note(fmt.Sprintf("there are only %d branches", len(p.list)))
		return nil
	case p.to > 0:
		if a.show.Leaf, a.leaf = p.list[p.to-1].Leaf, p.list[p.to-1].Leaf; p.list[p.to-1].Active {
			a.show.Leaf, a.leaf = "", ""
		}
		return a.reshow()
	}
	var told []string
	for i, branch := range p.list {
		text := fmt.Sprintf("%d", i+1)
		if branch.Active {
			text += " (active)"
		}
		told = append(told, text+" "+projection.Short(cmp.Or(branch.Begins, branch.Ends, branch.Leaf), 40))
	}
	a.note("branches: " + strings.Join(told, " · "))
	return nil
}

func (a *app) search(text string) tea.Cmd {
	below := 0
	for i := len(a.messages) - 1; i >= 0; i-- {
		below += len(a.linesOf(a.messages[i]))
		if below > a.offset+a.bodyHeight() && strings.Contains(strings.ToLower(words(a.messages[i])), strings.ToLower(text)) {
			a.offset = max(0, below-a.bodyHeight())
			return nil
		}
	}
	note := "not found further up"
	if a.older != "" {
		note += " in what is loaded; pgup at the top loads more"
	}
	a.note(note)
	return nil
}

func (a *app) copyAnswer(string) tea.Cmd {
	for _, m := range slices.Backward(a.messages) {
		if text := words(m); m.Is(transcript.Assistant) && text != "" {
			a.note("copied")
			return tea.SetClipboard(text)
		}
	}
	a.note("there is no answer yet")
	return nil
}

func (a *app) export(path string) tea.Cmd {
	key := a.session.Key
	return a.do(func(ctx context.Context) (tea.Msg, error) {
		text, err := a.o.Source.Export(ctx, key)
		if err != nil {
			return nil, err
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return nil, err
		}
		if _, err = f.Write(text); err == nil {
			err = f.Sync()
		}
		if e := f.Close(); err == nil {
			err = e
		}
		return said("written: " + path), err
	})
}
