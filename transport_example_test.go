package hygeia_test

import (
	"fmt"
	"net/http"
	"strings"

	"hygeia"
	"hygeia/emulator"
)

// One line makes the requests of a program acceptable: here a call has no result,
// for which Anthropic would refuse the whole conversation.
func ExampleTransport() {
	provider := emulator.NewServer(emulator.Options{})
	defer provider.Close()

	client := &http.Client{Transport: &hygeia.Transport{}}
	answer, err := client.Post(provider.URL+"/v1/messages", "application/json", strings.NewReader(`{
		"model": "claude-opus-4-6", "max_tokens": 100,
		"messages": [
			{"role": "user", "content": "How is the weather?"},
			{"role": "assistant", "content": [{"type": "tool_use", "id": "toolu_1", "name": "weather", "input": {}}]},
			{"role": "user", "content": "Well?"}
		]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	answer.Body.Close()
	fmt.Println(answer.Status, answer.Header.Get("Hygeia-Changes"))
	// Output: 200 OK R-72=1
}
