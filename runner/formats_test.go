package runner

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"hygeia/emulator"
	"hygeia/internal/texts"
	"hygeia/runner/model"
	"hygeia/transcript"
)

// TestEveryFormatFails lets each provider fail in front of its answer and in the
// middle of it, ends an answer, and has a provider fail for a request that is too large: what was said is stored, the file needs
// no repair, the next request is accepted, and the large one is, once the session is
// compacted.
func TestEveryFormatFails(t *testing.T) {
	t.Parallel()
	long := emulator.Answer{Content: []emulator.Part{{Text: strings.Repeat("word ", 40)}}}
	cut, broken := long, long
	cut.Abort, broken.Abort = &emulator.Abort{After: 5}, &emulator.Abort{After: 5, Error: "The server had an error."}
	slow := long
	slow.Pace = 5 * time.Millisecond
	for _, target := range everyFormat {
		t.Run(target.Provider+"/"+target.API, func(t *testing.T) {
			b := newBench(t, target, emulator.Script(
				emulator.Step{Contains: texts.ConversationOpen, Times: -1, Answer: emulator.Answer{Content: []emulator.Part{{Text: "What was said."}}}},
				fails("before", 500, "The server had an error."),
				emulator.Step{Contains: "cut", Answer: cut},
				emulator.Step{Contains: "broken", Answer: broken},
				emulator.Step{Contains: "slow", Answer: slow},
				fails("large", 400, "prompt is too long: 210000 tokens > 200000 maximum"),
			), func(o *Options) { o.Keep.KeepTokens = 20 })
			b.say(t, "Hello.")
			for _, text := range []string{"before", "cut", "broken"} {
				r, err := b.Run(t.Context(), b.path, Prompt{Body: text}, nil)
				var e *model.Error
				if !errors.As(err, &e) || e.Began != (text != "before") || r.StopReason != model.Failed {
					t.Errorf("%s: %+v, %v", text, r, err)
				}
				c := b.stored(t)
				last := c.Messages[len(c.Messages)-1]
				if !last.Is(transcript.Assistant) || !last.Failed() || textOf(last) == "" || e != nil && e.Began && !strings.HasPrefix(textOf(last), "word") {
					t.Errorf("%s: stored is %s", text, last.AppendJSON(nil))
				}
			}
			ctx, cancel := context.WithCancel(t.Context())
			r, err := b.Run(ctx, b.path, Prompt{Body: "slow"}, func(e Event) {
				if e.Kind == Said && e.Model.Kind == model.Text {
					cancel()
				}
			})
			cancel()
			c := b.stored(t)
			// F-32: readers that look for it find that somebody ended the run.
			if last := c.Messages[len(c.Messages)-1]; err == nil || !last.Get("openclawAbort").Object().Get("aborted").Bool() || r.StopReason != model.Cancelled || !strings.HasPrefix(textOf(last), "word") || last.StopReason() != transcript.StopAborted {
				t.Errorf("aborted: %v, stored is %s", err, last.AppendJSON(nil))
			}
			if r := b.say(t, "large"); r.Compactions != 1 || r.Text != "large" {
				t.Errorf("%+v", r)
			}
			if c = b.stored(t); !c.Messages[0].Is(transcript.CompactionSummary) {
				t.Errorf("stored are %s", roles(c))
			}
			b.say(t, "Thank you.")
			for _, r := range b.server.Requests() {
				if r.Rule != "" {
					t.Errorf("refused by %s: %s", r.Rule, r.Body)
				}
			}
		})
	}
}
