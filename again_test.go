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
		one := spell(route, []string{p}, n)
		list = append(list, one[1:len(one)-1])
	}
	return "[" + strings.Join(list, ",") + "]"
}

// spell returns a list of messages with all that they leave open.
func spell(route gen.Route, list []string, n int) string {
	why := ""
	if think := route.Form.Thinking; think != nil {
		why = think(n, `"why"`) + ","
	}
	who := fmt.Sprintf(`"provider":%q,"api":%q,"model":%q`, route.Provider, route.API, route.Model)
	open := strings.NewReplacer("WHY", why, "WHO", who, "call_N", fmt.Sprintf("call_%d", n))
	return "[" + open.Replace(strings.Join(list, ",")) + "]"
}

// One list for each kind of turn that a second look once judged otherwise, to
// every target: the body stays as it is (G-2).
func TestSameAgain(t *testing.T) {
	const (
		meta   = `{"role":"user","content":"Sender (untrusted metadata):\n` + "```json" + `\n{\"label\":\"Ada\"}\n` + "```" + `\n\nhi"}`
		answer = `{"role":"assistant","content":[{"type":"text","text":"ok"}],"stopReason":"stop"}`
		call   = `{"role":"assistant","content":[WHY{"type":"toolCall","id":"call_1","name":"read","arguments":{}}],WHO,"stopReason":"toolUse"}`
		result = `{"role":"toolResult","toolCallId":"call_1","toolName":"read","content":[{"type":"text","text":"a\n<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nb\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\nc"}]}`
		image  = `{"role":"toolResult","toolCallId":"call_1","toolName":"read","content":[{"type":"image","data":"` + gen.PNG + `","mimeType":"image/png"}]}`
		hidden = `{"role":"custom","customType":"openclaw.runtime-context","content":"hidden"}`
	)
	for name, list := range map[string][]string{
		"nothing to send (R-20, W-006, W-347)":          {},
		"a turn between that does not go out (R-123)":   {meta, `{"role":"assistant","content":[]}`, meta},
		"rows that say the same (R-123)":                {`{"role":"bashExecution","command":"ls","output":"a"}`, `{"role":"bashExecution","command":"ls","output":"a"}`},
		"failed turns around one that is empty (R-121)": {`{"role":"assistant","content":[],"stopReason":"error"}`, `{"role":"assistant","content":[],"stopReason":"stop"}`, `{"role":"assistant","content":[],"stopReason":"error"}`, meta},
		"pictures of results (R-42, R-100, W-406)":      {meta, call, image},
		"runtime context behind a round (R-42, X-05)":   {hidden, meta, call, result},
		"a result in words (R-100, W-707)":              {meta, call, result, answer, meta},
		"a round in words (R-43, W-707)":                {meta, call, result},
		"a round without results (R-72, R-100)":         {meta, call},
	} {
		for _, target := range everyAPI {
			route := gen.Routes[0]
			for _, r := range gen.Routes {
				if r.Provider == target.Provider && r.Model == target.Model {
					route = r
				}
			}
			in, err := Read(strings.NewReader(spell(route, list, 1)), "list", OpenOptions{Format: FormatMessages})
			if err != nil {
				t.Fatal(err)
			}
			first, err := in.Replay(target, ReplayOptions{})
			if errors.Is(err, payload.ErrNothingToSend) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			second := replayed(t, first.Body, first.Resolution.Target)
			if second == nil || !bytes.Equal(first.Body, second.Body) || !second.Report.Empty() {
				t.Errorf("%s to %+v: sent again, the body changes\n%s\n%s", name, target, first.Body, casetest.Changes(second.Report))
			}
		}
	}
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
