package openairesponses

import (
	"fmt"

	"hygeia/transcript"
)

// TranscriptError says that calls and results do not belong together (W-335,
// Nothing is sent then: the service would refuse it.
type TranscriptError struct {
	Reason  Reason
	CallID  string
	Message int    // index in the input list
	Entry   string // id of the session entry, "" where there is none
}

// Reason is a way in which calls and results do not belong together.
type Reason string

// The reasons.
const (
	DanglingCall   Reason = "dangling_tool_call"   // no result follows the call
	OrphanResult   Reason = "orphan_tool_result"   // no call that waits for a result stands in front of it
	RepeatedCallID Reason = "duplicate_call_id"    // two calls have the id
	InvalidCallID  Reason = "invalid_tool_call_id" // the id is empty or longer than 64 characters
)

// Code is the name under which callers know the error.
func (e *TranscriptError) Code() string { return "invalid_replay_transcript" }

func (e *TranscriptError) Error() string {
	where := fmt.Sprintf("message %d", e.Message)
	if e.Entry != "" {
		where += ", entry " + e.Entry
	}
	return fmt.Sprintf("%s: %s %q (%s)", e.Code(), e.Reason, e.CallID, where)
}

func invalid(reason Reason, m *transcript.Message, id string) error {
	return &TranscriptError{Reason: reason, CallID: id, Message: m.Origin.Index, Entry: m.Origin.Entry}
}

// open notes a call.
func (b *builder) open(m *transcript.Message, id string) error {
	if id == "" || len(id) > maxID {
		return invalid(InvalidCallID, m, id)
	}
	if _, known := b.calls[id]; known {
		return invalid(RepeatedCallID, m, id)
	}
	b.calls[id] = false
	return nil
}

// close notes the output of a call.
func (b *builder) close(m *transcript.Message, id string) error {
	if answered, known := b.calls[id]; !known || answered {
		return invalid(OrphanResult, m, id)
	}
	b.calls[id] = true
	return nil
}

// answered asserts that every call has its output.
func (b *builder) answered() error {
	for i := range b.items {
		if it := &b.items[i]; it.kind == call && !b.calls[it.callID] {
			return invalid(DanglingCall, it.turn, it.callID)
		}
	}
	return nil
}
