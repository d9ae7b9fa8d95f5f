package openaichat_test

import (
	"bytes"
	"strings"
	"testing"

	"hygeia/internal/jsonline"
	"hygeia/payload/internal/buildtest"
	"hygeia/payload/openaichat"
	"hygeia/policy"
	wire "hygeia/wire/openaichat"
)

func TestCases(t *testing.T) {
	buildtest.Run(t, buildtest.Format{
		Build: openaichat.Build, Rules: openaichat.Rules, Findings: check, Decode: wire.Decode,
		Target: policy.Target{Provider: "mybox", API: "openai-completions", Model: "m1"},
		Policy: policy.Policy{Model: policy.Model{Images: true}},
	})
}

// messagesOf returns the messages of a body, each as it is spelled.
func messagesOf(body []byte) []string {
	var list []string
	for v := range jsonline.Parse(body).Object().Get("messages").Elements() {
		list = append(list, string(v.Raw))
	}
	return list
}

// pretty is a body that a person can read.
func pretty(body []byte) string {
	head, _, _ := bytes.Cut(body, []byte(`"messages":`))
	return string(head) + "\n" + strings.Join(messagesOf(body), "\n")
}
