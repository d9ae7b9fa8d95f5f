package proxy_test

import (
	"context"
	"fmt"
	"log"

	"hygeia"
	"hygeia/proxy"
)

// A proxy in front of one provider, until its context ends.
func Example() {
	p, err := proxy.New(proxy.Config{Routes: []proxy.Route{{
		Upstream: "https://api.anthropic.com", To: hygeia.Target{Provider: "anthropic"},
	}}})
	if err != nil {
		log.Fatal(err)
	}
	l, err := p.Listen("127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	fmt.Println(p.Serve(ctx, l))
	// Output:
	// <nil>
}
