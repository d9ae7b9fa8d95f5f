package reasoning

import (
	"testing"

	"hygeia/hygiene/passes/internal/passtest"
	"hygeia/hygiene/passes/shapes"
	"hygeia/internal/casetest"
	"hygeia/policy"
)

func TestCases(t *testing.T) { casetest.Run(t, Pass) }

func TestCheap(t *testing.T) {
	casetest.Cheap(t, &policy.Policy{DropReasoningFromHistory: true}, Pass)
	casetest.Cheap(t, &policy.Policy{DropThinkingBlocks: true}, Pass)
}

func TestRandom(t *testing.T) { // G-2, G-3, G-4
	passtest.Attack(t, &policy.Policy{DropReasoningFromHistory: true}, shapes.Pass, Pass)
	passtest.Attack(t, &policy.Policy{DropThinkingBlocks: true, ValidateAnthropicTurns: true}, shapes.Pass, Pass)
}

func BenchmarkClean(b *testing.B) {
	casetest.Benchmark(b, &policy.Policy{DropThinkingBlocks: true}, Pass)
}
