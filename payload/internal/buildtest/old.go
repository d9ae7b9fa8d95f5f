package buildtest

import (
	"testing"

	"pgregory.net/rapid"

	"hygeia/policy"
	"hygeia/transcript"
)

// Accepted is the property of that name for some targets, with tools or without.
func Accepted(t *testing.T, f Format, tools string, targets ...policy.Target) {
	t.Helper()
	f.Tools, f.Refuses = []string{tools}, NothingToSend
	for _, e := range Resolve(targets...) {
		t.Run(e.Name, rapid.MakeCheck(func(t *rapid.T) { f.accepted(t, e) }))
	}
}

// Adopt lets the target have written some of the assistant turns.
func Adopt(t *rapid.T, list []*transcript.Message, target policy.Target) []*transcript.Message {
	return adopt(t, list, target)
}
