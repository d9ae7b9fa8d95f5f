package pairing

import (
	"fmt"

	"hygeia/hygiene/passes/internal/pairs"
	"hygeia/transcript"
)

// Code is the code of the error that [Check] returns.
const Code = "invalid_replay_transcript"

// Fault is the kind of a violation.
type Fault string

// The faults of R-88.
const (
	DanglingCall   Fault = "dangling_tool_call"
	OrphanedResult Fault = "orphan_tool_result"
)

// Violation is the error of a list in which calls and results do not stand
// together.
type Violation struct {
	Reason  Fault
	CallID  string
	Message int    // index in the checked list
	Entry   string // id of the session entry, "" where there is none
}

func (v *Violation) Error() string {
	where := fmt.Sprintf("message %d", v.Message)
	if v.Entry != "" {
		where += " (entry " + v.Entry + ")"
	}
	return fmt.Sprintf("%s: %s: call %q at %s", Code, v.Reason, v.CallID, where)
}

// Check holds the invariant of R-88: behind an assistant turn with calls stand
// exactly the results of those calls, in any order, before anything else, and
// no other result is in the list. The error is a *Violation. After pairing it
// would be a fault of this product (R-B07).
func Check(messages []*transcript.Message) error {
	for i := 0; i < len(messages); i++ {
		m := messages[i]
		switch {
		case m.Is(transcript.ToolResult):
			return violation(OrphanedResult, m.ToolCallID(), i, m)
		case pairs.StartsFrame(m):
			n, err := checkTurn(messages, i)
			if err != nil {
				return err
			}
			i += n
		}
	}
	return nil
}

// checkTurn returns how many results follow turn i, each of a call of its own.
func checkTurn(messages []*transcript.Message, i int) (int, error) {
	pending := map[string]int{}
	calls := 0
	for _, b := range messages[i].Blocks() {
		if pairs.IsCall(b) {
			pending[b.ID()]++
			calls++
		}
	}
	for n := range calls {
		j := i + 1 + n
		if j == len(messages) || !messages[j].Is(transcript.ToolResult) {
			return 0, dangling(messages[i], i, pending)
		}
		id := messages[j].ToolCallID()
		if pending[id] == 0 {
			return 0, violation(OrphanedResult, id, j, messages[j])
		}
		pending[id]--
	}
	return calls, nil
}

func dangling(m *transcript.Message, i int, pending map[string]int) error {
	for _, b := range m.Blocks() {
		if pending[b.ID()] > 0 {
			return violation(DanglingCall, b.ID(), i, m)
		}
	}
	return nil
}

func violation(f Fault, id string, i int, m *transcript.Message) error {
	return &Violation{Reason: f, CallID: id, Message: i, Entry: m.Origin.Entry}
}
