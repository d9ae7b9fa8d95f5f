package openairesponses_test

import (
	"errors"
	"strings"
	"testing"

	"hygeia/payload"
	"hygeia/payload/internal/buildtest"
	"hygeia/payload/openairesponses"
	"hygeia/transcript"
)

// TestReported replays transcripts that services refused, through all passes,
// and holds the items that go out to what is right.
func TestReported(t *testing.T) {
	for _, c := range []struct{ source, messages, want string }{
		{
			// A call that the user interrupted does not go out alone.
			"openai/codex#394",
			`[{"role":"user","content":"Build it."},
			{"role":"assistant","provider":"openai","api":"openai-responses","model":"gpt-5.1","content":[{"type":"toolCall","id":"call_a|fc_a","name":"shell","arguments":{"cmd":"make"}}],"stopReason":"aborted"},
			{"role":"user","content":"Wait, clean first."}]`,
			`{"type":"message","role":"user","content":[{"type":"input_text","text":"Build it."}]}
{"type":"message","role":"user","content":[{"type":"input_text","text":"Wait, clean first."}]}`,
		},
		{
			// An id of another service is rebuilt on call and result alike.
			"openclaw/openclaw#56021",
			`[{"role":"user","content":"q"},
			{"role":"assistant","provider":"minimax","api":"anthropic-messages","model":"MiniMax-M2.5","content":[{"type":"toolCall","id":"call_function_p:0","name":"f","arguments":{"z":1}}],"stopReason":"toolUse"},
			{"role":"toolResult","toolCallId":"call_function_p:0","toolName":"f","content":[{"type":"text","text":"RES"}],"isError":false}]`,
			`{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]}
{"type":"function_call","call_id":"call_function_p_0_44e8461088","name":"f","arguments":"{\"z\":1}"}
{"type":"function_call_output","call_id":"call_function_p_0_44e8461088","output":"RES"}`,
		},
		{
			// A call whose result never came is closed with the text of D-03.
			"anomalyco/opencode#16717",
			`[{"role":"user","content":"q"},
			{"role":"assistant","provider":"openai","api":"openai-responses","model":"gpt-5.1","content":[{"type":"toolCall","id":"call_a|fc_a","name":"f","arguments":{}}],"stopReason":"toolUse"},
			{"role":"user","content":"r"}]`,
			`{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]}
{"type":"function_call","call_id":"call_a","name":"f","arguments":"{}"}
{"type":"function_call_output","call_id":"call_a","output":"aborted"}
{"type":"message","role":"user","content":[{"type":"input_text","text":"r"}]}`,
		},
		{
			// Reasoning of another route does not go out, the phase of its text does (W-322).
			"openai/codex#8145",
			`[{"role":"assistant","provider":"azure-openai","api":"azure-openai-responses","model":"gpt-5.1","content":[
			{"type":"thinking","thinking":"","thinkingSignature":"{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[],\"encrypted_content\":\"gAAA\"}"},
			{"type":"text","text":"a","textSignature":"{\"v\":1,\"id\":\"msg_1\",\"phase\":\"commentary\"}"}],"stopReason":"stop"}]`,
			`{"type":"message","role":"assistant","status":"completed","phase":"commentary","content":[{"type":"output_text","text":"a","annotations":[]}]}`,
		},
	} {
		in := endpoints[0].Input()
		buildtest.Sanitize(in, transcript.NewContext(buildtest.Messages(t, c.messages)))
		body, err := openairesponses.Build(in)
		if got := strings.Join(buildtest.BodyMessages(body), "\n"); err != nil || got != c.want {
			t.Errorf("%s: %v\n got %s\nwant %s", c.source, err, got, c.want)
		}
	}
}

// TestTranscriptError holds W-335: the error is typed, has a code, and names the
// entry of the session (R-B07).
func TestTranscriptError(t *testing.T) {
	in := endpoints[0].Input()
	in.Messages = buildtest.Messages(t, `[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"toolCall","id":"call_1","name":"f","arguments":{}}]}]`)
	in.Messages[1] = in.Messages[1].WithOrigin(transcript.Origin{Entry: "e7", Index: 1})
	body, err := openairesponses.Build(in)
	var invalid *openairesponses.TranscriptError
	if body != nil || !errors.As(err, &invalid) {
		t.Fatalf("body %s, error %v", body, err)
	}
	if want := (openairesponses.TranscriptError{Reason: openairesponses.DanglingCall, CallID: "call_1", Message: 1, Entry: "e7"}); *invalid != want {
		t.Errorf("got %+v, want %+v", *invalid, want)
	}
	if got := err.Error(); got != `invalid_replay_transcript: dangling_tool_call "call_1" (message 1, entry e7)` || invalid.Code() != "invalid_replay_transcript" {
		t.Errorf("error %q, code %q", got, invalid.Code())
	}
}

// TestInvariant holds R-88: where calls and results do not belong together nothing is
// built, whatever is wrong with them.
func TestInvariant(t *testing.T) {
	call := func(id string) string {
		return `{"role":"assistant","content":[{"type":"toolCall","id":"` + id + `","name":"f","arguments":{}}]}`
	}
	result := func(id string) string {
		return `{"role":"toolResult","toolCallId":"` + id + `","toolName":"f","content":[{"type":"text","text":"r"}]}`
	}
	long := strings.Repeat("a", 65)
	for _, c := range []struct {
		messages string
		want     openairesponses.Reason
	}{
		{call("a") + "," + result("a"), ""},
		{call("a"), openairesponses.DanglingCall},
		{call("a") + "," + result("b"), openairesponses.OrphanResult},
		{result("a"), openairesponses.OrphanResult},
		{call("a") + "," + result("a") + "," + result("a"), openairesponses.OrphanResult},
		{call("a") + "," + result("a") + "," + call("a") + "," + result("a"), openairesponses.RepeatedCallID},
		{call("") + "," + result(""), openairesponses.InvalidCallID},
		{call(long) + "," + result(long), openairesponses.InvalidCallID},
	} {
		in := endpoints[0].Input()
		in.Messages = buildtest.Messages(t, `[{"role":"user","content":"q"},`+c.messages+`]`)
		body, err := openairesponses.Build(in)
		var got openairesponses.Reason
		if invalid, ok := errors.AsType[*openairesponses.TranscriptError](err); ok {
			got = invalid.Reason
		}
		if got != c.want || (body == nil) != (c.want != "") {
			t.Errorf("%s: %v, body %s; want %q", c.messages, err, body, c.want)
		}
	}
}

// TestNothingToSend holds W-006: only the back end of ChatGPT gets a request
// without a turn (W-347).
func TestNothingToSend(t *testing.T) {
	for _, e := range endpoints {
		in := e.Input()
		body, err := openairesponses.Build(in)
		if codex := in.Target.API == "openai-chatgpt-responses"; codex != (body != nil) || codex == errors.Is(err, payload.ErrNothingToSend) {
			t.Errorf("%+v: body %s, error %v", e.Target, body, err)
		}
	}
}
