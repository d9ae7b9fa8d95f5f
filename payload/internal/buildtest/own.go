package buildtest

import (
	"strings"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hygeia/internal/casetest"
	"hygeia/payload"
	"hygeia/wire"
)

// ownBody proves G-2 over the wire: a body that the converter wrote is read and
// written again byte for byte, and there is nothing to report: its parameters
// stay (D-38), so do its cache markers, and the messages are what they were
// (W-124).
func (f *Format) ownBody(t *rapid.T, e Endpoint) {
	in := f.sane(t, e)
	if body := f.buildSane(t, in); body != nil && !f.ambiguous(in) {
		bare := e.Input()
		f.settles(t, bare, body)
	}
}

// inverse proves that what the decoder makes of a body is what the converter
// made it of: without the request it gives the same messages.
func (f *Format) inverse(t *rapid.T, e Endpoint) {
	in := f.sane(t, e)
	if in.Options.Thinking == payload.ThinkDefault {
		in.Options.Thinking = f.Asked
	}
	body := f.buildSane(t, in)
	if body == nil || f.ambiguous(in) {
		return
	}
	again := fresh(in)
	again.Messages = f.decode(t, body).Messages
	second, err := f.Build(again)
	if err != nil {
		t.Fatal(err)
	}
	list := f.messages
	if f.Loose {
		list = f.spelling
	}
	if d := cmp.Diff(strings.Join(list(body), "\n"), strings.Join(list(second), "\n")); d != "" {
		t.Fatalf("%s\n%s\n%s", d, casetest.Changes(again.Report), casetest.Lines(again.Messages))
	}
}

// settles asserts that a body, read as a request, goes out as it is.
func (f *Format) settles(t fataler, in *payload.Input, body []byte) {
	again := fresh(in)
	again.Request = f.decode(t, body)
	again.Messages = again.Request.Messages
	second, err := f.Build(again)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if d := cmp.Diff(string(body), string(second)); d != "" || !again.Report.Empty() {
		t.Fatalf("the body does not settle (G-2):\n%s\n%s\n%s", d, casetest.Changes(again.Report), pretty(body))
	}
}

func (f *Format) decode(t fataler, body []byte) *wire.Request {
	req, err := f.Decode(body)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return req
}

func (f *Format) ambiguous(in *payload.Input) bool { return f.Ambiguous != nil && f.Ambiguous(in) }
