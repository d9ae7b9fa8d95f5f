package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/spf13/cobra"

	"hygeia"
	"hygeia/hygiene"
	"hygeia/transcript"
)

func (a *app) explain() *cobra.Command {
	in := &input{}
	var asJSON bool
	var out string
	c := &cobra.Command{
		Use:   "explain FILE --to PROVIDER/MODEL",
		Short: "Say which message is bad, what the provider would answer, and what is changed",
		Args:  exactly(1, "one FILE or -"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := notInput(args[0], out); err != nil {
				return err
			}
			t, r, err := a.run(c, args[0], in, false)
			if isNoConverter(err) {
				t, r, err = a.run(c, args[0], in, true)
			}
			if err != nil {
				return err
			}
			text, err := explained(t, r, asJSON)
			if err != nil {
				return err
			}
			if err := a.output(out, text); err != nil {
				return err
			}
			if !r.Report.Empty() {
				return errPending
			}
			return nil
		},
	}
	in.flags(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().StringVarP(&out, "output", "o", "", "write to `FILE` what would go to standard output")
	return c
}

// explanationJSON is an explanation as scripts read it.
type explanationJSON struct {
	Message int         `json:"message"`
	Block   *int        `json:"block,omitempty"`
	Entry   string      `json:"entry,omitempty"`
	Role    string      `json:"role,omitempty"`
	Rule    string      `json:"rule"`
	Title   string      `json:"title"`
	Op      string      `json:"op"`
	Reason  string      `json:"reason"`
	Lossy   bool        `json:"lossy"`
	Answer  *answerJSON `json:"answer,omitempty"`
}

type answerJSON struct {
	Rule    string `json:"rule"`
	Status  int    `json:"status"`
	Message string `json:"message"`
}

func explained(t *hygeia.Transcript, r *hygeia.Replay, asJSON bool) ([]byte, error) {
	var b strings.Builder
	list := r.Explain()
	if !asJSON {
		printExplanations(&b, t, r, list)
		return []byte(b.String()), nil
	}
	out := make([]explanationJSON, 0, len(list))
	for _, e := range list {
		c := e.Change
		j := explanationJSON{
			Message: c.Message, Entry: c.Entry, Role: role(c), Rule: c.Rule, Title: e.Title,
			Op: string(c.Op), Reason: c.Reason, Lossy: c.Lossy,
		}
		if c.Block >= 0 {
			j.Block = &c.Block
		}
		if e.Answer != nil {
			j.Answer = &answerJSON{e.Answer.ID, e.Answer.Status, e.AnswerText}
		}
		out = append(out, j)
	}
	text, err := json.Marshal(map[string]any{"target": r.Resolution.Target, "explanations": out}, json.Deterministic(true))
	return append(text, '\n'), err
}

func printExplanations(w io.Writer, t *hygeia.Transcript, r *hygeia.Replay, list []hygeia.Explanation) {
	printProblems(w, t)
	for _, e := range list {
		c := e.Change
		where := "message " + place(c)
		if c.Entry != "" {
			where += " (entry " + c.Entry + ")"
		}
		if who := role(c); who != "" {
			where += ", " + who
		}
		fmt.Fprintf(w, "%s: %s\n", safe(where), safe(c.Reason))
		if e.Answer != nil {
			text := e.AnswerText
			if text == "" {
				text = e.Answer.Rule
			}
			fmt.Fprintf(w, "    provider  %d %s [%s]\n", e.Answer.Status, safe(text), e.Answer.ID)
		}
		fmt.Fprintf(w, "    done      %s: %s [%s]\n", changeText(c), e.Title, c.Rule)
	}
	target := r.Resolution.Target
	fmt.Fprintf(w, "%s for %s/%s (%s)\n", plural(len(list), "change"), safe(target.Provider), safe(target.Model), safe(target.API))
	for _, n := range r.Report.Notes {
		fmt.Fprintf(w, "note: %s\n", safe(n))
	}
}

// role returns the role of the message that a change is about, where the change
// shows it.
func role(c *hygiene.Change) string {
	for _, side := range []any{c.Before, c.After} {
		if m, ok := side.(*transcript.Message); ok {
			return string(m.Role())
		}
	}
	return ""
}
