package projection

import "testing"

// H-B09, H-B13, X-B01: titles and authors are shown by the rules for words, and leave
// what is around them as it is.
func TestTitle(t *testing.T) {
	redact := func(s string) string { return s }
	for in, want := range map[string]string{
		"Garden  plan": "Garden plan",
		"[Mon 2026-03-02 08:00 UTC] hello\nthere": "hello there",
		"a\u202eb\x1b[31mc\u2028d":                "ab [31mc d",
		"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nhidden\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>": "",
		"Sender (untrusted metadata):\n```json\n{\"label\":\"Ada\"}\n```\n\nWater the roses": "Water the roses",
		"[OpenClaw heartbeat poll]": "",
		"(continue)":                "",
	} {
		if got := Title(in, redact); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := Title("my key", func(string) string { return "***" }); got != "***" { // X-B17
		t.Error(got)
	}
}

func TestWords(t *testing.T) {
	family := "👨‍👩‍👧‍👦"
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{{"a b", 0, "a b"}, {"abcd", 4, "abcd"}, {"abcde", 4, "abc…"}, {"ab cde", 4, "ab…"}, {family + family + family, 2, family + "…"}, {family + family, 2, family + family}} {
		if got := Words(read(t, `{"role":"user","content":"`+c.in+`"}`)[0], c.n); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.in, c.n, got, c.want)
		}
	}
}

// H-B13, X-25: also where the name stands in the stored message.
func TestSenderIsTidied(t *testing.T) {
	shown := Project(read(t, `{"role":"user","content":"hi","senderLabel":"A\u202eda\nroot:"}`), Options{})
	if got := MetaOf(shown[0]).Sender; got != "Ada root:" {
		t.Errorf("%q", got)
	}
}
