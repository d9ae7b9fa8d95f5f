package buildtest

import (
	"bytes"
	"errors"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hygeia/internal/casetest"
	"hygeia/payload"
)

// pure builds a body and asserts that the input is as it was and that a second
// build gives and reports the same (G-3, W-003), and that every change is
// declared (G-4).
func (f *Format) pure(t rapid.TB, in *payload.Input) ([]byte, error) {
	before := string(casetest.Lines(in.Messages))
	body, err := f.Build(in)
	Declared(t, in.Report, f.Rules)
	if d := cmp.Diff(before, string(casetest.Lines(in.Messages))); d != "" {
		t.Errorf("input was changed (G-3): %s", d)
	}
	again := fresh(in)
	second, err2 := f.Build(again)
	if !bytes.Equal(body, second) || (err == nil) != (err2 == nil) {
		t.Error("a second build gives other bytes (W-003)")
	}
	if d := cmp.Diff(string(casetest.Changes(in.Report)), string(casetest.Changes(again.Report))); d != "" {
		t.Errorf("a second build reports something else (G-3): %s", d)
	}
	return body, err
}

// build is pure for any list that may be refused so, and asserts that the service
// takes the body (G-1). It returns nil where the list is refused.
func (f *Format) build(t rapid.TB, in *payload.Input, findings func([]byte, *payload.Input) []string, refuses func(*payload.Input, error) bool) []byte {
	body, err := f.pure(t, in)
	switch {
	case err == nil:
		for _, finding := range findings(body, in) {
			t.Error(finding)
		}
	case !refuses(in, err):
		t.Errorf("build: %v", err)
	}
	if t.Failed() {
		t.Fatalf("input:\n%soptions: %+v\nchanges:\n%sbody:\n%s", casetest.Lines(in.Messages), in.Options, casetest.Changes(in.Report), pretty(body))
	}
	return body
}

// buildSane builds the body of a list as the passes leave it.
func (f *Format) buildSane(t rapid.TB, in *payload.Input) []byte {
	return f.build(t, in, f.Findings, f.nothingToSend)
}

// buildHostile builds the body of a list that no pass has seen.
func (f *Format) buildHostile(t rapid.TB, in *payload.Input) {
	findings := f.Findings
	if f.Hostile != nil {
		findings = f.Hostile
	}
	f.build(t, in, findings, f.refuses)
}

// NothingToSend is [Format.Refuses] of converters that refuse a request without a
// turn (W-006).
func NothingToSend(_ *payload.Input, err error) bool { return errors.Is(err, payload.ErrNothingToSend) }

// nothingToSend is what a converter may refuse of a list that went through the
// passes, if it refuses anything.
func (f *Format) nothingToSend(in *payload.Input, err error) bool {
	return NothingToSend(in, err) && f.refuses(in, err)
}

func (f *Format) refuses(in *payload.Input, err error) bool {
	return f.Refuses != nil && f.Refuses(in, err)
}
