package projection

import (
	"fmt"
	"testing"

	"hygeia/transcript"
)

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

// H-B18: a branch is told by what is said first and last on it, of whatever length it is,
// and not by what tools gave.
func TestBranchWords(t *testing.T) {
	entry := func(i int, role, words string) *transcript.Entry {
		var r transcript.Reader
		e, _, err := r.Entry(fmt.Appendf(nil, `{"type":"message","id":"e%d","message":{"role":%q,"content":%q}}`, i, role, words))
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	long := []*transcript.Entry{entry(1, "user", "root"), entry(2, "toolResult", "given"), entry(3, "user", "first"), entry(4, "assistant", "last"), entry(5, "toolResult", "given")}
	for i := range 3 * branchReach {
		long = append(long, entry(i+6, "toolResult", "given"))
	}
	for _, c := range []struct {
		n            int
		parts        string
		begins, ends string
	}{{0, "", "", ""}, {1, "", "root", "root"}, {5, "e1", "first", "last"}, {5, "e4", "", "last"}, {5, "e5", "", "last"}, {len(long), "e1", "first", ""}, {3 + branchReach, "e3", "last", "last"}, {4 + branchReach, "e3", "last", ""}} {
		if begins, ends := BranchWords(long[:c.n], c.parts, Options{}); begins != c.begins || ends != c.ends {
			t.Errorf("of %d behind %s: %q and %q, want %q and %q", c.n, c.parts, begins, ends, c.begins, c.ends)
		}
	}
}
