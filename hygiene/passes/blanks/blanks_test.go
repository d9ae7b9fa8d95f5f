package blanks

import (
	"testing"

	"hygeia/hygiene/passes/internal/passtest"
	"hygeia/internal/casetest"
	"hygeia/policy"
)

func TestCases(t *testing.T) { casetest.Run(t, Pass) }

func TestRandom(t *testing.T) { passtest.Attack(t, &policy.Policy{}, Pass) } // G-2, G-3, G-4

func TestStable(t *testing.T) { passtest.Stable(t, &policy.Policy{}, Pass) } // G-5

func TestCleanIsFree(t *testing.T) { passtest.Free(t, Pass, &policy.Policy{}, 4) } // G-6

func BenchmarkClean(b *testing.B) { passtest.Bench(b, Pass, &policy.Policy{}) }
