package pairing

import (
	"fmt"
	"testing"

	"hygeia/hygiene/passes/internal/pairs"
	"hygeia/internal/casetest"
	"hygeia/transcript"
)

// paired holds that behind an assistant turn with calls stand exactly the results of
// those calls, in any order, before anything else, and no other result is in the list.
func paired(messages []*transcript.Message) error {
	open := map[string]int{} // calls of the turn in front that have no result yet
	for i, m := range messages {
		if m.Is(transcript.ToolResult) {
			if open[m.ToolCallID()] == 0 {
				return fmt.Errorf("message %d answers no call", i)
			}
			if open[m.ToolCallID()]--; open[m.ToolCallID()] == 0 {
				delete(open, m.ToolCallID())
			}
			continue
		}
		if len(open) > 0 {
			break
		}
		if !pairs.StartsFrame(m) {
			continue
		}
		for _, b := range m.Blocks() {
			if pairs.IsCall(b) {
				open[b.ID()]++
			}
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("calls without a result: %v", open)
	}
	return nil
}

// What the other tests hold lists against sees what it should.
func TestPaired(t *testing.T) {
	const turn = `{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f","arguments":{}},{"type":"toolCall","id":"b","name":"f","arguments":{}}]}` + "\n"
	const a, b = `{"role":"toolResult","toolCallId":"a","content":"1"}` + "\n", `{"role":"toolResult","toolCallId":"b","content":"2"}` + "\n"
	const user = `{"role":"user","content":"u"}` + "\n"
	for list, good := range map[string]bool{
		user + turn + a + b + user: true, turn + b + a: true, turn + a + b + turn + b + a: true,
		user + a: false, turn + a + b + a: false, turn + a + a: false, turn + a + user + b: false, turn + b: false, user + turn: false,
	} {
		if err := paired(casetest.Messages(t, []byte(list))); (err == nil) != good {
			t.Errorf("%s%v", list, err)
		}
	}
}
