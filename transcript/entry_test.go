package transcript

import "testing"

// F-B11: bytes that are not UTF-8 are read leniently, noticed and kept.
func TestEntryInvalidUTF8(t *testing.T) {
	for _, c := range []struct {
		name, line string
		want       bool
	}{
		{"clean", `{"type":"message","id":"a","message":{"role":"user","content":"grüße"}}`, false},
		{"in the text", "{\"type\":\"message\",\"id\":\"a\",\"message\":{\"role\":\"user\",\"content\":\"caf\xe9\"}}", true},
		{"deep in arguments", "{\"type\":\"message\",\"id\":\"a\",\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"toolCall\",\"arguments\":{\"a\":{\"b\":[\"\xff\"]}}}]}}", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var r Reader
			e, n, err := r.Entry([]byte(c.line))
			if err != nil || n != len(c.line) {
				t.Fatalf("read %d of %d bytes: %v", n, len(c.line), err)
			}
			if e.InvalidUTF8 != c.want {
				t.Errorf("InvalidUTF8 = %v, want %v", e.InvalidUTF8, c.want)
			}
			if got := string(e.AppendJSON(nil)); got != c.line {
				t.Errorf("bytes changed: %q", got)
			}
		})
	}
}
