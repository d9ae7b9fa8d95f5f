package hygeia

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/internal/casetest"
	"hygeia/internal/gen"
	"hygeia/payload"
)

// reread are rules that may find something in a body that went out, since the
// wire tells less than the transcript did: a turn for a list of nothing,
// provenance and models of equal turns, the turns that stood between them
// and where a round began.
var reread = map[string]bool{"R-20": true, "R-42": true, "R-121": true, "R-123": true}

// sentTwice replays a transcript and then its body as a request of the same
// target. Second is nil where nothing could be sent.
func sentTwice(t *rapid.T, in *Transcript, target Target) (first, second *Replay) {
	first, err := in.Replay(target, ReplayOptions{})
	if errors.Is(err, payload.ErrNothingToSend) {
		return nil, nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return first, replayed(t, first.Body, first.Resolution.Target)
}

// TestBodyReplayedAgain is G-2 for what goes out: a body that is replayed as a
// request of the same target keeps its bytes, also where a converter has put a
// turn in. It does not hold yet for about one transcript in twelve thousand
// (docs/guarantees.md), so it is not among the properties that run by the
// thousand.
func TestBodyReplayedAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		target := rapid.SampledFrom(everyAPI).Draw(t, "target")
		in := &Transcript{Name: "generated", Format: FormatMessages, Context: gen.Context(t)}
		first, second := sentTwice(t, in, target)
		if first == nil {
			t.Skip()
		}
		if first.Report.Counts()["W-707"] > 0 {
			t.Skip() // results became words of the user's
		}
		if second == nil {
			t.Fatalf("to %+v: the body cannot be read\n%s", target, first.Body)
		}
		for rule := range second.Report.Counts() {
			if reread[rule] {
				t.Skip()
			}
		}
		if !bytes.Equal(first.Body, second.Body) {
			t.Fatalf("to %+v: the body changes\n%s\nfirst  %s\nsecond %s\ninput:\n%s", target,
				casetest.Changes(second.Report), first.Body, second.Body, casetest.Lines(in.Context.Messages))
		}
	})
}

// The user turn in front of a last answer is an earlier one where a turn of the
// user's follows the answer (R-100, W-608).
func TestAnsweredTurnBeforeContinuation(t *testing.T) {
	const list = `[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"text","text":"b"}]},
{"role":"user","content":"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nchat_id: 123\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\n\nreal question"},
{"role":"assistant","content":[{"type":"text","text":"ok"}],"stopReason":"stop"}]`
	for _, target := range everyAPI {
		in, err := Read(strings.NewReader(list), "list", OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		first, err := in.Replay(target, ReplayOptions{})
		if err != nil {
			t.Fatal(err)
		}
		second := replayed(t, first.Body, first.Resolution.Target)
		if second == nil || !bytes.Equal(first.Body, second.Body) {
			t.Errorf("to %+v: sent again, the body changes\n%s", target, first.Body)
		}
		if first.Report.Counts()["W-608"] > 0 && bytes.Contains(first.Body, []byte("chat_id")) {
			t.Errorf("to %+v: the turn counts as the active one\n%s", target, first.Body)
		}
	}
}
