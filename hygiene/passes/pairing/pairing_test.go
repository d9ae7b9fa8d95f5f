package pairing

import (
	"testing"

	"hygeia/hygiene/passes/internal/passtest"
	"hygeia/internal/casetest"
	"hygeia/policy"
)

func TestCases(t *testing.T) { casetest.Run(t, Pass) }

var on = &policy.Policy{RepairToolUseResultPairing: true}

// G-6: a list in order costs no memory.
func TestFree(t *testing.T) { passtest.Free(t, Pass, on, 5) }

func BenchmarkClean(b *testing.B) { passtest.Bench(b, Pass, on) }
