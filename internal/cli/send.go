package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"hygeia/runner"
	"hygeia/runner/tools"
)

// sending holds the flags of send.
type sending struct {
	running
	state, from, key, label, agent, run string
	wait                                int
	resume                              bool
}

func (a *app) send() *cobra.Command {
	s := &sending{}
	c := &cobra.Command{
		Use:   "send --state DIR (--session KEY | --label LABEL | --agent ID) --to PROVIDER/MODEL [MESSAGE]",
		Short: "Send a message to another session and let both sides answer",
		Long: `Sends MESSAGE (without one, or with -: standard input) to a session of an
installation, as the tool sessions_send does, and waits for the reply. It is stored
there as a turn of another session, not of a user. DIR is the root of the state:
DIR/agents/AGENT/sessions holds the sessions and their index.

With --from the two sides answer each other up to the turn limit
(session.agentToAgent.maxPingPongTurns in config.json, 5 by default), and who may
reach whom is what tools.agentToAgent and tools.sessions.visibility say. At the end
the target session announces what came out of it.

A flow that was cut short goes on with --resume, or when it is sent again with the
same --run; what was done is not done again.`,
		Args: between(0, 1, "one MESSAGE, or - or none for standard input"),
		RunE: func(c *cobra.Command, args []string) error { return a.sendMessage(c, s, args) },
	}
	s.flags(c)
	f := c.Flags()
	f.StringVar(&s.state, "state", "", "the root `DIR` of the state")
	f.StringVar(&s.from, "from", "", "the `KEY` of the session that sends; without it a person does")
	f.StringVar(&s.key, "session", "", "the `KEY` or id of the session that the message goes to")
	f.StringVar(&s.label, "label", "", "its `LABEL` instead")
	f.StringVar(&s.agent, "agent", "", "the agent with that `ID`, whose main session it goes to; with --label the one it is looked for at")
	f.IntVar(&s.wait, "timeout", 30, "`SECONDS` to wait for the reply before it is called accepted")
	f.StringVar(&s.run, "run", "", "`ID` of the run, to send no message twice")
	f.BoolVar(&s.resume, "resume", false, "go on with what was cut short, and send nothing")
	return c
}

func (a *app) sendMessage(c *cobra.Command, s *sending, args []string) error {
	m, err := a.message(s, args)
	if err != nil {
		return err
	}
	run, end, err := a.runners(c, &s.running)
	if err != nil {
		return err
	}
	defer end()
	post, failures, err := a.post(s.state, a.prose(&s.running), run)
	if err != nil {
		return err
	}
	ctx, stop := untilTold()
	defer stop()
	ended := context.AfterFunc(ctx, post.Close)
	defer ended()
	if s.resume {
		runs, err := post.Resume()
		if err != nil {
			return err
		}
		fmt.Fprintf(a.stderr, "going on with %s\n", plural(len(runs), "flow"))
		post.Wait()
		return failures.err()
	}
	if s.wait > 0 {
		a.waitsFor(s, "the reply of "+s.target()+", at most "+plural(s.wait, "second"))
	}
	receipt := post.Send(ctx, m)
	if err := a.showReceipt(s, receipt); err != nil {
		return err
	}
	if receipt.Status == runner.OK || receipt.Status == runner.Accepted {
		a.waitsFor(s, "what follows between the sessions, until it is announced")
	}
	post.Wait()
	switch receipt.Status {
	case runner.OK, runner.Accepted:
		return failures.err()
	}
	return fmt.Errorf("%s: %s", receipt.Status, receipt.Error)
}

// waitsFor says why nothing happens. Programs that read JSON need not know.
func (a *app) waitsFor(s *sending, what string) {
	if !s.json {
		fmt.Fprintf(a.stderr, "waiting for %s\n", what)
	}
}

// target says in short where a message goes.
func (s *sending) target() string {
	switch {
	case s.key != "":
		return "session " + safe(s.key)
	case s.label != "":
		return "session " + safe(strconv.Quote(s.label))
	}
	return "agent " + safe(s.agent)
}

func (a *app) message(s *sending, args []string) (m runner.Message, err error) {
	if s.state == "" {
		return m, usage("--state DIR is missing")
	}
	if err := stateFolder(s.state); err != nil {
		return m, err
	}
	if s.resume {
		return m, nil
	}
	if s.key == "" && s.label == "" && s.agent == "" {
		return m, usage("--session, --label or --agent must say where the message goes")
	}
	if s.key != "" && s.label != "" {
		return m, usage("--session and --label both say where the message goes: only one of them")
	}
	if s.wait < 0 {
		return m, usage("--timeout must not be negative")
	}
	m = runner.Message{
		From: s.from, SessionKey: s.key, Label: s.label, Agent: s.agent, Wait: time.Duration(s.wait) * time.Second, Run: s.run,
	}
	if m.Text, err = a.words(args); err != nil {
		return m, err
	}
	if strings.TrimSpace(m.Text) == "" {
		return m, usageError{runner.ErrNothing}
	}
	return m, nil
}

// runners makes what runs prompts in each session, by its key and with a set of
// tools of its own.
func (a *app) runners(c *cobra.Command, r *running) (of func(key string, set *tools.Set) (*runner.Runner, error), end func(), err error) {
	o, end, err := a.runnerOptions(c, r)
	if err != nil {
		return nil, nil, err
	}
	return func(key string, set *tools.Set) (*runner.Runner, error) {
		own := o
		if own.Replay.Past, err = userPast(key); err != nil {
			return nil, err
		}
		if own.Tools, err = o.Tools.With(set); err != nil {
			return nil, err
		}
		return runner.New(own)
	}, end, nil
}

// post makes the post of an installation, which prints what sessions announce.
func (a *app) post(state string, out io.Writer, run func(string, *tools.Set) (*runner.Runner, error)) (*runner.Post, *failures, error) {
	o, err := postConfig(state)
	if err != nil {
		return nil, nil, err
	}
	failed := &failures{}
	var post *runner.Post
	o.State = filepath.Join(state, "hygeia", "flows")
	o.Runner = func(p runner.Peer) (*runner.Runner, error) {
		set, err := tools.New(post.Tool(p.Key))
		if err != nil {
			return nil, err
		}
		return run(p.Key, set)
	}
	o.Deliver = func(_ context.Context, to runner.Peer, text string) error {
		_, err := fmt.Fprintf(out, "%s announces: %s\n", safe(to.Key), safeLines(text))
		return err
	}
	o.Failed = failed.add
	o.Waiting = func(_, what string) { fmt.Fprintln(a.stderr, safe(what)) }
	post = runner.NewPost(o)
	return post, failed, nil
}

func (a *app) showReceipt(s *sending, r *runner.Receipt) error {
	if s.json {
		line, err := jsonLine(r)
		if err != nil {
			return err
		}
		_, err = a.stdout.Write(line)
		return err
	}
	if r.Status == runner.OK {
		show := stream{a: a}
		show.print(r.Reply)
		show.line()
		return show.failed
	}
	fmt.Fprintf(a.stderr, "run %s: %s\n", safe(r.RunID), r.Status)
	return nil
}
