package hygeia

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"hygeia/internal/casetest"
	"hygeia/internal/gen"
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
			sameReplay(t, tr, got, want, casetest.Lines(c.Messages))
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

func sameReplay(t *rapid.T, tr *trial, got, want *Replay, input []byte) {
	if !bytes.Equal(got.Body, want.Body) {
		t.Fatalf("to %+v: the body is\n%s\nnot\n%s\ninput:\n%s", tr.target, got.Body, want.Body, input)
	}
	if !bytes.Equal(got.MessagesJSON(), want.MessagesJSON()) {
		t.Fatalf("to %+v: the messages are\n%s\nnot\n%s\ninput:\n%s", tr.target, got.MessagesJSON(), want.MessagesJSON(), input)
	}
	a, _ := (&Transcript{}).ReportJSON(got)
	b, _ := (&Transcript{}).ReportJSON(want)
	if !bytes.Equal(a, b) {
		t.Fatalf("to %+v: the report is\n%s\nnot\n%s\ninput:\n%s", tr.target, a, b, input)
	}
	if !bytes.Equal(casetest.Changes(got.Report), casetest.Changes(want.Report)) {
		t.Fatalf("to %+v: the changes are\n%s\nnot\n%s\ninput:\n%s", tr.target, casetest.Changes(got.Report), casetest.Changes(want.Report), input)
	}
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
