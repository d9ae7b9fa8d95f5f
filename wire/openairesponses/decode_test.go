package openairesponses_test

import (
	"errors"
	"testing"

	"hygeia/wire"
	"hygeia/wire/internal/decodetest"
	"hygeia/wire/openairesponses"
)

func TestCases(t *testing.T) { decodetest.Run(t, openairesponses.Decode) }

// A text that is no request of the format gives an error that says so.
func TestErrors(t *testing.T) {
	for _, body := range []string{"", "[]", "{}", `{"input":7}`, `{"input":[}`} {
		if _, err := openairesponses.Decode([]byte(body)); err == nil {
			t.Errorf("%q is no request, but there is no error", body)
		}
	}
	if _, err := openairesponses.Decode([]byte(`{}`)); !errors.Is(err, wire.ErrNoTurns) {
		t.Error(err)
	}
	if _, err := openairesponses.Decode([]byte(`{`)); errors.Is(err, wire.ErrNoTurns) {
		t.Error("what is no JSON is said to have no turns")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"input":[null,7,"x",[],{},{"type":"message"},{"role":"user"},{"type":"reasoning"},{"type":"function_call"},{"type":"function_call_output"},{"role":"assistant","content":[null,7,{}]}]}`))
	f.Add([]byte(`{"input":"x","tools":7,"instructions":7}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if req, err := openairesponses.Decode(body); err == nil {
			decodetest.Sound(t, req, body)
		}
	})
}
