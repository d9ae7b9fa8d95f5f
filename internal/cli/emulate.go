package cli

import (
	"fmt"
	"log"
	"os"

	"github.com/spf13/cobra"

	"hygeia/emulator"
)

func (a *app) emulate() *cobra.Command {
	var script, listen string
	var trust bool
	var o emulator.Options
	c := &cobra.Command{
		Use:   "emulate",
		Short: "Serve the APIs of the providers, as strict as they are",
		Long: `Serve the APIs of the providers for tests: real paths, error bodies, status
codes and streams. A request is refused by the rules that "hygeia rules" and the
pages on providers list, and for signatures, encrypted content and ids that this
server did not issue; the rule is named on standard error.

Without a script the answer is an echo. A script holds one answer per line:

  {"contains":"weather","content":[{"thinking":"I need the tool."},{"call":"weather","arguments":{"city":"Bern"}}]}
  {"content":[{"text":"It rains."}],"usage":{"input":120,"output":7},"delay":"50ms","pace":"5ms"}
  {"to":"anthropic/*","status":529,"error":"Overloaded","header":{"retry-after":"1"}}
  {"content":[{"text":"This ends too early."}],"abort":{"after":3}}

A part of the content holds text, thinking, hidden (thinking that nobody may
read) or call with arguments and id. Beside content stand stop (stop, length,
toolUse, refusal, or the provider's word) and usage (input, output, cacheRead,
cacheWrite); delay passes before the answer, pace between the events of a stream.
From status 400 on the answer is the error in the provider's shape, or body as it
is. abort ends a stream after so many events, with the provider's error event if
it has an error text. A line is used once, or as often as times says (-1: always),
by the first request to whose target it goes and whose prompt contains the text.

Where providers share a path the model decides; /to/PROVIDER in front of a path
names the provider: http://127.0.0.1:PORT/to/mistral/v1/chat/completions.`,
		Args: exactly(0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			if script != "" {
				steps, err := a.readScript(script)
				if err != nil {
					return err
				}
				o.Respond = emulator.Script(steps...)
			}
			if trust {
				o.Known = func(string) bool { return true }
			}
			return a.serveEmulator(listen, o)
		},
	}
	f := c.Flags()
	f.StringVar(&script, "script", "", "`FILE` with the answers, - for standard input")
	f.StringVar(&listen, "listen", "127.0.0.1:0", "the `ADDRESS` to listen on; port 0 picks one")
	f.BoolVar(&o.Public, "public", false, "allow an address that other machines can reach")
	f.StringArrayVar(&o.Hosts, "host", nil, "a `NAME` besides those of the loopback under which requests may come")
	f.BoolVar(&o.RequireHeaders, "require-headers", false, "refuse requests without credentials (any will do)")
	f.BoolVar(&trust, "trust", false, "take every signature, encrypted content and id for genuine, as for sessions of real providers")
	return c
}

func (a *app) readScript(name string) ([]emulator.Step, error) {
	in := a.stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	steps, err := emulator.ReadScript(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return steps, nil
}

// serveEmulator serves until the process is told to stop.
func (a *app) serveEmulator(addr string, o emulator.Options) error {
	ctx, stop := untilTold()
	defer stop()
	l, err := emulator.Listen(addr, o.Public)
	if err != nil {
		return cannotListen(err, "--public")
	}
	o.Observe = a.requestLog()
	if _, err := fmt.Fprintf(a.stdout, "listening on http://%s\n", l.Addr()); err != nil {
		return err
	}
	return emulator.New(o).Serve(ctx, l)
}

// requestLog returns a function that tells of a request on one line, which holds
// nothing of its content.
func (a *app) requestLog() func(emulator.Request) {
	lines := log.New(a.stderr, "", 0) // requests end at the same time
	return func(r emulator.Request) {
		line := fmt.Sprintf("%d %s %s %s/%s", r.Status, r.Method, r.Path, r.Target.Provider, r.Target.Model)
		if r.Rule != "" {
			line += " " + r.Rule
		}
		lines.Print(safe(line))
	}
}
