package check_test

import (
	"fmt"
	"log"

	"hygeia/check"
	"hygeia/policy"
)

// What a provider would answer to a body, and where.
func ExamplePayload() {
	body := []byte(`{"model":"claude-sonnet-4-5","max_tokens":1024,"messages":[
		{"role":"user","content":"Read the file."},
		{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"read","input":{}}]},
		{"role":"user","content":"And?"}]}`)
	target := policy.Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-sonnet-4-5"}
	findings, err := check.Payload(body, target, check.Options{})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range findings {
		fmt.Println(f.Rule, f.Status, f.Path)
	}
	// Output:
	// AN-03 400 /messages/1
}
