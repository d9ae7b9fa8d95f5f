package measure

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"hygeia"
	"hygeia/check"
	"hygeia/hygiene"
	"hygeia/internal/casetest"
	"hygeia/internal/gen"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/transcript"
)

// TestMillion holds generated transcripts to G-1, G-2, G-3 and G-4 at every
// target. Each check of rapid makes one transcript and sends it to all targets
// of one API:
//
//	HYGEIA_MILLION=1 go test -run Million -timeout 0 ./internal/measure -rapid.checks=10000
func TestMillion(t *testing.T) {
	if os.Getenv("HYGEIA_MILLION") == "" {
		t.Skip("HYGEIA_MILLION is not set")
	}
	groups := map[string][]*policy.Resolution{}
	for _, target := range allTargets() {
		res, err := policy.Resolve(target, policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		groups[res.Target.API] = append(groups[res.Target.API], res)
	}
	var pairs, bodies atomic.Int64
	t.Run("of", func(t *testing.T) {
		for _, api := range slices.Sorted(maps.Keys(groups)) {
			t.Run(api, func(t *testing.T) {
				t.Parallel()
				rapid.Check(t, func(t *rapid.T) {
					tr := draw(t, groups[api][0].Target)
					for _, res := range groups[api] {
						pairs.Add(1)
						if tr.hold(t, res) {
							bodies.Add(1)
						}
					}
				})
			})
		}
	})
	t.Logf("%d pairs, %d bodies, %d targets", pairs.Load(), bodies.Load(), len(allTargets()))
}

// trial is a generated transcript and what a session does not say.
type trial struct {
	ctx     *transcript.Context
	own     []bool // the assistant turns that the target wrote itself
	options hygeia.ReplayOptions
	tools   bool
	keys    [][]byte // what must be accounted for
}

// drawFor draws a transcript, every third time one that a service of the API of
// the target recorded.
func drawFor(t *rapid.T, target hygeia.Target) *transcript.Context {
	var routes []gen.Route
	for _, r := range gen.Routes {
		if policy.FoldAPI(r.API) == target.API {
			routes = append(routes, r)
		}
	}
	if len(routes) == 0 || rapid.IntRange(0, 2).Draw(t, "recorded") > 0 {
		return gen.Context(t)
	}
	return gen.Recorded(t, rapid.SampledFrom(routes).Draw(t, "recorded by"))
}

func draw(t *rapid.T, target hygeia.Target) *trial {
	tr := &trial{ctx: drawFor(t, target), tools: rapid.Bool().Draw(t, "tools")}
	adopts := rapid.Bool().Draw(t, "adopts")
	for _, m := range tr.ctx.Messages {
		tr.own = append(tr.own, adopts && m.Is(transcript.Assistant) && m.Provider() != "" && rapid.IntRange(0, 3).Draw(t, "own") > 0)
	}
	tr.options.Payload.Thinking = rapid.SampledFrom([]payload.Level{"", "", "off", "minimal", "medium", "high", "max"}).Draw(t, "level")
	tr.options.Payload.System = rapid.SampledFrom([]string{"", "Be brief.", "Stable.\n<!-- OPENCLAW_CACHE_BOUNDARY -->\nToday."}).Draw(t, "system")
	tr.options.Payload.MaxTokens = rapid.SampledFrom([]int{0, 0, 1, 2000, 1 << 20}).Draw(t, "max tokens")
	if rapid.IntRange(0, 3).Draw(t, "asks") == 0 {
		tr.options.Prompt = "And now?"
	}
	tr.keys = keysOf(tr.ctx.Messages)
	return tr
}

// context returns the transcript as a target would find it.
func (tr *trial) context(target policy.Target) *transcript.Context {
	c := *tr.ctx
	c.Messages = slices.Clone(c.Messages)
	for i, own := range tr.own {
		if own {
			c.Messages[i] = c.Messages[i].With("provider", jsonline.Text(target.Provider)).
				With("api", jsonline.Text(target.API)).With("model", jsonline.Text(target.Model))
		}
	}
	return &c
}

// hold asserts the guarantees and reports whether a body was built.
func (tr *trial) hold(t *rapid.T, res *policy.Resolution) bool {
	c := tr.context(res.Target)
	o := tr.options
	if tr.tools {
		o.Payload.Tools = tools[res.Target.API]
	}
	broken, body := judge(c, tr.keys, res, o)
	if broken != "" {
		again := func() (string, []byte) { return judge(c, keysOf(c.Messages), res, o) }
		reduce(c, func() bool { b, _ := again(); return b != "" && b[:3] == broken[:3] })
		broken, body = again()
		o.Payload.Tools = jsonline.Value{}
		t.Fatalf("to %+v: %s\noptions: %+v, tools %v, compaction %d, rejected %d, snapshots %v\ninput:\n%sbody:\n%s",
			res.Target, broken, o, tr.tools, c.Compaction, c.RejectedThinking, c.Snapshots, casetest.Lines(c.Messages), body)
	}
	return body != nil
}

// reduce leaves out messages and blocks as long as it stays broken.
func reduce(c *transcript.Context, broken func() bool) {
	for n := len(c.Messages); n > 0; n /= 2 {
		for i := 0; i+n <= len(c.Messages); {
			whole := c.Messages
			if c.Messages = slices.Delete(slices.Clone(whole), i, i+n); broken() {
				continue
			}
			c.Messages = whole
			i++
		}
	}
	for i, m := range c.Messages {
		for j := len(m.Blocks()) - 1; j >= 0; j-- {
			whole := c.Messages[i]
			if c.Messages[i] = whole.WithBlocks(slices.Delete(slices.Clone(whole.Blocks()), j, j+1)); !broken() {
				c.Messages[i] = whole
			}
		}
	}
}

// judge replays a transcript and returns the guarantee that is broken, "" if
// all hold, with the body if there is one. keys are those of the messages.
func judge(c *transcript.Context, keys [][]byte, res *policy.Resolution, o hygeia.ReplayOptions) (broken string, body []byte) {
	before := casetest.Lines(c.Messages)
	first, err := replay(c, res, o)
	if err != nil {
		return "G-1: " + err.Error(), nil
	}
	if !bytes.Equal(before, casetest.Lines(c.Messages)) {
		return "G-3: the input was changed", nil
	}
	if first.Body != nil {
		findings, err := check.Payload(first.Body, res.Target, check.Options{})
		if err != nil || len(findings) > 0 {
			return fmt.Sprintf("G-1: %v %+v", err, findings), first.Body
		}
		if refused := served(first.Body, before, first.Resolution.Target); refused != "" {
			return "G-1: " + refused, first.Body
		}
	}
	again := *c
	again.Messages, o.Prompt = first.Messages, ""
	second, err := replay(&again, res, o)
	if err != nil {
		return "G-2: " + err.Error(), first.Body
	}
	passed := slices.ContainsFunc(second.Report.Changes, func(c hygiene.Change) bool { return !strings.HasPrefix(c.Rule, "W-") })
	if passed || !slices.Equal(first.Messages, second.Messages) || !bytes.Equal(first.Body, second.Body) {
		return fmt.Sprintf("G-2: a second run of\n%s gives\n%s with %s\n%s", casetest.Lines(first.Messages), casetest.Lines(second.Messages),
			second.Body, casetest.Changes(second.Report)), first.Body
	}
	if lost := account(keys, first); lost != nil {
		return fmt.Sprintf("G-4: %q goes neither out nor is it reported as lost\n%s", lost, casetest.Changes(first.Report)), first.Body
	}
	return "", first.Body
}

// replay builds a body, or only messages where there is no converter or nothing
// that one could send.
func replay(c *transcript.Context, res *policy.Resolution, o hygeia.ReplayOptions) (*hygeia.Replay, error) {
	in := &hygeia.Transcript{Name: "generated", Format: hygeia.FormatMessages, Context: c}
	r, err := in.Replay(res.Target, o)
	if errors.Is(err, hygeia.ErrNoConverter) || errors.Is(err, payload.ErrNothingToSend) {
		o.MessagesOnly = true
		r, err = in.Replay(res.Target, o)
	}
	return r, err
}
