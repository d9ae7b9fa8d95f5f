package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"hygeia"
	"hygeia/internal/export"
	"hygeia/projection"
	"hygeia/session"
	"hygeia/transcript"
)

// telling holds the flags of history.
type telling struct {
	output
	in       input
	show     projection.Options
	form     string
	branches bool
}

func (a *app) history() *cobra.Command {
	o := &telling{in: input{session: session.OpenOptions{AsIs: true}}}
	c := &cobra.Command{
		Use:   "history FILE",
		Short: "Show a session as people see it",
		Long: `Shows the conversation in FILE (or - for standard input): the words of people and
models without what programs wrote around them. --thinking and --tools show more;
--branches lists the branches of a session instead.`,
		Args: exactly(1, "one FILE or -"),
		RunE: func(_ *cobra.Command, args []string) error { return a.recall(o, args[0]) },
	}
	f := c.Flags()
	f.StringVar(&o.in.format, "format", "auto", "form of the input: auto, session, messages, request:API")
	f.StringVar(&o.in.leaf, "leaf", "", "show the branch that ends at this `ENTRY`")
	f.BoolVar(&o.branches, "branches", false, "list the branches of the session")
	f.BoolVar(&o.show.Thinking, "thinking", false, "show what models thought")
	f.BoolVar(&o.show.Tools, "tools", false, "show the calls of turns that also speak")
	f.BoolVar(&o.show.Raw, "raw", false, "leave control text that models write as prose")
	f.IntVar(&o.show.MaxText, "max-chars", 0, "cut texts that are longer than `N` characters (default: none); in JSON what tools are given and return stays whole")
	f.StringVar(&o.form, "as", "text", "text, markdown, or html: one page that needs nothing else")
	o.flags(c)
	return c
}

func (a *app) recall(o *telling, path string) error {
	switch {
	case o.form != "text" && o.form != "markdown" && o.form != "html":
		return usage("--as %s: expected text, markdown or html", o.form)
	case o.form != "text" && (o.json || o.branches):
		return usage("--as %s goes without --json and --branches", o.form)
	case o.branches && o.in.leaf != "":
		return usage("--branches lists all branches, --leaf ENTRY shows one: only one of them")
	case o.show.MaxText < 0:
		return usage("--max-chars must not be negative")
	}
	if err := a.notInput(o.in.files(path), o.path); err != nil {
		return err
	}
	redactor, err := session.NewRedactor()
	if err != nil {
		return err
	}
	o.show.Redact = redactor.Text
	done := a.progress("reading " + path)
	defer done()
	t, err := a.open(path, &o.in)
	if err != nil {
		return err
	}
	if o.branches {
		return a.showBranches(o, t)
	}
	messages, err := t.History(o.show)
	if err != nil {
		return err
	}
	return a.showHistory(o, t, messages)
}

func (a *app) showHistory(o *telling, t *hygeia.Transcript, messages []*transcript.Message) error {
	document := export.Document{Title: title(t), Messages: messages, MaxTool: o.show.MaxText}
	if o.form == "text" {
		return a.show(&o.output, historyJSON(t, messages), func(w io.Writer, _ int) { printHistory(w, document) })
	}
	var b bytes.Buffer
	write := export.Markdown
	if o.form == "html" {
		write = export.HTML
	}
	if err := write(&b, document); err != nil {
		return err
	}
	if a.terminal(&o.output) > 0 {
		return a.write(&o.output, []byte(safeLines(b.String())))
	}
	return a.write(&o.output, b.Bytes())
}

// title names the document of a session.
func title(t *hygeia.Transcript) string {
	if t.Session != nil && t.Session.Header().ID != "" {
		return "Session " + t.Session.Header().ID
	}
	return t.Name
}

// sessionFacts say which session it is.
type sessionFacts struct {
	File      string `json:"file"`
	ID        string `json:"id,omitempty"`
	CWD       string `json:"cwd,omitempty"`
	Timestamp string `json:"timestamp,omitempty"`
	Leaf      string `json:"leaf,omitempty"`
}

func factsOf(t *hygeia.Transcript) sessionFacts {
	f := sessionFacts{File: t.Name}
	if t.Session != nil {
		h := t.Session.Header()
		f.ID, f.CWD, f.Timestamp, f.Leaf = h.ID, h.CWD, h.Timestamp, t.Session.Leaf()
	}
	return f
}

func historyJSON(t *hygeia.Transcript, messages []*transcript.Message) any {
	answer := struct {
		Session  sessionFacts     `json:"session"`
		Messages []jsontext.Value `json:"messages"`
	}{factsOf(t), []jsontext.Value{}}
	for _, m := range messages {
		answer.Messages = append(answer.Messages, projection.JSON(m))
	}
	return answer
}

// printHistory writes the messages for a terminal.
func printHistory(w io.Writer, d export.Document) {
	for i, m := range d.Messages {
		if i > 0 {
			fmt.Fprintln(w)
		}
		head := safe(export.Author(m))
		if at := export.When(m); !at.IsZero() {
			head += "  " + at.Format("2006-01-02 15:04")
		}
		fmt.Fprintln(w, head)
		for _, p := range d.Parts(m) {
			printPart(w, p)
		}
	}
}

func printPart(w io.Writer, p export.Part) {
	text := strings.TrimSpace(p.Text)
	switch p.Kind {
	case "thinking":
		text = "(thinking) " + text
	case "call":
		text = "→ " + p.Name + " " + text
	case "other":
		text = "[" + strings.TrimSpace(p.Name+" "+text) + "]"
	}
	for line := range strings.Lines(text) {
		fmt.Fprintln(w, "  "+safe(strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\t", "    ")))
	}
}

// branch is one branch of a session.
type branch struct {
	Leaf   string `json:"leaf"`
	Parts  string `json:"parts,omitempty"`
	Active bool   `json:"active"`
	Turns  int    `json:"turns"`
	Last   string `json:"last"`
}

func (a *app) showBranches(o *telling, t *hygeia.Transcript) error {
	if t.Session == nil {
		return usage("--branches: %s is no session file", t.Name)
	}
	list := []branch{}
	for _, tip := range t.Session.Branches() {
		b, err := t.Session.Branch(tip.Leaf)
		if err != nil {
			return err
		}
		messages := projection.Project(projection.Records(b.Entries()), o.show)
		list = append(list, branch{tip.Leaf, tip.Parts, tip.Active, len(messages), lastWords(messages)})
	}
	answer := struct {
		Session  sessionFacts `json:"session"`
		Branches []branch     `json:"branches"`
	}{factsOf(t), list}
	return a.show(&o.output, answer, func(w io.Writer, width int) {
		rows := table{head: []string{"LEAF", "PARTS AT", "ACTIVE", "MESSAGES", "LAST WORDS"}}
		for _, b := range list {
			active := ""
			if b.Active {
				active = "yes"
			}
			rows.add(b.Leaf, b.Parts, active, fmt.Sprint(b.Turns), b.Last)
		}
		rows.print(w, width)
	})
}

// longestPreview is how much of a text a table shows, in characters.
const longestPreview = 120

// lastWords returns the beginning of the last words of a conversation.
func lastWords(messages []*transcript.Message) string {
	for i := len(messages) - 1; i >= 0; i-- {
		for _, p := range export.Parts(messages[i]) {
			if p.Kind == "text" && strings.TrimSpace(p.Text) != "" {
				return cut(strings.Join(strings.Fields(p.Text), " "), longestPreview)
			}
		}
	}
	return ""
}
