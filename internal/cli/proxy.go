package cli

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"hygeia"
	"hygeia/proxy"
)

func (a *app) proxy() *cobra.Command {
	o := proxyOptions{app: a}
	c := &cobra.Command{
		Use:   "proxy --upstream URL --to PROVIDER[/MODEL]",
		Short: "Pass requests on to a provider, those that it would refuse made acceptable",
		Long: `Listens for requests to a model provider and passes them on. A request that the
provider would refuse is made acceptable; any other goes through as it is, to the
byte, and so do answers and streams. Point a client at it by its base URL:

  hygeia proxy --upstream https://api.anthropic.com --to anthropic
  ANTHROPIC_BASE_URL=http://127.0.0.1:PORT …

The API is read from the path (Anthropic Messages, OpenAI Chat Completions and
Responses, Gemini, Vertex, Bedrock Converse, Mistral, Ollama), the model from the
request unless --to names one. Other paths pass as they are. Answers say what was
done: Hygeia-Changes has rule ids with counts, "hygeia rules ID" tells about them;
Hygeia-Unchanged says why a request went out with its faults; Hygeia-Overhead is the
time it took. A refusal that names a rule leads to that rule's change and one more
request.

--config FILE has many upstreams by the beginning of the path; it is read again on
SIGHUP:

  {"listen": "127.0.0.1:8484",
   "routes": [
     {"prefix": "/anthropic", "upstream": "https://api.anthropic.com", "to": "anthropic"},
     {"prefix": "/openai", "upstream": "https://api.openai.com", "to": "openai", "dryRun": true}]}

On another address than the loopback a token is needed (--token-file, $HYGEIA_TOKEN
or --token, which other users of the machine can see); clients send it in the
header Hygeia-Token. /healthz and /metrics are the proxy's own.`,
		Args: exactly(0, "no arguments"),
		RunE: func(c *cobra.Command, _ []string) error { return o.serve(c) },
	}
	f := c.Flags()
	f.StringVar(&o.upstream, "upstream", "", "`URL` of the provider")
	f.StringVar(&o.to, "to", "", "`PROVIDER[/MODEL]` whose rules hold")
	f.StringVar(&o.config, "config", "", "`FILE` with upstreams and limits, JSON")
	f.StringVar(&o.listen, "listen", "", "the `ADDRESS` to listen on; port 0 picks one (default 127.0.0.1:0)")
	f.BoolVar(&o.dryRun, "dry-run", false, "change nothing, only report")
	f.StringVar(&o.token, "token", "", "the `TOKEN` that every request must bring")
	f.StringVar(&o.tokenFile, "token-file", "", "`FILE` with the token")
	f.StringArrayVar(&o.hosts, "host", nil, "a `NAME` besides those of the loopback under which requests may come")
	return c
}

// proxyOptions are the flags of hygeia proxy.
type proxyOptions struct {
	app                                            *app
	upstream, to, config, listen, token, tokenFile string
	dryRun                                         bool
	hosts                                          []string
}

// serve serves until the process is told to stop.
func (o *proxyOptions) serve(*cobra.Command) error {
	config, listen, err := o.load()
	if err != nil {
		return err
	}
	config.Log = slog.New(slog.NewTextHandler(o.app.stderr, nil))
	p, err := proxy.New(config)
	if err != nil {
		return usageError{err}
	}
	l, err := p.Listen(listen)
	if err != nil {
		return cannotListen(err, "a token")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	again := make(chan os.Signal, 1)
	signal.Notify(again, syscall.SIGHUP)
	defer signal.Stop(again)
	go o.reload(ctx, again, p, config.Log)
	if _, err := fmt.Fprintf(o.app.stdout, "listening on http://%s\n", l.Addr()); err != nil {
		return err
	}
	return p.Serve(ctx, l)
}

// reload reads the configuration again whenever asked to. With an error the old
// one stays.
func (o *proxyOptions) reload(ctx context.Context, again <-chan os.Signal, p *proxy.Proxy, log *slog.Logger) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-again:
		}
		config, _, err := o.load()
		if err == nil {
			config.Log = log
			err = p.Reload(config)
		}
		if err != nil {
			log.Error("configuration not taken", "err", oneLine(err))
			continue
		}
		log.Info("configuration taken", "routes", len(config.Routes))
	}
}

// load puts flags, environment and file together.
func (o *proxyOptions) load() (c proxy.Config, listen string, err error) {
	file := &proxyFile{}
	if o.config != "" {
		if file, err = readProxyFile(o.config); err != nil {
			return c, "", err
		}
	}
	switch {
	case (o.upstream == "") != (o.to == ""):
		return c, "", usage("--upstream and --to go together")
	case o.upstream == "" && len(file.Routes) == 0:
		return c, "", usage("needs --upstream URL --to PROVIDER[/MODEL], or --config FILE with routes")
	case o.upstream != "":
		file.Routes = append(file.Routes, proxyRoute{Upstream: o.upstream, To: o.to, DryRun: o.dryRun})
	}
	note := func(text string) { fmt.Fprintln(o.app.stderr, "note: "+safe(text)) }
	if c, err = file.proxy(o.dryRun, note); err != nil {
		return c, "", err
	}
	c.Hosts = append(c.Hosts, o.hosts...)
	if c.Token, err = secret(o.token, o.tokenFile, file.TokenFile); err != nil {
		return c, "", err
	}
	return c, cmp.Or(o.listen, file.Listen, "127.0.0.1:0"), nil
}

// proxyTarget reads PROVIDER[/MODEL].
func proxyTarget(to string) (hygeia.Target, error) {
	if !strings.Contains(to, "/") && strings.TrimSpace(to) != "" {
		return hygeia.Target{Provider: strings.ToLower(strings.TrimSpace(to))}, nil
	}
	return hygeia.ParseTarget(to)
}
