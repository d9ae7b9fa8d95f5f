package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"hygeia/gateway"
	"hygeia/internal/guard"
	"hygeia/runner"
)

// serving holds the flags of serve.
type serving struct {
	model     running
	state     string
	listen    string
	token     string
	tokenFile string
	hosts     []string
	readOnly  bool
}

func (a *app) serve() *cobra.Command {
	o := &serving{}
	c := &cobra.Command{
		Use:   "serve --state DIR",
		Short: "Serve sessions over HTTP, with a chat page",
		Long: `Serves the sessions below DIR (agents/AGENT/sessions, as OpenClaw lays them out):
REST and event streams, a page to chat in, and OpenAI's Chat Completions in front of
sessions. /openapi.json describes it all.

Prompts are answered by --to (default: emulator, which works offline), or by the
model that was chosen for a session. --read-only serves history alone.

On any address but the loopback a token is needed, and callers have to show it:
from --token-file, $HYGEIA_TOKEN, or --token, which other users of the machine can
see. --host names the host under which other machines reach the service.`,
		Args: exactly(0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error { return a.serveSessions(c, o) },
	}
	f := c.Flags()
	f.StringVar(&o.state, "state", "", "the `DIR` with the sessions")
	f.StringVar(&o.listen, "listen", "127.0.0.1:0", "the `ADDRESS` to listen on; port 0 picks one")
	f.StringVar(&o.token, "token", "", "the `TOKEN` that callers have to show")
	f.StringVar(&o.tokenFile, "token-file", "", "`FILE` with the token")
	f.StringArrayVar(&o.hosts, "host", nil, "a `NAME` besides those of the loopback under which requests may come")
	f.BoolVar(&o.readOnly, "read-only", false, "answer no prompts")
	o.model.flags(c)
	_ = f.MarkHidden("json") // for run
	return c
}

func (a *app) serveSessions(c *cobra.Command, o *serving) error {
	if o.state == "" {
		return usage("--state DIR is missing")
	}
	if o.model.json {
		return usage("serve has no --json; hygeia run has")
	}
	if err := servedFolder(o.state, !o.readOnly); err != nil {
		return err
	}
	token, err := secret(o.token, o.tokenFile, "")
	if err != nil {
		return err
	}
	config := gateway.Config{State: o.state, Token: token, Hosts: o.hosts, Failed: func(route string, err error) {
		fmt.Fprintln(a.stderr, safe(route+": "+oneLine(err)))
	}}
	if config.Log, err = a.log(); err != nil {
		return err
	}
	end := func() {}
	if !o.readOnly {
		if config.Models, err = userModels(o.model.to); err != nil {
			return err
		}
		if config.Run, end, err = a.runnersFor(c, &o.model); err != nil {
			return err
		}
	}
	defer end()
	g, err := gateway.New(config)
	if err != nil {
		return err
	}
	defer g.Close()
	// Last, so that nobody is let in whom a mistake in the flags turns away again.
	l, err := guard.Listen(o.listen, token != "")
	if err != nil {
		return cannotListen(err, "a token")
	}
	defer l.Close()
	return a.serveOn(guard.Limit(l, mostConnections), g.Handler())
}

// cannotListen says what is wrong with an address that nobody listens on, and what
// allows one that others reach.
func cannotListen(err error, allows string) error {
	var none *net.AddrError
	switch {
	case errors.Is(err, guard.ErrPublic):
		return usage("%w; %s allows it", err, allows)
	case errors.As(err, &none):
		return usageError{err}
	}
	return err
}

// servedFolder demands a folder whose sessions can be read, and written where they are
// to go on.
func servedFolder(path string, writes bool) error {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--state %s: there is no such folder; mkdir makes one, which may be empty", path)
	}
	if err == nil && !info.IsDir() {
		return usage("--state %s is no folder", path)
	}
	var f *os.File
	if err == nil {
		f, err = os.Open(path)
	}
	if err != nil {
		return fmt.Errorf("--state %s: the folder cannot be read (%w); it has to belong to this user, or another one be named", path, cause(err))
	}
	f.Close() // nothing was written
	if !writes {
		return nil
	}
	if f, err = os.CreateTemp(path, ".hygeia-*"); err != nil {
		return fmt.Errorf("--state %s: nothing can be written there (%w); hygeia serve --read-only shows what there is", path, cause(err))
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// cause is what the system says, without the name of the file.
func cause(err error) error {
	if e := (*fs.PathError)(nil); errors.As(err, &e) {
		return e.Err
	}
	return err
}

// runnersFor returns what makes a runner for a target, each once. "" is the
// target of the flags.
func (a *app) runnersFor(c *cobra.Command, r *running) (of func(string) (*runner.Runner, error), end func(), err error) {
	if r.to == "" {
		r.to = emulated
	}
	flags := *r
	first, endFirst, err := a.runner(c, r)
	if err != nil {
		return nil, nil, err
	}
	var mu sync.Mutex
	made, ends := map[string]*runner.Runner{"": first}, []func(){endFirst}
	of = func(to string) (*runner.Runner, error) {
		mu.Lock()
		defer mu.Unlock()
		if run := made[to]; run != nil {
			return run, nil
		}
		const most = 64
		if len(made) >= most {
			return nil, errors.New("too many models")
		}
		other := flags
		other.to = to
		run, end, err := a.runner(c, &other)
		if err != nil {
			return nil, err
		}
		made[to], ends = run, append(ends, end)
		return run, nil
	}
	return of, func() {
		for _, end := range ends {
			end()
		}
	}, nil
}

// mostConnections is how many there may be at once; most are streams.
const mostConnections = 4_000

// serveOn serves until the process is told to stop, and lets requests end then.
func (a *app) serveOn(l net.Listener, h http.Handler) error {
	ctx, stop := untilTold()
	defer stop()
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 64 << 10, BaseContext: func(net.Listener) context.Context { return ctx },
	}
	if _, err := fmt.Fprintf(a.stdout, "listening on http://%s\n", l.Addr()); err != nil {
		return err
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		return server.Close()
	}
	return nil
}
