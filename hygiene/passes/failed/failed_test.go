package failed

import (
	"testing"

	"hygeia/internal/casetest"
	"hygeia/policy"
)

func TestCases(t *testing.T) { casetest.Run(t, Pass) }

func TestCheap(t *testing.T) { casetest.Cheap(t, &policy.Policy{}, Pass) }

func BenchmarkClean(b *testing.B) { casetest.Benchmark(b, &policy.Policy{}, Pass) }
