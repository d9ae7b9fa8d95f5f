package cli

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"hygeia"
	"hygeia/gateway"
	"hygeia/tui"
)

// chatting holds the flags of chat.
type chatting struct {
	model     running
	state     string
	url       string
	tokenFile string
	session   string
	message   string
	limit     int
}

// remoteFlags are those that go with --url: with it nothing is taken from this
// machine (H-62).
var remoteFlags = []string{"url", "token-file", "session", "message", "history-limit", "to"}

func (a *app) chat() *cobra.Command {
	o := &chatting{}
	c := &cobra.Command{
		Use:   "chat [FILE] --to PROVIDER/MODEL",
		Short: "Chat in the terminal",
		Long: `Shows a session in the terminal, takes messages and shows the answers while they
come. FILE is a session file, which need not be there. --state DIR shows the
sessions below DIR to choose from instead, --url those of a gateway (hygeia serve),
whose token comes from --token-file or $HYGEIA_TOKEN; with --url nothing is taken
from the configuration of this machine.

A single FILE has no list around it: /new, /title and /archive, which change the
index of a folder of sessions, take --state or --url. Start again with another FILE
for a new session.

Esc stops the answer, ctrl-c too and leaves when there is none. Ctrl-g shows what
would be changed for each provider and why; /help lists all that can be done.

--to emulator works offline. Models, keys and tools are those of hygeia run.`,
		Args: between(0, 1, "one FILE, or none with --state or --url"),
		RunE: func(c *cobra.Command, args []string) error { return a.startChat(c, o, args) },
	}
	o.model.flags(c)
	f := c.Flags()
	f.StringVar(&o.state, "state", "", "the `DIR` with the sessions to choose from")
	f.StringVar(&o.url, "url", "", "the `URL` of a gateway with the sessions to choose from")
	f.StringVar(&o.tokenFile, "token-file", "", "`FILE` with the token of the gateway")
	f.StringVar(&o.session, "session", "", "the `KEY` of the session to begin with, with --state or --url")
	f.StringVar(&o.message, "message", "", "a `TEXT` to send at once")
	f.IntVar(&o.limit, "history-limit", tui.DefaultLimit, "how many messages are loaded at once, from 1 to 1000")
	return c
}

func (o *chatting) check(c *cobra.Command, args []string) error {
	named := 0
	for _, given := range []bool{len(args) > 0, o.state != "", o.url != ""} {
		if given {
			named++
		}
	}
	switch {
	case named != 1:
		return usage("chat takes one of FILE, --state DIR and --url URL; see hygeia chat --help")
	case o.limit < 1 || o.limit > 1000:
		return usage("--history-limit must be from 1 to 1000")
	case o.model.json:
		return usage("chat has no --json; hygeia run has")
	case len(args) > 0 && o.session != "":
		return usage("--session goes with --state or --url")
	case len(args) == 0 && o.message != "" && o.session == "":
		return usage("--message needs --session KEY to say where it goes")
	case o.url == "" && o.tokenFile != "":
		return usage("--token-file goes with --url")
	}
	for _, name := range []string{sendTool, sessionsTool} {
		if slices.Contains(o.model.tools, name) {
			return usage("--tool %s: chat has no such tool; hygeia run has", name)
		}
	}
	given := 0
	for _, name := range remoteFlags {
		if c.Flags().Changed(name) {
			given++
		}
	}
	if o.url != "" && c.Flags().NFlag() > given {
		return usage("the gateway has its own settings: with --url go only --%s", strings.Join(remoteFlags[1:], ", --"))
	}
	return nil
}

func (a *app) startChat(c *cobra.Command, o *chatting, args []string) error {
	if err := o.check(c, args); err != nil {
		return err
	}
	in, isFile := a.stdin.(*os.File)
	if !isFile || !isDevice(in) || terminalWidth(a.stdout) == 0 {
		return usage("chat needs a terminal; hygeia run and hygeia history do without")
	}
	show := tui.Options{Key: o.session, Message: o.message, Limit: o.limit, In: in, Out: a.stdout}
	end := func() {}
	var err error
	switch {
	case o.url != "":
		show.Model = o.model.to
		show.Source, err = o.remote()
	case o.state != "":
		show.Source, end, err = a.stateChat(c, o)
	default:
		show.Key = args[0]
		show.Source, end, err = a.fileChat(c, o, args[0])
	}
	if err != nil {
		return err
	}
	defer end()
	ctx, stop := untilTold()
	defer stop()
	return tui.Run(ctx, show)
}

// isDevice reports that people can type into f: it is no file and no pipe.
func isDevice(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

func (o *chatting) remote() (tui.Source, error) {
	token, err := secret("", o.tokenFile, "")
	if err != nil {
		return nil, err
	}
	r, err := tui.NewRemote(o.url, token, nil)
	if errors.Is(err, tui.ErrURL) {
		return nil, usage("--url: %w", err)
	}
	return r, err
}

// fileChat is a chat in one file.
func (a *app) fileChat(c *cobra.Command, o *chatting, path string) (tui.Source, func(), error) {
	if o.model.to == "" {
		return nil, nil, usage("--to PROVIDER/MODEL is missing; hygeia providers lists the providers")
	}
	to := o.model.to
	o.model.session = path
	run, end, err := a.runnersFor(c, &o.model)
	if err != nil {
		return nil, nil, err
	}
	policy, err := o.model.policyOptions(c, hygeia.Target{})
	if err != nil {
		end()
		return nil, nil, err
	}
	f, err := tui.NewFile(tui.FileOptions{Path: path, Model: to, Run: run, Replay: hygeia.ReplayOptions{Policy: policy}})
	if err != nil {
		end()
		return nil, nil, err
	}
	return f, func() { f.Close(); end() }, nil
}

// stateChat is a chat in the sessions of a folder: with a gateway of this process
// that nobody else reaches.
func (a *app) stateChat(c *cobra.Command, o *chatting) (tui.Source, func(), error) {
	if err := servedFolder(o.state, true); err != nil {
		return nil, nil, err
	}
	run, end, err := a.runnersFor(c, &o.model)
	if err != nil {
		return nil, nil, err
	}
	g, err := gateway.New(gateway.Config{State: o.state, Run: run})
	if err != nil {
		end()
		return nil, nil, err
	}
	line := newLine()
	server := &http.Server{Handler: g.Handler(), ErrorLog: log.New(io.Discard, "", 0)} // the screen is taken
	go server.Serve(line)                                                              // it ends with the line
	source, err := tui.NewRemote("http://localhost", "", &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return line.dial(ctx) },
	})
	return source, func() { g.Close(); server.Close(); end() }, err
}

// line is a listener that only this process reaches.
type line struct {
	calls chan net.Conn
	over  chan struct{}
	once  sync.Once
}

func newLine() *line { return &line{calls: make(chan net.Conn), over: make(chan struct{})} }

func (l *line) dial(ctx context.Context) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case l.calls <- theirs:
		return ours, nil
	case <-l.over:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements [net.Listener].
func (l *line) Accept() (net.Conn, error) {
	select {
	case c := <-l.calls:
		return c, nil
	case <-l.over:
		return nil, net.ErrClosed
	}
}

// Close implements [net.Listener].
func (l *line) Close() error {
	l.once.Do(func() { close(l.over) })
	return nil
}

// Addr implements [net.Listener].
func (l *line) Addr() net.Addr { return &net.UnixAddr{Name: "chat", Net: "pipe"} }
