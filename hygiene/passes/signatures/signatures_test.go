package signatures

import (
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
