package model_test

import (
	"context"
	"fmt"
	"strings"

	"hygeia"
	"hygeia/emulator"
	"hygeia/runner/model"
)

// A stored session goes to a model, and what it says is stored again. The server
// here is an emulator; without Config.Emulator it is the provider itself.
func Example() {
	server := emulator.NewServer(emulator.Options{})
	defer server.Close()
	client := model.New(model.Config{Emulator: server.URL})

	t, err := hygeia.Read(strings.NewReader(`[{"role":"user","content":"Good morning."}]`), "session", hygeia.OpenOptions{})
	if err != nil {
		panic(err)
	}
	r, err := t.Replay(hygeia.Target{Provider: "anthropic", Model: "claude-sonnet-4-5"}, hygeia.ReplayOptions{})
	if err != nil {
		panic(err)
	}
	a, err := client.Stream(context.Background(), model.Call{Target: r.Resolution.Target, Body: r.Body, ToolName: r.ToolName}, func(e model.Event) {
		if e.Kind == model.Text {
			fmt.Print(e.Text)
		}
	})
	fmt.Println()
	fmt.Println(a.StopReason, err)
	// Output:
	// Good morning.
	// stop <nil>
}
