package check

import (
	"strings"
	"testing"
)

// TestRecognise holds that each text of the rulebook is known again, with values
// in the place of its variables, wrapped as gateways do, and as that of a rule
// that says the same.
func TestRecognise(t *testing.T) {
	values := strings.NewReplacer("messages.N", "messages.17", "content.M", "content.3", "[N]", "[4]", "ID", "toolu_01")
	for _, r := range Rules() {
		for _, m := range r.Messages {
			got := Recognise(`{"error":{"message":"` + values.Replace(m) + `","code":400}}`)
			switch {
			case got == nil && len(m) > 40 && strings.Contains(m, " "):
				t.Errorf("%s: %q is not recognised", r.ID, m)
			case got != nil && got.ID != r.ID && !shares(got, m):
				t.Errorf("%s: %q is taken for %s", r.ID, m, got.ID)
			}
		}
	}
}

// shares reports whether a rule has that text too, as its own or as a part.
func shares(r *Rule, text string) bool {
	for _, m := range r.Messages {
		const n = 20 // bytes at either end
		if strings.Contains(m, text) || strings.Contains(text, m) || m[:min(len(m), n)] == text[:min(len(text), n)] ||
			m[max(0, len(m)-n):] == text[max(0, len(text)-n):] {
			return true
		}
	}
	return false
}

func TestRecogniseNothing(t *testing.T) {
	for _, text := range []string{
		"", "Overloaded", "INVALID_ARGUMENT", "rate limit exceeded", "invalid x-api-key", "internal server error: messages",
		"prompt is too long: 210000 tokens > 200000 maximum",
	} {
		if r := Recognise(text); r != nil {
			t.Errorf("%q is taken for %s", text, r.ID)
		}
	}
}
