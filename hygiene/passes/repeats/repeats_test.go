package repeats

import (
	"fmt"
	"strings"
	"testing"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/passtest"
	"hygeia/internal/casetest"
	"hygeia/policy"
	"hygeia/transcript"
)

func TestCases(t *testing.T) { casetest.Run(t, Pass) }

// G-2, G-3, G-4 on random histories.
func TestAttack(t *testing.T) { passtest.Attack(t, &policy.Policy{}, Pass) }

// G-6: no neighbours, no memory.
func TestFree(t *testing.T) { passtest.Free(t, Pass, &policy.Policy{}, 5) }

func BenchmarkClean(b *testing.B) { passtest.Bench(b, Pass, &policy.Policy{}) }

// G-6: a row of 200 000 user turns behind a big one that half of them repeat;
// quadratic work would not end within the time of a test.
func TestLinear(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"role":"user","content":"50000` + strings.Repeat(" ", 1<<20) + `a"}` + "\n")
	for i := range 200_000 {
		fmt.Fprintf(&b, `{"role":"user","content":"%d  a"}`+"\n", max(i, 100_000)/2)
	}
	list := casetest.Messages(t, []byte(b.String()))
	res := hygiene.Sanitize(transcript.NewContext(list), policy.Target{}, &policy.Policy{}, []*hygiene.Pass{Pass})
	if len(res.Messages) != 50_000 {
		t.Errorf("%d messages are left", len(res.Messages))
	}
}
