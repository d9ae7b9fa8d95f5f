// Package proxy is a reverse proxy in front of model providers. An agent in any
// language reaches its provider through it by changing one base URL; requests
// whose transcript the provider would refuse are made acceptable on the way, all
// else goes through as it is, to the byte; answers too, but for names of tools that
// went out as other ones. It holds no rule of hygiene: what is done to a body is done
// by hygeia.Transport.
//
//	p, err := proxy.New(proxy.Config{Routes: []proxy.Route{{
//		Upstream: "https://api.anthropic.com", To: hygeia.Target{Provider: "anthropic"},
//	}}})
//	…
//	l, err := p.Listen("127.0.0.1:8484")
//	…
//	err = p.Serve(ctx, l)
//
// # What it lets through and what not
//
// Host and scheme of the upstream come from the configuration alone; a path goes
// behind the path of the upstream, and one with dot segments is refused. Redirects
// of an upstream are neither followed nor passed on, since a client would carry
// its key along. Requests must come under a Host that is the loopback or was
// named. On any address but the loopback a token is needed: in the header
// Hygeia-Token, in Proxy-Authorization, or in the place of the provider's key where
// the proxy has one of its own. The token, Hygeia-* and hop-by-hop headers do not
// go on; the caller's credentials go to the upstream and nowhere else.
//
// Nothing of a request is kept or logged but its API, target, rule ids and
// counts, sizes and times.
//
// # Paths of its own
//
//	/healthz   200 while requests are taken, 503 while it stops
//	/metrics   counters in the text format of Prometheus, behind the token
package proxy
