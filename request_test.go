package hygeia

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hygeia/internal/casetest"
	"hygeia/payload"
)

// TestPropertyRequest is G-2 over the wire: a body that a replay made, read as a
// request and replayed for the same target, goes out byte for byte.
func TestPropertyRequest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := draw(t)
		in := &Transcript{Name: "generated", Format: FormatMessages, Context: tr.ctx}
		first, err := in.Replay(tr.target, ReplayOptions{})
		if errors.Is(err, payload.ErrNothingToSend) || err != nil && errors.Is(err, ErrNoConverter) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		api := first.Resolution.Target.API
		if decoders[api] == nil || tells(first) {
			return
		}
		req, err := Read(bytes.NewReader(first.Body), "body", OpenOptions{Format: FormatRequest(api)})
		if err != nil {
			t.Fatal(err)
		}
		second, err := req.Replay(tr.target, ReplayOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if counts := second.Report.Counts(); counts["R-121"]+counts["R-123"] > 0 {
			return // what stood between equal turns did not go out
		}
		if d := cmp.Diff(string(first.Body), string(second.Body)); d != "" || !second.Report.Empty() {
			t.Fatalf("to %+v: %s\n%s\n%s\n%s", tr.target, d, casetest.Changes(second.Report), first.Body, tr.text)
		}
	})
}

// tells reports whether a body holds, as a user turn, what is none: pictures of
// tool results, runtime context, rows of other roles. Read again it ends the
// tool round and may repeat what a user said.
func tells(r *Replay) bool {
	for _, m := range r.Messages {
		if m.Get("runtimeContextCarrier").Bool() {
			return true
		}
	}
	counts := r.Report.Counts()
	return counts["W-406"] > 0 || counts["F-72"] > 0
}
