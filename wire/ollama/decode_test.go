package ollama_test

import (
	"errors"
	"testing"

	"hygeia/wire"
	"hygeia/wire/internal/decodetest"
	"hygeia/wire/ollama"
)

func TestCases(t *testing.T) { decodetest.Run(t, ollama.Decode) }

// A text that is no request of the format gives an error that says so.
func TestErrors(t *testing.T) {
	for _, body := range []string{"", "[]", "{}", `{"messages":7}`, `{"messages":[}`} {
		if _, err := ollama.Decode([]byte(body)); err == nil {
			t.Errorf("%q is no request, but there is no error", body)
		}
	}
	if _, err := ollama.Decode([]byte(`{}`)); !errors.Is(err, wire.ErrNoTurns) {
		t.Error(err)
	}
	if _, err := ollama.Decode([]byte(`{`)); errors.Is(err, wire.ErrNoTurns) {
		t.Error("what is no JSON is said to have no turns")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"messages":[null,7,{},{"role":"user","images":["iVBOR",7,null]},{"role":"user","content":[],"images":7},{"role":"assistant","thinking":7,"tool_calls":[7,{},{"id":"call1","function":{"name":"f","arguments":"{}"}},{"function":{"name":"f"}}]},{"role":"tool","tool_name":"f"},{"role":"tool"},{"role":"tool","tool_call_id":"call1","images":["/9j/"]},{"role":"system"}]}`))
	f.Add([]byte(`{"messages":[],"tools":7,"options":7,"think":7}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if req, err := ollama.Decode(body); err == nil {
			decodetest.Sound(t, req, body)
		}
	})
}
