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

// resent returns the part of a body that the SDK knows, and what it sends for it.
func resent(t reporter, b body) (sent, again []byte) {
	t.Helper()
	s := sdks[b.target.API]
	sent, request := decoded(t, b)
	var r recorder
	if err := s.send(request, b, &http.Client{Transport: &r}); !errors.Is(err, errTaken) {
		t.Fatalf("%s: %s does not send: %v\n%.2000s", b.name, s.name, err, sent)
	}
	return sent, bytes.TrimSpace(r.body)
}

// TestBodiesKeepEveryMember sends stored transcripts, and the bodies that the
// cases of the converters want, through the SDKs.
func TestBodiesKeepEveryMember(t *testing.T) {
	t.Parallel()
	seen := newLedger()
	n := 0
	for b := range bodies(t) {
		seen.settle(t, b)
		n++
	}
	seen.idle(t)
	t.Logf("%d bodies", n)
}
