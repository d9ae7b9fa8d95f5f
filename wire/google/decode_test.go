package google_test

import (
	"errors"
	"testing"

	"hygeia/wire"
	"hygeia/wire/google"
	"hygeia/wire/internal/decodetest"
)

func TestCases(t *testing.T) { decodetest.Run(t, decode) }

// decode reads a body as it comes: in the envelope or plain.
func decode(body []byte) (*wire.Request, error) {
	if api, err := wire.Detect(body); err == nil && api == google.APIEnvelope {
		return google.DecodeEnvelope(body)
	}
	return google.Decode(body)
}

// A text that is no request of the format gives an error that says so.
func TestErrors(t *testing.T) {
	for _, body := range []string{"", "[]", "{}", `{"contents":7}`, `{"contents":[}`} {
		if _, err := google.Decode([]byte(body)); err == nil {
			t.Errorf("%q is no request, but there is no error", body)
		}
	}
	if _, err := google.Decode([]byte(`{}`)); !errors.Is(err, wire.ErrNoTurns) {
		t.Error(err)
	}
	if _, err := google.Decode([]byte(`{`)); errors.Is(err, wire.ErrNoTurns) {
		t.Error("what is no JSON is said to have no turns")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"contents":[null,7,"x",[],{},{"role":"user"},{"role":"model"},{"role":"model","parts":[null,7,{"functionCall":{}},{"functionCall":7},{"text":7,"thought":true}]},{"parts":[{"functionResponse":{}},{"inlineData":{}},{"inlineData":7}]}]}`))
	f.Add([]byte(`{"contents":[],"tools":[7,{}],"generationConfig":7,"systemInstruction":7}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if req, err := google.Decode(body); err == nil {
			decodetest.Sound(t, req, body)
		}
	})
}
