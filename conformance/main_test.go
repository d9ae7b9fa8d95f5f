// Package conformance_test holds request bodies and emulated providers against
// the official Go SDKs. It is a module of its own, so that the SDKs do not become
// dependencies of the project.
//
// A body is decoded into the request type of the SDK, and the client of the SDK
// sends it: every member that we wrote must come out with its value. An SDK drops
// members that it does not know and values of another type, which shows wrong
// spelling, casing, nesting and types. What may differ stands in listed_test.go,
// each with its reason. The clients then talk to the emulators, plain and
// streaming.
package conformance_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"testing"

	"pgregory.net/rapid"

	"hygeia/policy"
)

// body is a request that the project made.
type body struct {
	name   string
	target policy.Target
	json   []byte
}

// streams reports whether the body itself asks for a stream.
func (b body) streams() bool {
	var v struct{ Stream bool }
	return json.Unmarshal(b.json, &v) == nil && v.Stream
}

// sdk is an official client library.
type sdk struct {
	name string
	// inside returns the part of a body that the SDK has types for, nil: all.
	inside func(text []byte) []byte
	// decode reads that part into the request type of the SDK.
	decode func(text []byte) (any, error)
	// send has the client of the SDK send what decode returned.
	send func(request any, b body, h *http.Client) error
}

// sdks are the libraries by the API whose bodies they can send.
var sdks = map[string]*sdk{
	"anthropic-messages":       &anthropicSDK,
	"openai-completions":       &chatSDK,
	"openai-responses":         &responsesSDK,
	"openai-chatgpt-responses": &responsesSDK,
	"azure-openai-responses":   &responsesSDK,
	"google-generative-ai":     &genaiSDK,
	"google-vertex":            &genaiSDK,
	"google-gemini-cli":        &codeAssistSDK,
	"bedrock-converse-stream":  &bedrockSDK,
}

// home is where send sends to, unless the HTTP client knows better.
const home = "http://127.0.0.1"

// errTaken is what clients get instead of an answer.
var errTaken = errors.New("request was taken down")

// recorder takes down the body of the request instead of sending it.
type recorder struct{ body []byte }

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	var err error
	if r.body, err = io.ReadAll(req.Body); err != nil {
		return nil, err
	}
	return nil, errTaken
}

// reporter is what tests and properties have in common.
type reporter interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
}

// decoded returns the part of a body that the SDK knows, as text and in the types
// of the SDK.
func decoded(t reporter, b body) ([]byte, any) {
	t.Helper()
	s, text := sdks[b.target.API], b.json
	if s.inside != nil {
		text = s.inside(text)
	}
	request, err := s.decode(text)
	if err != nil {
		t.Fatalf("%s: %s cannot decode: %v\n%.2000s", b.name, s.name, err, text)
	}
	return text, request
}

// resent returns what the client of the SDK sends for what was decoded.
func resent(t reporter, b body, request any) []byte {
	t.Helper()
	s := sdks[b.target.API]
	var r recorder
	if err := s.send(request, b, &http.Client{Transport: &r}); !errors.Is(err, errTaken) {
		t.Fatalf("%s: %s does not send: %v\n%.2000s", b.name, s.name, err, b.json)
	}
	return bytes.TrimSpace(r.body)
}

// judge holds bodies against the SDKs.
type judge struct {
	words vocabulary
	known map[string]bool // enumerations that occurred
	used  []bool          // of the list
}

func newJudge(t reporter) *judge {
	t.Helper()
	return &judge{words: readWords(t), known: map[string]bool{}, used: make([]bool, len(listed))}
}

// body reports every member that does not come out of the SDK as we wrote it, and
// every value that the SDK does not know.
func (j *judge) body(t reporter, b body) {
	t.Helper()
	text, request := decoded(t, b)
	j.values(t, b, request)
	j.members(t, b, text, resent(t, b, request))
}

// TestBodies holds the bodies of stored transcripts, and those that the cases of
// the converters want, against the SDKs.
func TestBodies(t *testing.T) {
	t.Parallel()
	j, n := newJudge(t), 0
	for b := range bodies(t) {
		j.body(t, b)
		n++
	}
	j.idle(t)
	if len(j.known) < 15 {
		t.Errorf("only %d enumerations occur in all bodies: %v", len(j.known), j.known)
	}
	t.Logf("%d bodies", n)
}

// TestPropertyBodies does the same with generated transcripts.
func TestPropertyBodies(t *testing.T) {
	t.Parallel()
	j := newJudge(t)
	rapid.Check(t, func(t *rapid.T) {
		if b, ok := drawn(t); ok {
			j.body(t, b)
		}
	})
}
