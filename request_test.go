package hygeia

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hygeia/check"
	"hygeia/internal/casetest"
	"hygeia/internal/jsonline"
	placeholders "hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/transcript"
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

// TestPropertyConvert is G-1 and G-4 for requests that go from one format to
// another: what a body says stands in the other one or in the report, and the
// rulebook finds nothing in that.
func TestPropertyConvert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := draw(t)
		in := &Transcript{Name: "generated", Format: FormatMessages, Context: tr.ctx}
		first, err := in.Replay(tr.target, ReplayOptions{})
		if err != nil || decoders[first.Resolution.Target.API] == nil {
			return
		}
		req, err := Read(bytes.NewReader(first.Body), "body", OpenOptions{Format: FormatRequest(first.Resolution.Target.API)})
		if err != nil {
			t.Fatal(err)
		}
		to := rapid.SampledFrom(targets).Draw(t, "to")
		second, err := req.Replay(to, ReplayOptions{})
		if errors.Is(err, payload.ErrNothingToSend) || errors.Is(err, ErrNoConverter) {
			return
		}
		if err != nil {
			t.Fatalf("to %+v: %v\n%s", to, err, first.Body)
		}
		findings, err := check.Payload(second.Body, second.Resolution.Target, check.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(findings) > 0 {
			t.Fatalf("to %+v: %+v\nbody: %s\nrequest: %s", to, findings, second.Body, first.Body)
		}
		named := map[int]bool{}
		for i := range second.Report.Changes {
			named[second.Report.Changes[i].Message] = true
		}
		said := texts(t, second.Body)
		for i, m := range req.Request.Messages {
			for _, b := range append(m.Blocks(), transcript.NewTextBlockValue(m.Text())) {
				if s := b.Text(); b.IsText() && !named[i] && !placeholders.IsOmittedContent(s) && !bytes.Contains(said, []byte(s)) {
					t.Fatalf("to %+v: message %d lost %q\nbody: %s\nrequest: %s", to, i, s, second.Body, first.Body)
				}
			}
		}
	})
}

// texts returns all strings of a body.
func texts(t *rapid.T, body []byte) []byte {
	var s jsonline.Scanner
	if err := s.ScanAll(body, jsonline.Options{Depth: 100}); err != nil {
		t.Fatal(err)
	}
	var all []byte
	for i := range s.Nodes {
		if s.Nodes[i].Kind == jsonline.String {
			all = append(append(all, s.Value(i, body).String()...), 0)
		}
	}
	return all
}
