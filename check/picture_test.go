package check

import (
	"encoding/base64"
	"testing"
)

// TestDimensions reads the size of every kind of picture that a service takes.
func TestDimensions(t *testing.T) {
	webp := func(kind, rest string) string {
		return base64.StdEncoding.EncodeToString([]byte("RIFF\x00\x00\x00\x00WEBP" + kind + "\x00\x00\x00\x00" + rest))
	}
	for data, want := range map[string][2]int{
		pngOf(300, 20, 0): {300, 20},
		webp("VP8X", "\x00\x00\x00\x00\x2b\x01\x00\x13\x00\x00"):     {300, 20},
		webp("VP8L", "\x2f\x2b\xc1\x04\x00\x00\x00\x00\x00\x00"):     {300, 20},
		webp("VP8 ", "\x00\x00\x00\x9d\x01\x2a\x2c\x01\x14\x00"):     {300, 20},
		webp("ABCD", "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"): {0, 0},
		"QQ==": {0, 0}, "": {0, 0}, "?": {0, 0},
	} {
		if w, h := dimensions(data); w != want[0] || h != want[1] {
			t.Errorf("%.40s: got %d x %d, want %v", data, w, h, want)
		}
	}
}

// TestParseClaude reads the names that Bedrock gives to old models.
func TestParseClaude(t *testing.T) {
	for model, want := range map[string]claudeModel{
		"anthropic.claude-v2:1":           {is: true, major: 2},
		"anthropic.claude-instant-v1":     {is: true, major: 1},
		haiku3:                            {is: true, family: "haiku", major: 3},
		sonnet45:                          {is: true, family: "sonnet", major: 4, minor: 5},
		"us.anthropic.claude-opus-9-v1:0": {is: true, family: "opus", major: 9},
		llama:                             {},
	} {
		if got := parseClaude(model); got != want {
			t.Errorf("%s: got %+v, want %+v", model, got, want)
		}
	}
}
