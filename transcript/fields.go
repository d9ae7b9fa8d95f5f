package transcript

import (
	"strings"
	"time"

	"hygeia/internal/jsonline"
)

// ResultIDNames are the members that may hold the call id of a tool result, in
// the order in which they count.
var ResultIDNames = []string{"toolCallId", "toolUseId", "tool_call_id", "tool_use_id", "callId", "call_id"}

// ToolCallID returns the trimmed id of the call that a tool result answers: the
// first of ResultIDNames that is not blank.
func (m *Message) ToolCallID() string {
	for _, n := range ResultIDNames {
		if id := strings.TrimSpace(m.obj.Get(n).String()); id != "" {
			return id
		}
	}
	return ""
}

// ToolName returns the trimmed tool name of a tool result.
func (m *Message) ToolName() string { return strings.TrimSpace(m.obj.Get("toolName").String()) }

// IsError reports whether a tool result is marked as an error.
func (m *Message) IsError() bool { return m.obj.Get("isError").Bool() }

// StopReason returns why an assistant turn ended.
func (m *Message) StopReason() StopReason {
	if m.stop > 0 {
		return stopReasons[m.stop]
	}
	return StopReason(m.obj.Get("stopReason").String())
}

// Failed reports whether an assistant turn ended in error or was aborted.
func (m *Message) Failed() bool {
	r := m.StopReason()
	return r == StopError || r == StopAborted
}

// Provider returns the provider that gave an assistant turn, as stored, "" where
// none is.
func (m *Message) Provider() string { return m.from().provider }

// API returns the API over which an assistant turn came, as stored.
func (m *Message) API() string { return m.from().api }

// Model returns the model that was asked for an assistant turn, as stored.
func (m *Message) Model() string { return m.from().model }

// ResponseModel returns the model that the service named in its response.
func (m *Message) ResponseModel() string { return m.obj.Get("responseModel").String() }

// ResponseID returns the provider's id of the response.
func (m *Message) ResponseID() string { return m.obj.Get("responseId").String() }

// Timestamp returns the message's own time in epoch milliseconds. It accepts
// numbers and date strings; ok is false when there is neither.
func (m *Message) Timestamp() (ms float64, ok bool) { return ParseTime(m.obj.Get("timestamp")) }

// ParseTime reads a time as a finite number of epoch milliseconds or as an
// ISO-8601 string.
func ParseTime(v jsonline.Value) (ms float64, ok bool) {
	if v.Kind == jsonline.Number {
		return v.Number()
	}
	s := strings.TrimSpace(v.String())
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999", "2006-01-02 15:04:05", time.DateOnly} {
		if t, err := time.Parse(layout, s); err == nil {
			return float64(t.UnixMilli()), true
		}
	}
	return 0, false
}

// Provenance kinds (S-01).
const (
	ExternalUser   = "external_user"
	InterSession   = "inter_session"
	InternalSystem = "internal_system"
)

// Provenance says who sent a user turn (S-01). Blank fields are absent.
type Provenance struct {
	Kind             string
	OriginSessionID  string
	SourceSessionKey string
	SourceChannel    string
	SourceTool       string
}

// Provenance returns the record of a user turn. ok is false when there is none
// or its kind is unknown.
func (m *Message) Provenance() (p Provenance, ok bool) {
	v := m.obj.Get("provenance")
	if v.Kind != jsonline.ObjectKind {
		return p, false
	}
	o := v.Object()
	text := func(name string) string { return strings.TrimSpace(o.Get(name).String()) }
	p = Provenance{text("kind"), text("originSessionId"), text("sourceSessionKey"), text("sourceChannel"), text("sourceTool")}
	switch p.Kind {
	case ExternalUser, InterSession, InternalSystem:
		return p, true
	}
	return Provenance{}, false
}
