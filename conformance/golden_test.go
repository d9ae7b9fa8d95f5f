package conformance_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"hygeia/policy"
)

// cases are the targets of the cases of each converter that name none.
var cases = map[string]policy.Target{
	"anthropicmessages": {Provider: "anthropic", API: "anthropic-messages", Model: "m1"},
	"openaichat":        {Provider: "mybox", API: "openai-completions", Model: "m1"},
	"openairesponses":   {Provider: "openai", API: "openai-responses", Model: "gpt-5.1"},
	"google":            {Provider: "google", API: "google-generative-ai", Model: "gemini-3-pro"},
	"bedrock":           {Provider: "amazon-bedrock", API: "bedrock-converse-stream", Model: "m1"},
}

// golden reads the bodies that the cases of the converters want.
func golden(t *testing.T) []body {
	t.Helper()
	var list []body
	for folder, target := range cases {
		for _, file := range glob(t, "../payload/"+folder+"/testdata/*.txtar") {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			b := body{name: file, target: target}
			if err := b.fill(a); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if b.json != nil {
				list = append(list, b)
			}
		}
	}
	return list
}

// fill takes target and body from a case. There is no body where the case wants
// an error, and none is taken where the input is a request: it keeps what its
// caller wrote, members that nobody knows among them.
func (b *body) fill(a *txtar.Archive) error {
	for _, f := range a.Files {
		switch f.Name {
		case "target":
			if err := json.Unmarshal(f.Data, &b.target); err != nil {
				return err
			}
		case "request":
			return nil
		case "want":
			b.json = withoutTools(joined(f.Data))
		}
	}
	return nil
}

// joined puts the commas back between the messages, which stand on a line each.
func joined(want []byte) []byte {
	lines := bytes.Split(bytes.TrimSpace(want), []byte("\n"))
	if len(lines) < 3 {
		return want
	}
	last := len(lines) - 1
	return bytes.Join([][]byte{lines[0], bytes.Join(lines[1:last], []byte(",")), lines[last]}, nil)
}

// withoutTools takes the definitions of tools away, which the cases keep too short
// for a real request. It returns nil where a case wants an error.
func withoutTools(want []byte) []byte {
	var members map[string]json.RawMessage
	if json.Unmarshal(want, &members) != nil {
		return nil
	}
	delete(members, "tools")
	delete(members, "toolConfig")
	if inner := withoutTools(members["request"]); inner != nil {
		members["request"] = inner
	}
	want, _ = json.Marshal(members) // of valid JSON
	return want
}
