package hygeia

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"hygeia/internal/casetest"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/transcript"
)

// talk returns n rounds of a question, a call, its result and an answer.
func talk(t testing.TB, from, n int) []*transcript.Message {
	var lines []string
	for i := from; i < from+n; i++ {
		route := fmt.Sprintf(`"provider":"anthropic","api":"anthropic-messages","model":"claude-sonnet-4-5","responseId":"resp_%d"`, i)
		lines = append(lines,
			fmt.Sprintf(`{"role":"user","content":"question %d"}`, i),
			fmt.Sprintf(`{"role":"assistant","content":[{"type":"thinking","thinking":"hm %d","thinkingSignature":"RXFzaWduYXR1cmU="},{"type":"toolCall","id":"toolu_%d","name":"read","arguments":{"path":"f"}}],%s,"stopReason":"toolUse"}`, i, i, route),
			fmt.Sprintf(`{"role":"toolResult","toolCallId":"toolu_%d","toolName":"read","content":[{"type":"text","text":"file %d"}],"isError":false}`, i, i),
			fmt.Sprintf(`{"role":"assistant","content":[{"type":"thinking","thinking":"so %d","thinkingSignature":"RXFzaWduYXR1cmU="},{"type":"text","text":"answer %d"}],%s,"stopReason":"stop"}`, i, i, strings.Replace(route, "resp_", "reply_", 1)))
	}
	return messagesOf(t, lines...)
}

func messagesOf(t testing.TB, lines ...string) []*transcript.Message {
	return casetest.Messages(t, []byte(strings.Join(lines, "\n")))
}

// numbered returns a list whose messages say where they stand in it.
func numbered(list []*transcript.Message) []*transcript.Message {
	out := slices.Clone(list)
	for i, m := range out {
		if m.Origin.Index != i {
			o := m.Origin
			o.Index = i
			out[i] = m.WithOrigin(o)
		}
	}
	return out
}

// TestGrown lets a session go on in the ways that reach back into what is remembered.
func TestGrown(t *testing.T) {
	const result = `{"role":"toolResult","toolCallId":"%s","toolName":"read","content":[{"type":"text","text":"late"}],"isError":false}`
	const call = `{"role":"assistant","content":[{"type":"toolCall","id":"%s","name":"read","arguments":{"path":"f"}}],"provider":"anthropic","api":"anthropic-messages","model":"claude-sonnet-4-5","responseId":"%s","stopReason":"toolUse"}`
	const item = `{"role":"assistant","content":[{"type":"thinking","thinking":"","thinkingSignature":"{\"type\":\"reasoning\",\"id\":\"rs_9\",\"summary\":[],\"encrypted_content\":\"gAAA\"}"},{"type":"toolCall","id":"toolu_2|fc_9","name":"read","arguments":{"path":"f"}}],"provider":"openai","api":"openai-responses","model":"gpt-5.1","stopReason":"toolUse"}`
	picture := pictures(30)
	tails := map[string][]*transcript.Message{"nothing": nil}
	for name, tail := range map[string][]string{
		"a result that is late":                {`{"role":"user","content":"and?"}`, fmt.Sprintf(result, "toolu_1b")},
		"a result of a call with its result":   {`{"role":"user","content":"and?"}`, fmt.Sprintf(result, "toolu_2")},
		"a result of nobody":                   {`{"role":"user","content":"and?"}`, fmt.Sprintf(result, "toolu_nobody")},
		"a result without id":                  {`{"role":"user","content":"and?"}`, fmt.Sprintf(result, "")},
		"an id that came before":               {`{"role":"user","content":"and?"}`, fmt.Sprintf(call, "toolu_2", "new"), fmt.Sprintf(result, "toolu_2")},
		"a response that came before":          {`{"role":"user","content":"and?"}`, fmt.Sprintf(call, "toolu_2", "resp_2"), fmt.Sprintf(result, "toolu_2")},
		"pictures":                             {picture, `{"role":"assistant","content":[{"type":"text","text":"nice"}]}`, picture, picture, picture},
		"a summary":                            {`{"role":"compactionSummary","summary":"what was said"}`, `{"role":"user","content":"and?"}`},
		"a failed turn":                        {`{"role":"user","content":"and?"}`, `{"role":"assistant","content":[],"stopReason":"error"}`, `{"role":"user","content":"and?"}`},
		"a call without result":                {`{"role":"user","content":"and?"}`, fmt.Sprintf(call, "toolu_new", "new"), `{"role":"user","content":"well?"}`},
		"an id that is spelled as another":     {`{"role":"user","content":"and?"}`, fmt.Sprintf(call, "toolu-2", "new"), fmt.Sprintf(result, "toolu-2")},
		"an id of which a part came before":    {`{"role":"user","content":"and?"}`, item, fmt.Sprintf(result, "toolu_2|fc_9")},
		"words alone":                          {`{"role":"user","content":"and?"}`, `{"role":"assistant","content":[{"type":"text","text":"yes"}]}`, `{"role":"user","content":"so?"}`},
		"an answer":                            {`{"role":"user","content":"and?"}`, `{"role":"assistant","content":[{"type":"text","text":"yes"}]}`},
		"a result of nobody behind talk":       {`{"role":"assistant","content":[{"type":"text","text":"yes"}]}`, `{"role":"user","content":"and?"}`, fmt.Sprintf(result, "toolu_nobody")},
		"a result without id behind talk":      {`{"role":"assistant","content":[{"type":"text","text":"yes"}]}`, `{"role":"user","content":"and?"}`, fmt.Sprintf(result, "")},
		"thinking of another model":            {`{"role":"user","content":"and?"}`, `{"role":"assistant","content":[{"type":"thinking","thinking":"x","thinkingSignature":"{}"},{"type":"text","text":"yes"}],"provider":"openai","api":"openai-responses","model":"gpt-5.1"}`, `{"role":"user","content":"so"}`},
		"the name of a tool that is not legal": {`{"role":"user","content":"and?"}`, strings.Replace(fmt.Sprintf(call, "toolu_new", "new"), `"read"`, `"read file"`, 1), strings.Replace(fmt.Sprintf(result, "toolu_new"), `"read"`, `"read file"`, 1)},
	} {
		tails[name] = messagesOf(t, tail...)
	}
	for _, target := range []Target{targets[0], targets[1], targets[4], targets[10], targets[12], targets[13], targets[19], targets[22], targets[24], targets[25]} {
		for _, variant := range []string{"clean", "damaged", "without cache markers"} {
			base, o := talk(t, 0, 8), thoughtful
			if variant == "without cache markers" {
				o.Revise = func(p *policy.Policy) { p.Wire.CacheMarkers = false }
			}
			if variant == "damaged" {
				base = slices.Insert(base, 6, messagesOf(t, fmt.Sprintf(call, "toolu_1b", "other"))...)
			}
			base = numbered(base)
			memory := remembering(t, target, base, o)
			known := memory.last.Load()
			for name, more := range tails {
				for cut, step := len(known.before), 1; cut <= len(base); cut, step = cut+step, 2 {
					memory.last.Store(known)
					goOn(t, name+", "+variant, memory, target, o, append(base[:cut:cut], more...))
				}
			}
		}
	}
}

// pictures is a user turn with n pictures.
func pictures(n int) string {
	const one = `,{"type":"image","mimeType":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAAAAADhZOFXAAAAF0lEQVR4nGJigAKCjP8MCICpBhAAAP//IHwBDrNJviQAAAAASUVORK5CYII="}`
	return `{"role":"user","content":[{"type":"text","text":"see"}` + strings.Repeat(one, n) + `]}`
}

// TestGrownPictures holds that the limit of a target is that of all pictures, those in
// front included (W-104).
func TestGrownPictures(t *testing.T) {
	const answer = `{"role":"assistant","content":[{"type":"text","text":"nice"}]}`
	for _, target := range []Target{targets[0], targets[10]} {
		base := numbered(append(messagesOf(t, pictures(60), answer), talk(t, 0, 8)...))
		memory := remembering(t, target, base, thoughtful)
		goOn(t, "pictures", memory, target, thoughtful, append(base, messagesOf(t, pictures(60), answer, `{"role":"user","content":"so?"}`)...))
	}
}

// TestGrownSummary holds that turns that are older than a compaction lose their
// signatures, whatever is remembered.
func TestGrownSummary(t *testing.T) {
	list := numbered(append(messagesOf(t, `{"role":"compactionSummary","summary":"what was said","timestamp":1700000000000}`), talk(t, 0, 8)...))
	old := append(list[:len(list):len(list)], messagesOf(t,
		`{"role":"user","content":"and?"}`,
		`{"role":"assistant","content":[{"type":"thinking","thinking":"hm","thinkingSignature":"RXFzaWduYXR1cmU="},{"type":"text","text":"yes"}],"timestamp":1600000000000}`,
		`{"role":"user","content":"so"}`)...)
	for _, target := range targets {
		memory := &Transcript{Name: "talk", Context: transcript.NewContext(list)}
		for range 2 {
			if _, err := memory.Replay(target, thoughtful); err != nil {
				t.Fatal(err)
			}
		}
		goOn(t, "a summary", memory, target, thoughtful, old)
	}
}

// thoughtful is what the tests ask for: with thinking, whatever the session holds.
var thoughtful = ReplayOptions{Payload: payload.Options{Thinking: payload.ThinkHigh}}

// goOn holds what a transcript makes of a list against what one makes that remembers
// nothing.
func goOn(t *testing.T, name string, memory *Transcript, target Target, o ReplayOptions, list []*transcript.Message) {
	t.Helper()
	memory.Context = transcript.NewContext(numbered(list))
	got, err := memory.Replay(target, o)
	want, wantErr := (&Transcript{Name: "talk", Context: memory.Context}).Replay(target, o)
	if err != nil || wantErr != nil {
		t.Fatal(err, wantErr)
	}
	if d := differs(got, want); d != "" {
		t.Errorf("%s to %+v, %d messages: %s", name, target, len(list), d)
	}
}

// remembering returns a transcript that remembers what became of most of a list.
func remembering(t *testing.T, target Target, list []*transcript.Message, o ReplayOptions) *Transcript {
	t.Helper()
	memory := &Transcript{Name: "talk", Context: transcript.NewContext(list)}
	for range 2 {
		if _, err := memory.Replay(target, o); err != nil {
			t.Fatal(err)
		}
	}
	if len(memory.last.Load().before) < len(list)/2 {
		t.Fatalf("to %+v nothing is remembered", target)
	}
	return memory
}

// TestGrownStays holds that a turn more does not look at the turns in front, whatever
// was changed there, and that what was remembered is gone when the session is another.
func TestGrownStays(t *testing.T) {
	for _, target := range targets {
		list := numbered(talk(t, 0, 40))
		memory := &Transcript{Name: "talk", Context: transcript.NewContext(list)}
		replay := func() *grown {
			if _, err := memory.Replay(target, ReplayOptions{Prompt: "go on"}); err != nil {
				t.Fatal(err)
			}
			return memory.last.Load()
		}
		if first := replay(); len(first.before) > 0 {
			t.Errorf("%+v: a transcript that is replayed once remembers %d messages", target, len(first.before))
		}
		known := replay()
		if target.Provider != "google-antigravity" && len(known.before) < 140 {
			t.Errorf("%+v: %d messages are remembered", target, len(known.before))
			continue
		}
		memory.Context = transcript.NewContext(numbered(append(list[:160:160], talk(t, 40, 1)...)))
		if after := replay(); target.Provider != "google-antigravity" && after != known {
			t.Errorf("%+v: the whole was looked at", target)
		}
		goOn(t, "with other words in front", memory, target, ReplayOptions{Prompt: "go on", Payload: payload.Options{System: "Be brief.", Thinking: payload.ThinkOff}}, list)
		memory.last.Store(known)
		goOn(t, "another session", memory, target, ReplayOptions{Prompt: "go on"}, talk(t, 100, 41))
		memory.Context = transcript.NewContext(numbered(talk(t, 200, 1)))
		if after := replay(); len(after.before) > 0 {
			t.Errorf("%+v: %d messages of another session are remembered", target, len(after.before))
		}
	}
}

// TestGrownOtherwise asks for the same turns in another way.
func TestGrownOtherwise(t *testing.T) {
	list := numbered(talk(t, 0, 12))
	for _, target := range targets {
		if target.Provider == "google-antigravity" {
			continue
		}
		memory := remembering(t, target, list, thoughtful)
		o := thoughtful
		o.Revise = func(p *policy.Policy) { p.SanitizeToolCallIDs, p.ToolCallIDMode = true, policy.IDStrict9 }
		goOn(t, "with other ids", memory, target, o, list)
	}
}

// TestGrownAtOnce replays one transcript from many sides at a time.
func TestGrownAtOnce(t *testing.T) {
	memory := &Transcript{Name: "talk", Context: transcript.NewContext(numbered(talk(t, 0, 20)))}
	want, err := memory.Replay(targets[0], ReplayOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 20 {
				got, err := memory.Replay(targets[0], ReplayOptions{})
				if err != nil || string(got.Body) != string(want.Body) {
					t.Error(err, "the body is another one")
				}
				clear(got.Body) // is the caller's
				clear(got.Messages)
			}
		})
	}
	all.Wait()
}
