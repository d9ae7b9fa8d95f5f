package buildtest

import (
	"flag"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/internal/gen"
	"hygeia/internal/jsonline"
	"hygeia/payload"
)

// Properties proves what a converter owes to any history, with every endpoint.
func Properties(t *testing.T, f Format) {
	share(t, len(f.Endpoints))
	type property struct {
		name  string
		holds func(*rapid.T, Endpoint)
	}
	list := []property{
		{"accepted", f.accepted}, {"hostile", f.hostile}, {"accounted", f.accounted}, {"prefix stable", f.prefixStable},
	}
	if f.Decode != nil {
		list = append(list, property{"own body", f.ownBody}, property{"inverse", f.inverse})
	}
	for _, p := range list {
		t.Run(p.name, func(t *testing.T) {
			for _, e := range f.Endpoints {
				t.Run(e.Name, rapid.MakeCheck(func(t *rapid.T) { p.holds(t, e) }))
			}
		})
	}
}

// share divides the checks that rapid is asked for among n endpoints. None gets
// less than rapid's own number, unless so few are asked for.
func share(t *testing.T, n int) {
	const least = 100
	checks := flag.Lookup("rapid.checks").Value
	asked := checks.String()
	total, err := strconv.Atoi(asked)
	if err == nil {
		err = checks.Set(strconv.Itoa(max(min(total, least), total/n)))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { checks.Set(asked) })
}

// levels holds what most requests leave open more than once.
var levels = []payload.Level{
	"", "", "", payload.ThinkOff, payload.ThinkMinimal, payload.ThinkLow, payload.ThinkMedium, payload.ThinkHigh, payload.ThinkMax,
}

const boundary = "a\n<!-- OPENCLAW_CACHE_BOUNDARY -->\nb"

// options draws all of an input but its messages.
func (f *Format) options(t *rapid.T, e Endpoint) *payload.Input {
	in := e.Input()
	in.Options = payload.Options{
		System:    rapid.SampledFrom([]string{"", " ", "s", boundary}).Draw(t, "system"),
		Tools:     jsonline.Parse([]byte(rapid.SampledFrom(append([]string{"", "[]"}, f.Tools...)).Draw(t, "tools"))),
		MaxTokens: rapid.SampledFrom([]int{0, 0, 1, 1024, 5000, 1_000_000}).Draw(t, "limit"),
		Thinking:  rapid.SampledFrom(levels).Draw(t, "level"),
		SessionID: rapid.SampledFrom([]string{"", "s1", strings.Repeat("ö", 70)}).Draw(t, "session"),
	}
	return in
}

// sane draws an input with a history as the passes leave it.
func (f *Format) sane(t *rapid.T, e Endpoint) *payload.Input {
	in := f.options(t, e)
	in.Messages = f.history(t, e, in)
	return in
}

// hostile proves that a body is whole whatever the messages are: no pass has
// seen these.
func (f *Format) hostile(t *rapid.T, e Endpoint) {
	in := f.options(t, e)
	in.Messages = gen.Context(t).Messages
	f.buildHostile(t, in)
}
