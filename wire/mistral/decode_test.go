package mistral_test

import (
	"errors"
	"testing"

	"hygeia/wire"
	"hygeia/wire/internal/decodetest"
	"hygeia/wire/mistral"
)

func TestCases(t *testing.T) { decodetest.Run(t, mistral.Decode) }

// A text that is no request of the format gives an error that says so.
func TestErrors(t *testing.T) {
	for _, body := range []string{"", "[]", "{}", `{"messages":7}`, `{"messages":[}`} {
		if _, err := mistral.Decode([]byte(body)); err == nil {
			t.Errorf("%q is no request, but there is no error", body)
		}
	}
	if _, err := mistral.Decode([]byte(`{}`)); !errors.Is(err, wire.ErrNoTurns) {
		t.Error(err)
	}
	if _, err := mistral.Decode([]byte(`{`)); errors.Is(err, wire.ErrNoTurns) {
		t.Error("what is no JSON is said to have no turns")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"messages":[null,7,{},{"role":"user","content":[null,7,{"type":"image_url"},{"type":"image_url","image_url":7},{"type":"image_url","image_url":{"url":"data:;base64,"}}]},{"role":"assistant","content":[{"type":"thinking"},{"type":"thinking","thinking":[7,{"text":7}]}],"tool_calls":[7,{},{"function":{"arguments":[]}}]},{"role":"tool"},{"role":"tool","content":7},{"role":"system"}]}`))
	f.Add([]byte(`{"messages":[],"tools":7,"max_tokens":1e99,"reasoning_effort":7}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if req, err := mistral.Decode(body); err == nil {
			decodetest.Sound(t, req, body)
		}
	})
}
