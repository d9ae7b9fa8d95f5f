package runner

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"hygeia/emulator"
	"hygeia/runner/tools"
)

// crowd is a tool that counts how many of it work at the same time.
type crowd struct {
	weather
	now, most *atomic.Int64
}

func (c crowd) Run(context.Context, tools.Call) (tools.Result, error) {
	n := c.now.Add(1)
	defer c.now.Add(-1)
	for old := c.most.Load(); n > old && !c.most.CompareAndSwap(old, n); {
		old = c.most.Load()
	}
	return tools.Result{Text: "sun"}, nil
}

// TestParallel carries out more calls of one turn than may work at the same time:
// each has its result.
func TestParallel(t *testing.T) {
	t.Parallel()
	call := emulator.Part{Call: "weather", Arguments: []byte(`{"city":"a"}`)}
	for _, parallel := range []int{1, 2} {
		var now, most atomic.Int64
		b := newBench(t, everyFormat[0], emulator.Script(
			emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{call, call, call, call, call}}},
			emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{{Text: "Sun."}}}},
		), func(o *Options) {
			o.Tools, _ = tools.New(crowd{now: &now, most: &most})
			o.Parallel = parallel
		})
		b.say(t, "And the weather?")
		if got := strings.Count(roles(b.stored(t)), "toolResult"); got != 5 || most.Load() > int64(parallel) {
			t.Errorf("%d results, %d at the same time", got, most.Load())
		}
	}
}

// TestClipped cuts a text between characters, whatever bytes it has.
func TestClipped(t *testing.T) {
	for text, want := range map[string]string{
		"0123456789":               "0123456789",
		"0123456789ab":             "0123456\n(3 bytes)\nab",
		strings.Repeat("é", 10):    "ééé\n(12 bytes)\né",
		strings.Repeat("\x80", 12): "\n(12 bytes)\n",
	} {
		if got := clipped(text, 10); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
