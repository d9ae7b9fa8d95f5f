package calls

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"hygeia/hygiene/passes/internal/passtest"
	"hygeia/hygiene/passes/shapes"
	"hygeia/internal/casetest"
	"hygeia/policy"
	"hygeia/transcript"
)

var claude = &policy.Policy{AnthropicFamily: true, SignatureHygiene: true}

func TestCases(t *testing.T) { casetest.Run(t, Pass) }

func TestCheap(t *testing.T) { casetest.Cheap(t, claude, Pass) }

func TestRandom(t *testing.T) { passtest.Attack(t, claude, shapes.Pass, Pass) } // G-2, G-3, G-4

func BenchmarkClean(b *testing.B) { casetest.Benchmark(b, claude, Pass) }

// which names are names of tools, for every byte.
func TestLegalName(t *testing.T) {
	want := regexp.MustCompile(`^[A-Za-z0-9_:.-]{1,64}$`)
	for c := range 256 {
		for _, name := range []string{string([]byte{byte(c)}), strings.Repeat("a", 63) + string([]byte{byte(c)}), strings.Repeat("a", 64) + string([]byte{byte(c)})} {
			if got := legalName(name); got != want.MatchString(name) {
				t.Errorf("%q: got %t", name, got)
			}
		}
	}
}

// which tool a name or an id means.
func TestResolve(t *testing.T) {
	long := strings.Repeat("x", 64)
	tools := newToolSet([]string{"read", "read", "Send", "send", long, "y" + long})
	for _, c := range []struct{ id, name, want string }{
		{"c", "files.read", "read"},
		{"c", "a.b/read", "read"},
		{"c", "mail.send", ""}, // two tools
		{"c", "send.read", "read"},
		{"c", "read.it", ""},
		{"c", long, long},
		{"c", "y" + long, ""},
		{"functions.read:3", "f", "read"},
		{"read", "f", "read"},
		{"functions.read:3", "my f", ""},
		{"functions.read:3", "y" + long, ""},
		{"y" + long, "f", ""},
		{"functions.mail:3", "f", ""},
	} {
		var r transcript.Reader
		m, err := r.Message(fmt.Appendf(nil, `{"role":"assistant","content":[{"type":"toolCall","id":%q,"name":%q,"arguments":{}}]}`, c.id, c.name))
		if err != nil {
			t.Fatal(err)
		}
		if got := tools.resolve(m.Blocks()[0]); got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.id, c.name, got, c.want)
		}
	}
}
