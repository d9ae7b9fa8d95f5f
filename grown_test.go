package hygeia

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"hygeia/internal/casetest"
	"hygeia/internal/gen"
	"hygeia/internal/jsonline"
	"hygeia/internal/wrappers"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/transcript"
	"hygeia/wire"
)

// TestPropertyGrown lets transcripts grow, and sometimes shrink or go on otherwise,
// and replays them each time: what is made with what is remembered is what a
// transcript that remembers nothing gives, byte for byte and change for change (D-50,
// G-3).
func TestPropertyGrown(t *testing.T) {
	used, replays := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		tr, other := drawGrowing(t), gen.Context(t).Messages
		n := len(tr.ctx.Messages)
		memory := &Transcript{Name: "generated", Format: FormatMessages}
		o := drawOptions(t, tr.target)
		at := rapid.IntRange(2*n/3, n).Draw(t, "first")
		for i := range rapid.IntRange(3, 8).Draw(t, "replays") {
			c := *tr.ctx
			c.Messages = c.Messages[:at:at]
			if i > 1 { // the second remembers
				if rapid.IntRange(0, 3).Draw(t, "branch") == 0 {
					c.Messages = branch(c.Messages, other[:rapid.IntRange(0, min(12, len(other))).Draw(t, "tail")])
				}
				at = min(max(at+rapid.IntRange(-1, 3).Draw(t, "step"), 0), n)
				for at < n && tr.ctx.Messages[at].Is(transcript.ToolResult) && rapid.IntRange(0, 9).Draw(t, "in a round") > 0 {
					at++ // where a request would be sent
				}
			}
			if i%2 == 0 {
				c.Messages = withContext(t, c.Messages)
			}
			memory.Context = &c
			before := memory.last.Load()
			got, err := memory.Replay(tr.target, o)
			want, wantErr := (&Transcript{Name: "generated", Format: FormatMessages, Context: &c}).Replay(tr.target, o)
			if err != nil || wantErr != nil {
				if err == nil || wantErr == nil || err.Error() != wantErr.Error() {
					t.Fatalf("%v, not %v", err, wantErr)
				}
				continue
			}
			replays++
			if after := memory.last.Load(); before != nil && len(before.before) > 0 && (after == before) {
				used++
			}
			if d := differs(got, want); d != "" {
				t.Fatalf("to %+v: %s\ninput:\n%s", tr.target, d, casetest.Lines(c.Messages))
			}
		}
	})
	if t.Logf("%d of %d replays began with what was remembered", used, replays); used == 0 {
		t.Error("none did")
	}
}

// branch puts other messages behind a list.
func branch(list, tail []*transcript.Message) []*transcript.Message {
	last := transcript.Origin{Index: -1, Position: -1}
	if len(list) > 0 {
		last = list[len(list)-1].Origin
	}
	for i, m := range tail {
		o := transcript.Origin{Index: last.Index + 1 + i, Position: -1}
		if last.Position >= 0 {
			o.Entry, o.Position = fmt.Sprintf("b%d", i), last.Position+1+i
		}
		list = append(list, m.WithOrigin(o))
	}
	return list
}

// withContext puts runtime context in front of the last user turn, as a run does.
func withContext(t *rapid.T, list []*transcript.Message) []*transcript.Message {
	i := len(list) - 1
	for i >= 0 && !list[i].Is(transcript.User) {
		i--
	}
	if i < 0 || rapid.Bool().Draw(t, "no context") {
		return list
	}
	m := transcript.NewText(transcript.Custom, wrappers.RuntimeContext("It is late.")).With("customType", jsonline.Text("openclaw.runtime-context"))
	return slices.Insert(slices.Clone(list), i, m)
}

// differs says in what two replays differ, "" for nothing.
func differs(got, want *Replay) string {
	report := func(r *Replay) []byte {
		text, err := (&Transcript{}).ReportJSON(r)
		return fmt.Appendf(text, "%v", err)
	}
	for _, c := range []struct {
		name string
		a, b []byte
	}{
		{"body", got.Body, want.Body},
		{"list of messages", got.MessagesJSON(), want.MessagesJSON()},
		{"report", report(got), report(want)},
		{"list of changes", casetest.Changes(got.Report), casetest.Changes(want.Report)},
	} {
		if !bytes.Equal(c.a, c.b) {
			return fmt.Sprintf("the %s is\n%s\nnot\n%s", c.name, c.a, c.b)
		}
	}
	return ""
}

// drawGrowing draws a transcript in which rounds open and end.
func drawGrowing(t *rapid.T) *trial {
	r := rapid.SampledFrom(gen.Routes).Draw(t, "route")
	var c *transcript.Context
	if rapid.IntRange(0, 3).Draw(t, "kind") > 0 {
		c = gen.Long(t, r, rapid.IntRange(5, 9).Draw(t, "turns"))
	} else {
		c = gen.Context(t)
	}
	target := rapid.SampledFrom(targets).Draw(t, "target")
	if rapid.IntRange(0, 2).Draw(t, "own") > 0 {
		target = Target{Provider: r.Provider, API: r.API, Model: r.Model}
	}
	return &trial{c, target, casetest.Lines(c.Messages)}
}

// drawOptions draws what a caller may ask for.
func drawOptions(t *rapid.T, target Target) ReplayOptions {
	o := ReplayOptions{Prompt: rapid.SampledFrom([]string{"", "go on"}).Draw(t, "prompt")}
	o.MessagesOnly = rapid.IntRange(0, 9).Draw(t, "messages only") == 0
	o.Payload.System = rapid.SampledFrom([]string{"", "Be brief."}).Draw(t, "system")
	o.Payload.Thinking = rapid.SampledFrom([]payload.Level{payload.ThinkDefault, payload.ThinkDefault, payload.ThinkOff, payload.ThinkHigh}).Draw(t, "thinking")
	if res, err := policy.Resolve(target, policy.Options{}); err == nil && rapid.Bool().Draw(t, "tools") {
		o.Payload.Tools = payload.Tools(res.Target.API, []wire.Tool{{Name: "read"}, {Name: "bash"}})
	}
	if rapid.IntRange(0, 3).Draw(t, "past") == 0 {
		o.Past = &Past{Limit: rapid.IntRange(0, 3).Draw(t, "limit")}
		if rapid.Bool().Draw(t, "timed") {
			o.Past.Zone = time.UTC
		}
	}
	return o
}
