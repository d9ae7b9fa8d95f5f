package duplicates

import (
	"testing"

	"hygeia/hygiene/passes/internal/passtest"
	"hygeia/internal/casetest"
	"hygeia/policy"
)

func TestCases(t *testing.T) { casetest.Run(t, Pass) }

// G-2, G-3, G-4 on random histories.
func TestAttack(t *testing.T) { passtest.Attack(t, &policy.Policy{}, Pass) }

// G-6: no copies, no memory.
func TestFree(t *testing.T) { passtest.Free(t, Pass, &policy.Policy{}, 5) }

func BenchmarkClean(b *testing.B) { passtest.Bench(b, Pass, &policy.Policy{}) }
