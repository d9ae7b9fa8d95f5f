// Package passes lists the passes of a replay in the order in which they run
// . A pass stands in a folder of its own and in one line here. The list goes
// into hygiene.Sanitize, as it is or [With] one pass made anew for a caller.
package passes

import (
	"slices"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/blanks"
	"hygeia/hygiene/passes/boundary"
	"hygeia/hygiene/passes/calls"
	"hygeia/hygiene/passes/content"
	"hygeia/hygiene/passes/details"
	"hygeia/hygiene/passes/duplicates"
	"hygeia/hygiene/passes/failed"
	"hygeia/hygiene/passes/foreign"
	"hygeia/hygiene/passes/ids"
	"hygeia/hygiene/passes/images"
	"hygeia/hygiene/passes/pairing"
	"hygeia/hygiene/passes/provenance"
	"hygeia/hygiene/passes/reasoning"
	"hygeia/hygiene/passes/repeats"
	"hygeia/hygiene/passes/responses"
	"hygeia/hygiene/passes/shapes"
	"hygeia/hygiene/passes/signatures"
	"hygeia/hygiene/passes/thoughtsignatures"
	"hygeia/hygiene/passes/turns"
)

// Suite is every pass in order. It must not be changed.
var Suite = []*hygiene.Pass{
	shapes.Pass,
	provenance.Pass,
	content.Pass,
	images.Pass,
	blanks.Pass,
	thoughtsignatures.Pass,
	foreign.Pass,
	signatures.Pass,
	calls.Pass,
	failed.Pass,
	duplicates.Pass,
	pairing.Pass,
	reasoning.Pass,
	responses.Pass,
	repeats.Pass,
	ids.Pass,
	pairing.Again,
	boundary.Pass,
	turns.Pass,
	details.Pass,
}

// With returns the suite with another pass in the place of the one that has the
// same name.
func With(pass *hygiene.Pass) []*hygiene.Pass {
	suite := slices.Clone(Suite)
	for i, p := range suite {
		if p.Name == pass.Name {
			suite[i] = pass
		}
	}
	return suite
}
