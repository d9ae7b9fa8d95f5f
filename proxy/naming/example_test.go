package naming_test

import (
	"fmt"
	"io"
	"strings"

	"hygeia/proxy/naming"
)

func ExampleAnswer() {
	in := strings.NewReader(`{"message":{"tool_calls":[{"function":{"name":"my_tool_1a2b3c4d","arguments":{}}}]}}`)
	out := naming.Answer(io.NopCloser(in), "application/json", "ollama", map[string]string{"my_tool_1a2b3c4d": "my.tool"}, 64<<20)
	text, _ := io.ReadAll(out)
	fmt.Printf("%s\n", text)
	// Output: {"message":{"tool_calls":[{"function":{"name":"my.tool","arguments":{}}}]}}
}
