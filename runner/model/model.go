package model

import (
	"time"

	"hygeia/policy"
)

// Call is one request.
type Call struct {
	// Target names provider, API and model, as policy.Resolve returned it. The
	// API must not be empty.
	Target policy.Target
	// Body is the request body in the format of the API.
	Body []byte
	// BaseURL is what the user's model entry says (policy.Model.BaseURL), "" for
	// that of the endpoint.
	BaseURL string
	// SessionID goes along where an API has a header for it, "" for none.
	SessionID string
	// ToolName maps the name of a tool on the wire to the name that the caller
	// knows (W-176). Nil keeps the names of the answer.
	ToolName func(wire string) string
}

// EventKind says what an event tells.
type EventKind int

// The kinds of events.
const (
	Text       EventKind = iota // Event.Text is a piece of what the model says
	Thinking                    // Event.Text is a piece of what it thinks
	ToolStart                   // a call begins: Event.ID and Event.Name
	ToolDelta                   // Event.Text is a piece of the arguments of the call, as JSON
	ToolEnd                     // the call is complete: Event.ID, Event.Name and its whole arguments in Event.Text
	UsageKnown                  // Event.Usage holds what is known so far; later ones replace it
	Stopped                     // the answer is complete: Event.Text is its stop reason (F-33)
	Retrying                    // nothing was received, and the request is sent again after Event.Wait
)

// Event is one thing that happens while an answer streams. Events come one after
// the other, in the order of the stream, on the goroutine of the call.
type Event struct {
	Kind EventKind
	// Block numbers the content block that the event belongs to. Blocks count that
	// stay empty and are not stored.
	Block    int
	Text     string
	ID, Name string
	Usage    Usage
	Wait     time.Duration
}

// Usage counts tokens (F-34).
type Usage struct {
	Input, Output         int64 // Input without what the cache held
	CacheRead, CacheWrite int64 // of the prompt: what a cache held, and what went into one
}

// The stop reasons of a turn (F-33).
const (
	Stop      = "stop"
	Length    = "length"
	ToolUse   = "toolUse"
	Failed    = "error"
	Cancelled = "aborted"
)

// Answer is what a model said, the whole of it or what was received.
type Answer struct {
	// Message is the assistant turn as JSON, in the form of session files: role,
	// content, api, provider, model, usage, stopReason, timestamp, and where they
	// are known responseModel, responseId, errorMessage and errorCode. A call whose arguments
	// are not complete has the member partialJson (F-36).
	Message []byte
	// Text is what the model said, the text blocks joined.
	Text string
	// Calls are the complete tool calls, in order. None may be carried out unless
	// StopReason is ToolUse.
	Calls      []ToolCall
	StopReason string
	Usage      Usage
}

// ToolCall is a call that the model makes.
type ToolCall struct {
	ID, Name  string
	Arguments []byte // a JSON object
}
