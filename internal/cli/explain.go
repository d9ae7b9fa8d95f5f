package cli

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"hygeia"
	"hygeia/hygiene"
	"hygeia/policy"
	"hygeia/session"
	"hygeia/transcript"
)

func (a *app) explain() *cobra.Command {
	in, out := &input{session: session.OpenOptions{AsIs: true}}, &output{}
	c := &cobra.Command{
		Use:   "explain FILE --to PROVIDER/MODEL",
		Short: "Say which message is bad, what the provider would answer, and what is changed",
		Long: `Tells about every change that replay would make: which message it concerns, what
is the matter with it, what the provider would answer to it, and what is done.
The exit code is 1 when there is something to tell.`,
		Args: exactly(1, "one FILE or -"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.notInput(in.files(args[0]), out.path); err != nil {
				return err
			}
			t, r, err := a.run(c, args[0], in, false)
			if errors.Is(err, hygeia.ErrNoConverter) {
				t, r, err = a.run(c, args[0], in, true)
			}
			if err != nil {
				return err
			}
			list := explain(t, r)
			text := func(w io.Writer, width int) { printExplanations(w, width, t, r, list) }
			if err := a.show(out, explanations{r.Resolution.Target, list, append([]string{}, r.Report.Notes...)}, text); err != nil {
				return err
			}
			if !r.Report.Empty() || faults(t) > 0 {
				return errPending
			}
			return nil
		},
	}
	in.flags(c)
	out.flags(c)
	return c
}

// explanations is what explain says, as scripts read it.
type explanations struct {
	Target policy.Target `json:"target"`
	List   []explanation `json:"explanations"`
	Notes  []string      `json:"notes"`
}

type explanation struct {
	Message int     `json:"message"`
	Block   *int    `json:"block,omitempty"`
	Entry   string  `json:"entry,omitempty"`
	Role    string  `json:"role,omitempty"`
	Rule    string  `json:"rule"`
	Title   string  `json:"title"`
	Op      string  `json:"op"`
	Reason  string  `json:"reason"`
	Lossy   bool    `json:"lossy"`
	Answer  *answer `json:"answer,omitempty"`

	change *hygiene.Change
}

// answer is what the provider would say.
type answer struct {
	Rule    string `json:"rule"`
	Status  int    `json:"status"`
	Message string `json:"message"`
	On      string `json:"on"` // "yes", "opt": only some hosts answer so
}

// where names the rule, and says when not every host answers so.
func (a *answer) where() string {
	if a.On == "opt" {
		return a.Rule + ", stricter hosts only"
	}
	return a.Rule
}

// explain returns the explanations in the order of the messages.
func explain(t *hygeia.Transcript, r *hygeia.Replay) []explanation {
	byChange := map[*hygiene.Change]hygeia.Explanation{}
	for _, e := range r.Explain() {
		byChange[e.Change] = e
	}
	list := make([]explanation, 0, len(byChange))
	for _, c := range byMessage(r.Report.Changes) {
		e := byChange[c]
		x := explanation{
			Message: c.Message, Entry: c.Entry, Role: role(t, c), Rule: c.Rule, Title: e.Title,
			Op: string(c.Op), Reason: c.Reason, Lossy: c.Lossy, change: c,
		}
		if c.Block >= 0 {
			x.Block = &c.Block
		}
		if e.Answer != nil {
			x.Answer = &answer{e.Answer.ID, e.Answer.Status, e.AnswerText, e.Answer.On}
			if e.AnswerText == "" {
				x.Answer.Message = e.Answer.Rule
			}
		}
		list = append(list, x)
	}
	return list
}

// role returns the role of the message that a change is about: of what was put
// in, or of what was read.
func role(t *hygeia.Transcript, c *hygiene.Change) string {
	if m, ok := c.After.(*transcript.Message); ok && c.Op == hygiene.Insert {
		return string(m.Role())
	}
	if c.Message >= 0 && c.Message < len(t.Context.Messages) {
		return string(t.Context.Messages[c.Message].Role())
	}
	return ""
}

func printExplanations(w io.Writer, width int, t *hygeia.Transcript, r *hygeia.Replay, list []explanation) {
	printProblems(w, width, t)
	for _, x := range list {
		where := "message " + place(x.change)
		if x.Role != "" {
			where += ", " + x.Role
		}
		if x.Entry != "" {
			where += ", entry " + x.Entry
		}
		fmt.Fprintf(w, "%s: %s\n", safe(where), safe(x.Reason))
		if x.Answer != nil {
			fmt.Fprintf(w, "    provider  %d %s [%s]\n", x.Answer.Status, safe(x.Answer.Message), x.Answer.where())
		}
		fmt.Fprintf(w, "    done      %s: %s [%s]\n", changeText(x.change), x.Title, x.Rule)
	}
	printSummary(w, r)
}
