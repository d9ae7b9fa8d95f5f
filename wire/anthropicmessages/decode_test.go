package anthropicmessages_test

import (
	"errors"
	"testing"

	"hygeia/wire"
	"hygeia/wire/anthropicmessages"
	"hygeia/wire/internal/decodetest"
)

func TestCases(t *testing.T) { decodetest.Run(t, anthropicmessages.Decode) }

// A text that is no request of the format gives an error that says so.
func TestErrors(t *testing.T) {
	for body, want := range map[string]string{
		"":                 "request body: unexpected end at byte 0",
		`{"messages":[}`:   "request body: expected a value at byte 13",
		`{"messages":[]}x`: "request body: unexpected byte behind the value at byte 15",
		`[]`:               `no turns: the body has no list "messages"`,
		`{"messages":{}}`:  `no turns: the body has no list "messages"`,
	} {
		_, err := anthropicmessages.Decode([]byte(body))
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v", body, err)
		}
	}
	if _, err := anthropicmessages.Decode([]byte(`{}`)); !errors.Is(err, wire.ErrNoTurns) {
		t.Error(err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"messages":[null,7,"x",[],{},{"role":"user"},{"role":"user","content":null},{"role":"user","content":{}},{"role":"user","content":[null,7,{"type":"tool_result"},{"type":"tool_result","content":{}},{"type":"image","source":{"type":"base64"}}]}]}`))
	f.Add([]byte(`{"messages":[{"role":"assistant","content":[{"type":"tool_use"},{"type":"tool_use","id":7,"input":[]}],"tool_calls":[7,{},{"type":"custom"},{"function":{"arguments":"{}"}}]},{"role":"tool"},{"role":"tool","content":[{"type":"image_url","image_url":{"url":"data:;base64,"}}]},{"role":"system"}],"messages":[]}`))
	f.Add([]byte("{\"messages\":[{\"role\":\"user\",\"content\":\"\\ud800\\u0000\xff\"},{\"\\u0072ole\":\"user\",\"content\":[{\"\\u0074ype\":\"text\",\"text\":\"x\"}]}],\"tools\":7,\"system\":[7],\"max_tokens\":1e99}"))
	f.Fuzz(func(t *testing.T, body []byte) {
		if req, err := anthropicmessages.Decode(body); err == nil {
			decodetest.Sound(t, req, body)
		}
	})
}
