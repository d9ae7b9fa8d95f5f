package wrappers

import (
	"testing"

	"hygeia/internal/texts"
)

func TestIsSilent(t *testing.T) { // R-24, D-47
	for text, want := range map[string]bool{
		"NO_REPLY": true, " no_reply\n": true, "**NO_REPLY**": true, "NO_REPLY NO_REPLY": true, "NO_REPLY\n\tno_reply.": true,
		`"NO_REPLY"`: true, `"\nNO_REPLY "`: true, `"\u004eO_REPLY\t"`: true, `{"action":"NO_REPLY"}`: true, ` { "action" : " NO_REPLY " } `: true,
		"<think>x</think>NO_REPLY": true, "<thinking>a</thinking>\n<thought>b</thought> NO_REPLY": true,
		"<antthinking>a</antthinking>NO_REPLY": true, "<THINK>a</think>NO_REPLY": true, "<mm:think>a</mm:think>NO_REPLY": true,
		"<" + "antml:thinking>a</" + "antml:thinking>NO_REPLY": true, "<think>a</b></think> NO_REPLY": true,

		"": false, " ": false, "...": false, "NO_REPLYNO_REPLY": false, "NO_REPLY thanks": false,
		"I'll stay quiet here. NO_REPLY": false, "Here is the answer NO_REPLY": false,
		`{"action":"no_reply"}`: false, `{"action":"NO_REPLY","x":1}`: false, `{"action":"NO_REPLY"} x`: false, `{"a":"NO_REPLY"}`: false,
		"<think>NO_REPLY": false, "<think>x</think>": false, "<think>x</think>fine": false, "<mm:antthinking>a</mm:antthinking>NO_REPLY": false,
		"<think>x</thinking>NO_REPLY": false, "thinking:\nI will stay quiet. NO_REPLY": false, "<b>x</b>NO_REPLY": false,
	} {
		if got := IsSilent(text); got != want {
			t.Errorf("IsSilent(%q) = %v", text, got)
		}
	}
}

func TestSilentTokens(t *testing.T) { // X-60, S-43
	for _, text := range []string{"NO_REPLY", "announce_skip.", " REPLY_SKIP\nreply_skip"} {
		if !IsSilentToken(text) || !IsNonDeliverable(text) {
			t.Errorf("%q is not recognised", text)
		}
	}
	if !IsNonDeliverable("*HEARTBEAT_OK*") || IsSilentToken("HEARTBEAT_OK") {
		t.Error("HEARTBEAT_OK")
	}
	for _, text := range []string{"NO_REPLY thanks", "NO_REPLY REPLY_SKIP", ""} {
		if IsSilentToken(text) {
			t.Errorf("%q counts as silent", text)
		}
	}
}

func TestIsHeartbeatPrompt(t *testing.T) {
	const hint = "Delivery: to send a message, use the `message` tool."
	for text, want := range map[string]bool{
		"[OpenClaw heartbeat poll]": true, texts.HeartbeatPoll: true, hint + "\n\n[OpenClaw heartbeat poll]": true,
		"Read HEARTBEAT.md if it exists (workspace context). Follow it strictly. Do not infer or repeat old tasks from prior chats. If nothing needs attention, reply HEARTBEAT_OK.\nmore": true,
		"Read HEARTBEAT.md if it exists. If nothing needs attention, reply HEARTBEAT_OK.":                                                                                                  true,
		texts.PeriodicTasksOpening + "\n- mail\n" + texts.PeriodicTasksSentence:                                                                                                            true,
		"check the mail": true,
		hint + "\nhi":    false, "hi": false, "Read HEARTBEAT.md if it exists, please": false, texts.PeriodicTasksOpening: false,
	} {
		if got := IsHeartbeatPrompt(text, "check the mail"); got != want {
			t.Errorf("IsHeartbeatPrompt(%q) = %v", text, got)
		}
	}
}
