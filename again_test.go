package hygeia

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia/internal/casetest"
	"hygeia/internal/gen"
	"hygeia/payload"
)

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

// TestPropertyBodyReplayedAgain is G-2 for what goes out: a body that is replayed
// as a request of the same target keeps its bytes and has no change, also where a
// converter has put a turn in.
func TestPropertyBodyReplayedAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		target := rapid.SampledFrom(everyAPI).Draw(t, "target")
		sameAgain(t, &Transcript{Name: "generated", Format: FormatMessages, Context: gen.Context(t)}, target)
	})
}

// TestPropertyRoundReplayedAgain is the same for short lists of what a second look
// may judge otherwise than the first: which turn is the active one, what repeats
// another, what ends a tool round.
func TestPropertyRoundReplayedAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		target := rapid.SampledFrom(everyAPI).Draw(t, "target")
		route := rapid.SampledFrom(gen.Routes).Draw(t, "route")
		for _, r := range gen.Routes {
			if r.Provider == target.Provider && r.Model == target.Model {
				route = r
			}
		}
		list := pieces(route, rapid.SliceOfN(rapid.IntRange(0, len(roundPieces)-1), 1, 8).Draw(t, "pieces"))
		in, err := Read(strings.NewReader(list), "generated", OpenOptions{Format: FormatMessages})
		if err != nil {
			t.Fatal(err)
		}
		sameAgain(t, in, target)
	})
}

func sameAgain(t *rapid.T, in *Transcript, target Target) {
	first, second := sentTwice(t, in, target)
	if first == nil {
		return
	}
	if second == nil {
		t.Fatalf("to %+v: the body cannot be read\n%s", target, first.Body)
	}
	if !bytes.Equal(first.Body, second.Body) || !second.Report.Empty() {
		t.Fatalf("to %+v: the body changes\n%s\nfirst  %s\nsecond %s\ninput:\n%s", target,
			casetest.Changes(second.Report), first.Body, second.Body, casetest.Lines(in.Context.Messages))
	}
}

// roundPieces are messages. WHO stands for the route of a turn, WHY for its
// thinking with a comma behind it, N for the number of the turn.
var roundPieces = []string{
	`{"role":"user","content":"Sender (untrusted metadata):\n` + "```json" + `\n{\"label\":\"Ada\"}\n` + "```" + `\n\nhi"}`,
	`{"role":"user","content":"hi"}`,
	`{"role":"user","content":" "}`,
	`{"role":"user","content":[{"type":"mystery"}]}`,
	`{"role":"user","content":[{"type":"image","data":"` + gen.PNG + `","mimeType":"image/png"}]}`,
	`{"role":"user","content":[{"type":"toolResult","toolUseId":"x","content":"embedded"}]}`,
	`{"role":"user","content":"hi","provenance":{"kind":"inter_session","sourceSessionKey":"a"}}`,
	`{"role":"custom","customType":"openclaw.runtime-context","content":"hidden"}`,
	`{"role":"custom","customType":"note","content":"hi"}`,
	`{"role":"bashExecution","command":"ls","output":"a","exitCode":0}`,
	`{"role":"compactionSummary","summary":"s"}`,
	`{"role":"assistant","content":[]}`,
	`{"role":"assistant","content":[],"stopReason":"error"}`,
	`{"role":"assistant","content":[{"type":"mystery"}],"stopReason":"stop"}`,
	`{"role":"assistant","content":[{"type":"text","text":"ok"}],"stopReason":"stop"}`,
	`{"role":"assistant","content":[WHY{"type":"text","text":"ok"}],WHO,"stopReason":"stop"}`,
	`{"role":"assistant","content":[WHY{"type":"toolCall","id":"call_N","name":"read","arguments":{}}],WHO,"stopReason":"toolUse"}`,
	`{"role":"assistant","content":[{"type":"toolCall","id":"call_N","name":"read","arguments":{}}],WHO,"stopReason":"toolUse"}`,
	`{"role":"assistant","content":[{"type":"text","text":"ok"},{"type":"toolCall","id":"call_N","name":"9 x","arguments":{}}],"stopReason":"toolUse"}`,
	`{"role":"toolResult","toolCallId":"call_N","toolName":"read","content":[{"type":"text","text":"out"}]}`,
	`{"role":"toolResult","toolCallId":"call_N","toolName":"read","content":[{"type":"image","data":"` + gen.PNG + `","mimeType":"image/png"}]}`,
}

// pieces returns a list of the chosen messages.
func pieces(route gen.Route, chosen []int) string {
	var list []string
	for n, i := 0, 0; i < len(chosen); i++ {
		p := roundPieces[chosen[i]]
		if strings.HasPrefix(p, `{"role":"assistant"`) {
			n++
		}
		why := ""
		if think := route.Form.Thinking; think != nil {
			why = think(n, `"why"`) + ","
		}
		who := fmt.Sprintf(`"provider":%q,"api":%q,"model":%q`, route.Provider, route.API, route.Model)
		list = append(list, strings.NewReplacer("WHY", why, "WHO", who, "call_N", fmt.Sprintf("call_%d", n)).Replace(p))
	}
	return "[" + strings.Join(list, ",") + "]"
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
