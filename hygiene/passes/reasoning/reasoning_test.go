package reasoning

import (
	"testing"

	"hygeia/internal/casetest"
	"hygeia/policy"
)

func TestCases(t *testing.T) { casetest.Run(t, Pass) }

func TestCheap(t *testing.T) {
	casetest.Cheap(t, &policy.Policy{DropReasoningFromHistory: true}, Pass)
	casetest.Cheap(t, &policy.Policy{DropThinkingBlocks: true}, Pass)
}

func BenchmarkClean(b *testing.B) {
	casetest.Benchmark(b, &policy.Policy{DropThinkingBlocks: true}, Pass)
}
