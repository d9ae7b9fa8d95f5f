package bedrock_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hygeia/hygiene"
	"hygeia/internal/casetest"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/bedrock"
	"hygeia/payload/internal/buildtest"
	wire "hygeia/wire/bedrock"
)

// A body that the converter wrote is read and written again byte for byte, and
// there is nothing to report: its parameters stay (D-38), so do its cache
// markers, and the messages are what they were (W-124, G-2).
func TestPropertyOwnBody(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		in.Messages = buildtest.Messages(t, sane(t))
		body, err := bedrock.Build(in)
		if err != nil {
			return
		}
		req, err := wire.Decode(body)
		if err != nil {
			t.Fatal(err)
		}
		again := &payload.Input{Messages: req.Messages, Target: in.Target, Policy: in.Policy, Request: req, Report: &hygiene.Report{}}
		second, err := bedrock.Build(again)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(body), string(second)); d != "" || !again.Report.Empty() {
			t.Fatalf("%s\n%s\n%s", d, casetest.Changes(again.Report), body)
		}
	})
}

// What the decoder makes of a body is what the converter made it of: without the
// request it gives the same messages.
func TestPropertyInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		// Without a level the history decides, which the first build may shorten.
		in.Options.Thinking = rapid.SampledFrom([]payload.Level{payload.ThinkOff, payload.ThinkMedium}).Draw(t, "asked")
		in.Messages = buildtest.Messages(t, sane(t))
		body, err := bedrock.Build(in)
		if err != nil {
			return
		}
		req, err := wire.Decode(body)
		if err != nil {
			t.Fatal(err)
		}
		again := *in
		again.Messages, again.Report = req.Messages, &hygiene.Report{}
		second, err := bedrock.Build(&again)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(plain(body), plain(second)); d != "" {
			t.Fatalf("%s\n%s\n%s", d, casetest.Changes(again.Report), casetest.Lines(req.Messages))
		}
	})
}

// plain returns the messages of a body without cache markers, which stand on the
// newest of them.
func plain(body []byte) string {
	list := jsonline.ParseObject(body).Get("messages")
	return strings.ReplaceAll(string(list.Raw), `,{"cachePoint":{"type":"default"}}`, "")
}
