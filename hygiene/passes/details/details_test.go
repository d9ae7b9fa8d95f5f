package details

import (
	"testing"

	"hygeia/hygiene/passes/internal/passtest"
	"hygeia/internal/casetest"
	"hygeia/policy"
)

func TestCases(t *testing.T) { casetest.Run(t, Pass) }

// G-6: nothing to remove, no memory.
func TestFree(t *testing.T) { passtest.Free(t, Pass, &policy.Policy{}, 5) }

func BenchmarkClean(b *testing.B) { passtest.Bench(b, Pass, &policy.Policy{}) }
