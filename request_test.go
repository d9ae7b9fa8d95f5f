package hygeia

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hygeia/check"
	"hygeia/internal/casetest"
	"hygeia/internal/jsonline"
	placeholders "hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/policy"
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
		req, err := Read(bytes.NewReader(first.Body), "body", OpenOptions{Format: FormatRequest(api)})
		if err != nil {
			t.Fatal(err)
		}
		second, err := req.Replay(tr.target, ReplayOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(first.Body), string(second.Body)); d != "" || !second.Report.Empty() {
			t.Fatalf("to %+v: %s\n%s\n%s\n%s", tr.target, d, casetest.Changes(second.Report), first.Body, tr.text)
		}
	})
}

// TestPropertyConvert is G-1 and G-4 for requests that go from one format to
// another: what a body says stands in the other one or in the report, and the
// rulebook finds nothing in that.
func TestPropertyConvert(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := draw(t)
		in := &Transcript{Name: "generated", Format: FormatMessages, Context: tr.ctx}
		first, err := in.Replay(tr.target, ReplayOptions{})
		if err != nil || decoders[first.Resolution.Target.API].decode == nil {
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

// FuzzRequest replays hostile bodies in their own format: nothing panics, what
// goes out is JSON, and read again it goes out as it is (G-2).
func FuzzRequest(f *testing.F) {
	for _, body := range []string{
		`{"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"tool_use","id":"a","name":"f","input":{}},{"type":"server_tool_use","id":"srvtoolu_1"}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":[{"type":"text","text":"r","cache_control":{}}]},{"type":"image","source":{"type":"url","url":"x"}}]}],"system":[{"type":"text","text":"s"}],"tools":[{"name":"f"}],"thinking":{"type":"enabled","budget_tokens":1}}`,
		`{"messages":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,AA=="}}]},{"role":"assistant","content":null,"reasoning_details":[{"type":"reasoning.text"}],"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}},{"id":"b","type":"custom","custom":{"name":"g","input":"x"}}]},{"role":"tool","tool_call_id":"a","content":""},{"role":"system","content":"t"},{"role":"assistant","refusal":"no"}],"tools":[],"tool_choice":"auto"}`,
		`{"input":[{"role":"system","content":"s"},{"role":"user","content":[{"type":"input_text","text":"q"},{"type":"input_image","image_url":"x"}]},{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"g"},{"role":"assistant","id":"msg_1","content":[{"type":"output_text","text":"a"},{"type":"refusal","refusal":"no"}]},{"type":"custom_tool_call","call_id":"a","name":"f","input":"x"},{"type":"custom_tool_call_output","call_id":"a","output":[{}]},{"type":"function_call_output","call_id":"call_9","output":""},{"type":"item_reference","id":"x"}],"previous_response_id":"r","store":true,"reasoning":{"effort":"none"}}`,
		`{"messages":[null,7,{"role":7},{"role":"user","content":{"type":"tool_result"}},{"role":"user","content":[[],null,{"type":"tool_result","content":[{"type":"tool_result"}]}]}],"messages":[]}`,
	} {
		f.Add([]byte(body), uint8(0))
		f.Add([]byte(body), uint8(9))
	}
	for body, which := range map[string]int{
		`{"contents":[{"role":"user","parts":[{"text":"q"},{"inline_data":{}}]},{"role":"model","parts":[{"text":"t","thought":true},{"functionCall":{"name":"f"},"thoughtSignature":"skip_thought_signature_validator"}]},{"parts":[{"functionResponse":{"name":"f","response":7}},{"text":" "}]}],"tools":[{"functionDeclarations":[{"name":"a b"}]}]}`:            22,
		`{"project":"p","request":{"contents":[{"role":"model","parts":[{"functionCall":{"id":"a","name":"f"}}]}],"generationConfig":{"thinkingConfig":{"thinkingBudget":1}}}}`:                                                                                                                                                                                      23,
		`{"messages":[{"role":"user","content":[{"text":"q"},{"cachePoint":{}}]},{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"t"}}},{"toolUse":{"toolUseId":"a","name":"f","input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"a","content":[{"json":{}}]}}]}],"toolConfig":{"tools":[{"toolSpec":{"name":"f"}}]}}`: 24,
		`{"messages":[{"role":"user","content":"q","images":["iVBOR",7]},{"role":"assistant","thinking":"t","tool_calls":[{"function":{"name":"f","arguments":{}}}]},{"role":"tool","tool_name":"f","content":"ok"}],"options":{"num_predict":1},"think":"low"}`:                                                                                                     27,
		`{"messages":[{"role":"user","content":[{"type":"document_url"}]},{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"t"}]}],"prefix":true}],"max_tokens":1,"tools":[]}`:                                                                                                                                                    28,
	} {
		f.Add([]byte(body), uint8(which))
	}
	f.Fuzz(func(t *testing.T, body []byte, which uint8) {
		target := everyAPI[int(which)%len(everyAPI)]
		res, err := policy.Resolve(target, policy.Options{})
		if err != nil {
			return
		}
		first := replayed(t, body, res.Target)
		if first == nil {
			return
		}
		second := replayed(t, first.Body, res.Target)
		if second == nil || !bytes.Equal(first.Body, second.Body) || !second.Report.Empty() {
			report, again := "nothing", []byte(nil)
			if second != nil {
				report, again = string(casetest.Changes(second.Report)), second.Body
			}
			t.Fatalf("to %+v: the body does not settle\nrequest: %s\nfirst: %s\nsecond: %s\n%s", target, body, first.Body, again, report)
		}
	})
}

// replayed reads a body and replays it in its own format, nil where it is no
// request or nothing is left to send.
func replayed(t interface{ Fatalf(string, ...any) }, body []byte, target Target) *Replay {
	req, err := Read(bytes.NewReader(body), "body", OpenOptions{Format: FormatRequest(target.API)})
	if err != nil {
		return nil
	}
	r, err := req.Replay(target, ReplayOptions{})
	if err != nil {
		if !errors.Is(err, payload.ErrNothingToSend) {
			t.Fatalf("%v", err)
		}
		return nil
	}
	if !jsonline.Valid(r.Body) {
		t.Fatalf("no JSON: %s\nrequest: %s", r.Body, body)
	}
	return r
}

// TestPropertyOddRequest holds bodies with the faults that clients' bodies have
// to what holds for any transcript: the rulebook finds nothing in what goes out
// (G-1), read again it goes out as it is (G-2), and members that nobody knows
// survive (G-7).
func TestPropertyOddRequest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		target := rapid.SampledFrom(everyAPI).Draw(t, "target")
		res, err := policy.Resolve(target, policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		g := &bodies{t: t}
		body := odd[decoders[res.Target.API].format](g)
		first := replayed(t, []byte(body), res.Target)
		if first == nil {
			return
		}
		// Members that nobody knows stay (D-39), and so do ids that items of the
		// service cannot be without.
		found, err := check.Payload(first.Body, res.Target, check.Options{Rules: map[string]bool{"AN-35": false, "AZ-03": false}})
		found = slices.DeleteFunc(found, func(f check.Finding) bool { return f.Rule == "AZ-01" && strings.Contains(f.Message, "ws_") })
		if err != nil || len(found) > 0 {
			t.Fatalf("to %+v: %v %+v\nbody: %s\nrequest: %s\n%s", target, err, found, first.Body, body, casetest.Changes(first.Report))
		}
		if n := bytes.Count([]byte(body), []byte("xFuture")); n != bytes.Count(first.Body, []byte("xFuture")) {
			t.Fatalf("to %+v: a parameter is lost\nbody: %s\nrequest: %s", target, first.Body, body)
		}
		second := replayed(t, first.Body, res.Target)
		if d := cmp.Diff(string(first.Body), string(second.Body)); d != "" || !second.Report.Empty() {
			t.Fatalf("to %+v: the body does not settle: %s\nbody: %s\nrequest: %s\nfirst:\n%s\nsecond:\n%s", target, d, first.Body, body,
				casetest.Changes(first.Report), casetest.Changes(second.Report))
		}
	})
}

// TestPropertyConvertOdd is G-1 for requests with the faults that clients make,
// of every format and to every target: the rulebook finds nothing in what goes
// out.
func TestPropertyConvertOdd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.SampledFrom(everyAPI).Draw(t, "from")
		source, err := policy.Resolve(from, policy.Options{})
		if err != nil {
			t.Fatal(err)
		}
		body := odd[decoders[source.Target.API].format](&bodies{t: t})
		to := rapid.SampledFrom(everyAPI).Draw(t, "to")
		res, err := policy.Resolve(to, policy.Options{})
		if err != nil || decoders[res.Target.API].format == decoders[source.Target.API].format {
			return // see TestPropertyOddRequest
		}
		req, err := Read(strings.NewReader(body), "body", OpenOptions{Format: FormatRequest(source.Target.API)})
		if err != nil {
			t.Fatal(err)
		}
		r, err := req.Replay(to, ReplayOptions{})
		if errors.Is(err, payload.ErrNothingToSend) {
			return
		}
		if err != nil {
			t.Fatalf("%s to %+v: %v\n%s", source.Target.API, to, err, body)
		}
		found, err := check.Payload(r.Body, r.Resolution.Target, check.Options{})
		if err != nil || len(found) > 0 {
			t.Fatalf("%s to %+v: %v %+v\nbody: %s\nrequest: %s\n%s", source.Target.API, to, err, found, r.Body, body, casetest.Changes(r.Report))
		}
	})
}
