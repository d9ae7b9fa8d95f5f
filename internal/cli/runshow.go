package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"hygeia"
	"hygeia/runner"
	"hygeia/runner/model"
	"hygeia/session"
)

// stream prints an answer while it comes.
type stream struct {
	a      *app
	quiet  bool
	open   bool // the line is not over
	shown  bool
	stop   func() // ends the run when nobody reads the answer any more; may be nil
	failed error  // to print it
}

func (s *stream) event(e runner.Event) {
	switch {
	case e.Kind == runner.Said && e.Model.Kind == model.Text && !s.quiet:
		s.print(e.Model.Text)
	case e.Kind == runner.Called:
		s.line()
		note := "done"
		if e.Result.Failed {
			note = "failed"
		}
		fmt.Fprintf(s.a.stderr, "tool %s: %s\n", safe(e.Call.Name), note)
	case e.Kind == runner.Said && e.Model.Kind == model.Retrying:
		fmt.Fprintf(s.a.stderr, "the provider is overloaded; trying again in %s\n", e.Model.Wait)
	case e.Kind == runner.Resent:
		fmt.Fprintf(s.a.stderr, "refused by the provider, sent again: %s\n", safe(e.Text))
	case e.Kind == runner.Received:
		s.line()
		fmt.Fprintf(s.a.stderr, "a message of %s came and is answered too\n", safe(cmp.Or(e.Text, "a person")))
	case e.Kind == runner.Waiting:
		fmt.Fprintln(s.a.stderr, safe(e.Text))
	case e.Kind == runner.Compacted:
		fmt.Fprintf(s.a.stderr, "compacted: %s\n", safe(e.Text))
	}
}

func (s *stream) print(text string) {
	s.write(safeLines(text))
	if text != "" {
		s.open, s.shown = !strings.HasSuffix(text, "\n"), true
	}
}

// line ends the line on which the answer stands.
func (s *stream) line() {
	if s.open {
		s.write("\n")
		s.open = false
	}
}

func (s *stream) write(text string) {
	if s.failed != nil {
		return
	}
	if _, s.failed = io.WriteString(s.a.stdout, text); s.failed != nil && s.stop != nil {
		s.stop()
	}
}

// end prints an answer that was there before (X-08, F-44), and ends the last line.
func (s *stream) end(r *runner.Result) {
	if r.Repeated && !s.shown && !s.quiet {
		s.print(r.Text)
	}
	s.line()
}

// tell says on standard error what people have to know of a run.
func (a *app) tell(r *runner.Result) {
	if r.Repair != nil {
		fmt.Fprintf(a.stderr, "the session file was repaired: %s\n", plural(r.Repair.Changes, "change"))
		for _, path := range []string{r.Repair.BackupPath, r.Repair.QuarantinePath} {
			if path != "" {
				fmt.Fprintf(a.stderr, "kept: %s\n", safe(path))
			}
		}
	}
	for _, note := range r.Notes {
		fmt.Fprintln(a.stderr, safe(note))
	}
}

// resultJSON is a result as scripts read it.
type resultJSON struct {
	Target      hygeia.Target         `json:"target"`
	Text        string                `json:"text"`
	StopReason  string                `json:"stopReason"`
	Entry       string                `json:"entry,omitzero"`
	Repeated    bool                  `json:"repeated,omitzero"`
	Requests    int                   `json:"requests"`
	Usage       usageJSON             `json:"usage"`
	Resent      []string              `json:"resent"`
	Notes       []string              `json:"notes"`
	Compactions int                   `json:"compactions,omitzero"`
	Report      jsontext.Value        `json:"report,omitzero"`
	Repair      *session.RepairReport `json:"repair,omitzero"`
	Error       string                `json:"error,omitzero"`
}

type usageJSON struct {
	Input      int64 `json:"input"`
	Output     int64 `json:"output"`
	CacheRead  int64 `json:"cacheRead"`
	CacheWrite int64 `json:"cacheWrite"`
}

func (a *app) printResult(target hygeia.Target, r *runner.Result, failed error) error {
	out := resultJSON{
		Target: target, Text: r.Text, StopReason: r.StopReason, Entry: r.Entry, Repeated: r.Repeated, Requests: r.Requests,
		Usage: usageJSON(r.Usage), Resent: append([]string{}, r.Resent...), Notes: append([]string{}, r.Notes...),
		Compactions: r.Compactions, Repair: r.Repair,
	}
	if r.Report != nil {
		var err error
		if out.Report, err = (&hygeia.Transcript{}).ReportJSON(&hygeia.Replay{Report: r.Report}); err != nil {
			return err
		}
	}
	if failed != nil {
		out.Error = oneLine(failed)
	}
	line, err := jsonLine(out)
	if err != nil {
		return err
	}
	_, err = a.stdout.Write(line)
	return err
}
