package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"hygeia/runner"
	"hygeia/session"
	"hygeia/transcript"
)

// compacting holds the flags of compact.
type compacting struct {
	output
	session.CompactOptions
	summary string  // path of the file with it
	model   running // that writes it
}

func (a *app) compact() *cobra.Command {
	o := &compacting{}
	c := &cobra.Command{
		Use:   "compact FILE",
		Short: "Let a summary stand for the older part of a session",
		Long: `Lets a summary stand for the older part of the session in FILE: from then on the
conversation goes on from the summary and the newest messages. Nothing of the file
is removed; an entry is appended that says so. A damaged file is repaired before.

--summary-file F has the text of the summary (- is standard input). Without it
nothing is written: compact says which entries a summary would stand for and which
would stay, and ends with exit code 1.

--to PROVIDER/MODEL lets a model write the summary, as a run does; keys and
--to emulator are those of hygeia run.

--keep-tokens N keeps about that many tokens of the newest messages, at four
characters for each. A tool call is never parted from its result. Without it, and
without --keep-from ENTRY, nothing is kept but the summary.`,
		Args: func(c *cobra.Command, args []string) error { return o.check(c, args) },
		RunE: func(c *cobra.Command, args []string) error {
			if err := a.notInput([]string{args[0], o.summary, o.model.script}, o.path); err != nil {
				return err
			}
			switch {
			case o.model.to != "":
				return a.compactByModel(c, o, args[0])
			case o.summary == "":
				return a.planCompaction(o, args[0])
			}
			return a.compactFile(o, args[0])
		},
	}
	f := c.Flags()
	f.IntVar(&o.KeepTokens, "keep-tokens", 0, "keep about `N` tokens of the newest messages")
	f.StringVar(&o.KeepFrom, "keep-from", "", "keep what stands from the entry `ENTRY` on")
	f.StringVar(&o.summary, "summary-file", "", "take the summary from the file `F`, or - for standard input")
	f.BoolVar(&o.Rotate, "rotate", false, "write a successor of the file too, without what was summed up; FILE stays")
	f.StringVar(&o.model.to, "to", "", "let the model `PROVIDER/MODEL` write the summary")
	f.StringVar(&o.model.api, "api", "", "the API of the model, where it is not the provider's default")
	f.StringVar(&o.model.script, "script", "", "`FILE` with answers for --to emulator, as hygeia emulate takes them")
	o.flags(c)
	return c
}

// check demands flags and arguments that go together.
func (o *compacting) check(c *cobra.Command, args []string) error {
	if err := exactly(1, "one FILE")(c, args); err != nil {
		return err
	}
	budget := c.Flags().Changed("keep-tokens")
	o.Hard = !budget && o.KeepFrom == ""
	switch {
	case args[0] == "-":
		return usage("compact writes to FILE, which cannot be standard input")
	case budget && o.KeepTokens < 1:
		return usage("--keep-tokens takes a number from 1 on; leave it out to keep nothing")
	case budget && o.KeepFrom != "":
		return usage("--keep-tokens and --keep-from both say what is kept: only one of them")
	case o.summary != "" && o.model.to != "":
		return usage("--summary-file and --to both say where the summary comes from: only one of them")
	case o.Rotate && o.summary == "" && o.model.to == "":
		return usage("--rotate goes with --summary-file or --to")
	}
	return nil
}

func (a *app) planCompaction(o *compacting, path string) error {
	done := a.progress("reading " + path)
	defer done()
	s, err := session.Load(path, session.Options{})
	if err != nil {
		return err
	}
	b, err := s.Branch("")
	if err != nil {
		return err
	}
	p, err := b.PlanCompaction(o.CompactOptions)
	if err != nil {
		return err
	}
	r := newCompactReport(path, p)
	r.Session = s.Header().ID
	if err := a.show(&o.output, r, func(w io.Writer, _ int) { r.print(w) }); err != nil {
		return err
	}
	return errPending
}

func (a *app) compactFile(o *compacting, path string) error {
	text, err := a.readSummary(o.summary)
	if err != nil {
		return err
	}
	o.Summary = strings.TrimSpace(string(text))
	return a.writeCompaction(o, path)
}

// compactByModel lets a model write the summary (C-06).
func (a *app) compactByModel(c *cobra.Command, o *compacting, path string) error {
	run, end, err := a.runner(c, &o.model)
	if err != nil {
		return err
	}
	defer end()
	o.Summarise = run.Summarise
	return a.writeCompaction(o, path)
}

func (a *app) writeCompaction(o *compacting, path string) error {
	write := session.WriteOptions{Lock: session.LockOptions{}.WithEnv(os.Getenv)}
	var err error
	if write.Repair.Log, err = a.log(); err != nil {
		return err
	}
	ctx, stop := untilTold()
	defer stop()
	o.Record = session.RecordBeside(ctx, path, write.Lock)
	leave, err := runner.Claim(ctx, path, 0, func(what string) { fmt.Fprintln(a.stderr, safe(what)) })
	if err != nil {
		return err
	}
	defer leave()
	done := a.progress("compacting " + path)
	defer done()
	compacted, err := session.Compact(ctx, path, o.CompactOptions, write)
	if compacted == nil {
		return err
	}
	r := newCompactReport(path, compacted.Plan)
	r.done(compacted)
	return errors.Join(a.show(&o.output, r, func(w io.Writer, _ int) { r.print(w) }), err)
}

func (a *app) readSummary(path string) ([]byte, error) {
	if path == "-" {
		return io.ReadAll(a.stdin)
	}
	return os.ReadFile(path)
}

// compactReport is what compact prints as JSON.
type compactReport struct {
	File         string                `json:"file"`
	Session      string                `json:"session"`
	Entry        string                `json:"entry"`     // of the compaction, "" for a plan
	KeptFrom     string                `json:"keptFrom"`  // "" where nothing is kept
	Previous     bool                  `json:"previous"`  // the summary takes the place of an earlier one
	SummedUp     part                  `json:"summedUp"`  // whole turns
	TurnBegin    part                  `json:"turnBegin"` // summed up too, of the turn that goes on with what is kept
	Kept         part                  `json:"kept"`
	TokensBefore int                   `json:"tokensBefore"`      // as the service counted them, where it did (C-07)
	Estimated    int                   `json:"estimatedBefore"`   // as all other numbers here
	TokensAfter  int                   `json:"tokensAfter"`       // 0 for a plan
	Redacted     bool                  `json:"redacted,omitzero"` // secrets were taken out of the summary
	Successor    string                `json:"successor,omitzero"`
	Repair       *session.RepairReport `json:"repair,omitzero"`
}

// part is a run of messages.
type part struct {
	Messages int    `json:"messages"`
	Tokens   int    `json:"tokens"`
	First    string `json:"first,omitzero"` // entry
	Last     string `json:"last,omitzero"`
}

func partOf(list []*transcript.Message) part {
	p := part{Messages: len(list)}
	for _, m := range list {
		p.Tokens += session.EstimateTokens(m)
	}
	if len(list) > 0 {
		p.First, p.Last = list[0].Origin.Entry, list[len(list)-1].Origin.Entry
	}
	return p
}

func newCompactReport(path string, p *session.CompactionPlan) *compactReport {
	return &compactReport{
		File: path, KeptFrom: p.KeptFrom, Previous: p.Previous != "", TokensBefore: p.TokensBefore, Estimated: p.Estimated,
		SummedUp: partOf(p.Messages), TurnBegin: partOf(p.Prefix), Kept: partOf(p.Kept),
	}
}

func (r *compactReport) done(c *session.Compaction) {
	r.Entry, r.TokensAfter, r.Session, r.Repair = c.Entry, c.TokensAfter(), c.Session, c.Repair
	r.Redacted = c.Redacted
	if c.Rotation != nil {
		r.Successor = c.Rotation.Path
	}
}

// print writes the report for people.
func (r *compactReport) print(w io.Writer) {
	verb := "would be summed up"
	if r.Entry != "" {
		verb = "summed up"
	}
	for _, p := range []struct {
		part
		what string
	}{
		{r.SummedUp, verb},
		{r.TurnBegin, verb + ", the beginning of the turn that goes on below"},
		{r.Kept, "kept"},
	} {
		if p.Messages > 0 {
			fmt.Fprintf(w, "%s %s: %s, about %s, %s to %s\n",
				safe(r.File), p.what, plural(p.Messages, "message"), plural(p.Tokens, "token"), safe(p.First), safe(p.Last))
		}
	}
	if r.Previous {
		fmt.Fprintf(w, "%s: the summary takes the place of an earlier one\n", safe(r.File))
	}
	if r.Entry == "" {
		fmt.Fprintf(w, "%s: nothing was written; --summary-file F compacts\n", safe(r.File))
		return
	}
	fmt.Fprintf(w, "%s compacted by entry %s: about %s of context became %d\n",
		safe(r.File), safe(r.Entry), plural(r.Estimated, "token"), r.TokensAfter)
	if r.Redacted {
		fmt.Fprintf(w, "%s: secrets were taken out of the summary\n", safe(r.File))
	}
	for _, fact := range []struct{ what, path string }{
		{"successor", r.Successor}, {"left out by the repair", r.quarantine()}, {"backup", r.backup()},
	} {
		if fact.path != "" {
			fmt.Fprintf(w, "%s: %s\n", fact.what, safe(fact.path))
		}
	}
}

func (r *compactReport) quarantine() string {
	if r.Repair == nil {
		return ""
	}
	return r.Repair.QuarantinePath
}

func (r *compactReport) backup() string {
	if r.Repair == nil {
		return ""
	}
	return r.Repair.BackupPath
}
