package model

import (
	"slices"
	"testing"

	"hygeia/check"
)

// TestRulebookNeverRetried classifies every text of the rulebook as a fault of the
// request, whatever the status: none of them is sent again, and none counts
// against the credentials (W-904).
func TestRulebookNeverRetried(t *testing.T) {
	for _, r := range check.Rules() {
		for _, text := range r.Messages {
			for _, status := range []int{r.Status, 500} {
				f := &fault{status: status, text: text}
				if k := f.kind(); !slices.Contains([]Kind{Shape, Rejected, Overflow}, k) && !(status == 500 && k == Server) {
					t.Errorf("%s, %d %q: %s", r.ID, status, text, k)
				}
			}
		}
	}
}

// TestShape holds the texts of W-904.
func TestShape(t *testing.T) {
	for _, text := range []string{
		"messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'", "unexpected `tool_use_id` found",
		"tool call id was abc but must be a-z", "messages: roles must alternate between", "400 Incorrect role information",
		"This model does not support assistant message prefill.", "The conversation must end with a user message.",
		"Please ensure that function call turn comes immediately after a user turn",
	} {
		for _, status := range []int{0, 400, 422, 500, 503} {
			if k := (&fault{status: status, text: text}).kind(); k != Shape {
				t.Errorf("%d %q: %s", status, text, k)
			}
		}
	}
}
