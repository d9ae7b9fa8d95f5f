package calls

import (
	"testing"

	"hygeia/internal/casetest"
	"hygeia/policy"
)

var claude = &policy.Policy{AnthropicFamily: true, SignatureHygiene: true}

func TestCases(t *testing.T) { casetest.Run(t, Pass) }

func TestCheap(t *testing.T) { casetest.Cheap(t, claude, Pass) }

func BenchmarkClean(b *testing.B) { casetest.Benchmark(b, claude, Pass) }
