package signatures

import (
	"regexp"
	"testing"

	"hygeia/hygiene/passes/internal/passtest"
	"hygeia/hygiene/passes/shapes"
	"hygeia/internal/casetest"
	"hygeia/policy"
)

var claude = &policy.Policy{AnthropicFamily: true, SignatureHygiene: true}

func TestCases(t *testing.T) { casetest.Run(t, Pass) }

func TestCheap(t *testing.T) { casetest.Cheap(t, claude, Pass) }

func TestRandom(t *testing.T) { passtest.Attack(t, claude, shapes.Pass, Pass) } // G-2, G-3, G-4

func BenchmarkClean(b *testing.B) { casetest.Benchmark(b, claude, Pass) }

// the test of a signature, for every byte in each part of it.
func TestIsBase64(t *testing.T) {
	want := regexp.MustCompile(`^[A-Za-z0-9+/]+={0,2}$`)
	for c := range 256 {
		for _, s := range []string{"", "AAA", "AA=", "A==", "==="} {
			s = string([]byte{byte(c)}) + s
			if got := isBase64(s); got != (len(s)%4 == 0 && want.MatchString(s)) {
				t.Errorf("%q: got %t", s, got)
			}
		}
	}
}
