package tui

import (
	"strings"
	"testing"
	"unicode"
)

// H-61, H-B13: nothing that a session holds reaches the terminal as a command.
func TestSafe(t *testing.T) {
	long := strings.Repeat("ab+/", 40)
	for _, c := range []struct{ name, in, want string }{
		{"colours", "a \x1b[31mred\x1b[0m b", "a red b"},
		{"8-bit CSI", "a\u009b31mred", "ared"},
		{"title of the window", "x\x1b]0;owned\x07y", "xy"},
		{"link", "\x1b]8;;http://evil\x1b\\click\x1b]8;;\x1b\\", "click"},
		{"clipboard", "\x1b]52;c;aGk=\x07ok", "ok"},
		{"a sequence without an end hides nothing", "a\x1b]0;the rest\nof the text", "a]0;the rest\nof the text"},
		{"nested", "a\x1b\x1b[m[31mb", "a[31mb"},
		{"controls", "a\x00b\x08c\x7fd\te\nf\r\ng\rh", "abcd\te\nf\ng\nh"},
		{"marks of direction", "abc\u202edcb\u2066x\u2069", `abc\u202edcb\u2066x\u2069`},
		{"line separators", "a\u2028b", `a\u2028b`},
		{"no text", "see\n\xff\xfe\xfd\xfc\x01\xff\nend", "see\n" + OmittedBinary + "\nend"},
		{"a single bad byte", "caf\xe9 is open", "caf\uFFFD is open"},
		{"a long token", long, strings.Join([]string{long[:64], long[64:128], long[128:]}, " ")},
		{"an address", "https://example.com/" + long, "https://example.com/" + long},
		{"a path", "/usr/lib/" + long, "/usr/lib/" + long},
		{"a name", strings.Repeat("ab_", 30), strings.Repeat("ab_", 30)},
		{"code", "`" + long + "`", "`" + long + "`"},
		{"a block of code", "```\n" + long + "\n```", "```\n" + long + "\n```"},
		{"Chinese", strings.Repeat("漢字，", 40), strings.Repeat("漢字，", 40)},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Safe(c.in); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func FuzzSafe(f *testing.F) {
	for _, s := range []string{"", "\x1b[31m", "a\x1b]0;x\x07", "\u202e", "\xff\xff\xff\xff", "```\n" + strings.Repeat("+/", 50), strings.Repeat("\u0301+", 90)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Safe(s)
		if strings.ContainsFunc(got, func(r rune) bool {
			return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
		}) {
			t.Errorf("%q is shown as %q", s, got)
		}
		if again := Safe(got); again != got {
			t.Errorf("%q becomes %q and then %q", s, got, again)
		}
	})
}
