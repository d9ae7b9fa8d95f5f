package acp_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"hygeia"
	"hygeia/acp"
	"hygeia/emulator"
	"hygeia/runner"
	"hygeia/runner/model"
	"hygeia/session"
)

// An agent for an editor on standard input and output; here the editor is a text.
func ExampleServe() {
	state, err := os.MkdirTemp("", "state")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(state)
	provider := emulator.NewServer(emulator.Options{Respond: emulator.Script(
		emulator.Step{Answer: emulator.Answer{Content: []emulator.Part{{Text: "Good day."}}}},
	)})
	defer provider.Close()
	config := acp.Config{State: state, Run: func(cwd string) (*runner.Runner, error) {
		return runner.New(runner.Options{
			Target: hygeia.Target{Provider: "anthropic", Model: "claude-opus-4-6"},
			Model:  model.New(model.Config{Emulator: provider.URL}),
			Write:  session.WriteOptions{CWD: cwd},
		})
	}}
	editor := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/src","mcpServers":[],"_meta":{"sessionKey":"mine"}}}
{"jsonrpc":"2.0","id":2,"method":"session/resume","params":{"sessionId":"mine","cwd":"/src"}}
{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"mine","prompt":[{"type":"text","text":"Hello."}]}}
`)
	var out strings.Builder
	if err := acp.Serve(context.Background(), config, editor, &out); err != nil {
		fmt.Println(err)
	}
	for line := range strings.Lines(out.String()) {
		if !strings.Contains(line, `"id":1`) { // the id of the session is another one each time
			fmt.Print(line)
		}
	}
	// Output:
	// {"jsonrpc":"2.0","id":2,"result":{}}
	// {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"mine","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"Good"}}}}
	// {"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"mine","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":" day."}}}}
	// {"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}
}
