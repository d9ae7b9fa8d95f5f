package anthropicmessages_test

import (
	"fmt"
	"log"

	"hygeia/wire/anthropicmessages"
)

// A request body becomes canonical messages and the parameters that all formats have.
func ExampleDecode() {
	req, err := anthropicmessages.Decode([]byte(`{"model":"claude-sonnet-4-5","max_tokens":512,"system":"Be brief.",
		"messages":[{"role":"user","content":"Read it."},
			{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"read","input":{}}]},
			{"role":"user","content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok"}]}]}`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(req.Model, req.MaxTokens, req.System)
	for _, m := range req.Messages {
		fmt.Println(m.Role())
	}
	// Output:
	// claude-sonnet-4-5 512 Be brief.
	// user
	// assistant
	// toolResult
}
