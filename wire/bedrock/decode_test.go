package bedrock_test

import (
	"errors"
	"testing"

	"hygeia/wire"
	"hygeia/wire/bedrock"
	"hygeia/wire/internal/decodetest"
)

func TestCases(t *testing.T) { decodetest.Run(t, bedrock.Decode) }

// A text that is no request of the format gives an error that says so.
func TestErrors(t *testing.T) {
	for _, body := range []string{"", "[]", "{}", `{"messages":7}`, `{"messages":[}`} {
		if _, err := bedrock.Decode([]byte(body)); err == nil {
			t.Errorf("%q is no request, but there is no error", body)
		}
	}
	if _, err := bedrock.Decode([]byte(`{}`)); !errors.Is(err, wire.ErrNoTurns) {
		t.Error(err)
	}
	if _, err := bedrock.Decode([]byte(`{`)); errors.Is(err, wire.ErrNoTurns) {
		t.Error("what is no JSON is said to have no turns")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"messages":[null,7,"x",[],{},{"role":"user"},{"role":"assistant"},{"role":"assistant","content":[null,7,{"toolUse":{}},{"toolUse":7},{"reasoningContent":{}},{"image":{}}]},{"role":"user","content":[{"toolResult":{}},{"toolResult":{"content":7}}]}]}`))
	f.Add([]byte(`{"messages":[],"system":7,"toolConfig":7,"inferenceConfig":7}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if req, err := bedrock.Decode(body); err == nil {
			decodetest.Sound(t, req, body)
		}
	})
}
