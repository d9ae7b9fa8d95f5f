package turns

import (
	"testing"

	"hygeia/internal/casetest"
)

func TestCases(t *testing.T) { casetest.Run(t, Pass) }
