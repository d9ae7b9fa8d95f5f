package gen

import (
	"testing"

	"pgregory.net/rapid"

	"hygeia/internal/jsonline"
)

// TestMessages holds that every generated text is JSON and reads back as it is.
func TestMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := Messages(t)
		if !jsonline.Valid([]byte(text)) {
			t.Fatalf("not JSON: %s", text)
		}
		c := Context(t)
		if c == nil {
			t.Fatal("no context")
		}
	})
}
