package anthropicmessages_test

import (
	"fmt"
	"log"

	"hygeia/hygiene"
	"hygeia/payload"
	"hygeia/payload/anthropicmessages"
	"hygeia/policy"
	"hygeia/transcript"
)

// Messages that the passes have sanitised become a body; what the converter has to
// change stands in the report.
func ExampleBuild() {
	res, err := policy.Resolve(policy.Target{Provider: "anthropic", Model: "claude-sonnet-4-5"}, policy.Options{})
	if err != nil {
		log.Fatal(err)
	}
	report := &hygiene.Report{}
	body, err := anthropicmessages.Build(&payload.Input{
		Messages: []*transcript.Message{transcript.NewText(transcript.User, "Hello")},
		Target:   res.Target, Policy: res.Policy, Report: report,
		Options: payload.Options{MaxTokens: 256},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(body))
	fmt.Println(len(report.Changes), "changes")
	// Output:
	// {"model":"claude-sonnet-4-5","max_tokens":256,"stream":true,"messages":[{"role":"user","content":[{"type":"text","text":"Hello","cache_control":{"type":"ephemeral"}}]}]}
	// 0 changes
}
