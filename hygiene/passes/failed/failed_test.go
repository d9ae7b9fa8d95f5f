package failed

import (
	"testing"

	"hygeia/hygiene/passes/internal/passtest"
	"hygeia/hygiene/passes/shapes"
	"hygeia/internal/casetest"
	"hygeia/policy"
)

func TestCases(t *testing.T) { casetest.Run(t, Pass) }

func TestCheap(t *testing.T) { casetest.Cheap(t, &policy.Policy{}, Pass) }

func TestRandom(t *testing.T) { passtest.Attack(t, &policy.Policy{}, shapes.Pass, Pass) } // G-2, G-3, G-4

func BenchmarkClean(b *testing.B) { casetest.Benchmark(b, &policy.Policy{}, Pass) }
