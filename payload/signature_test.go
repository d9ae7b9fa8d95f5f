package payload

import (
	"testing"

	"hygeia/internal/jsonline"
)

// TestStrictBase64 covers W-511: the lenient reading of R-33 is not enough.
func TestStrictBase64(t *testing.T) {
	for s, want := range map[string]bool{
		"QUJD": true, "QUI=": true, "QQ==": true, "+/+/": true, "AZaz": true, "0909": true,
		"": false, "QUI": false, "Q===": false, "====": false, "QU=D": false, "ab-_": false, "a b ": false, "QUJD\n": false,
		"abc…": false, "a...": false, `{"a"`: false, "reasoning": false, "reasoning_content": false, SkipSignature: false,
	} {
		if got := StrictBase64(jsonline.Text(s)); got != want {
			t.Errorf("StrictBase64(%q) = %v", s, got)
		}
	}
	if !StrictBase64(jsonline.Parse([]byte(`"\u0051\/+="`))) {
		t.Error("an escaped spelling is not read")
	}
	if StrictBase64(jsonline.Parse([]byte(`12`))) || StrictBase64(jsonline.Value{}) {
		t.Error("only a string is base64")
	}
}
