package runner_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"hygeia"
	"hygeia/emulator"
	"hygeia/runner"
	"hygeia/runner/model"
	"hygeia/runner/tools"
)

// A prompt goes through a session: the file is made, the model calls a tool, and
// what was said is stored. Without model.Config.Emulator it is a real provider that
// answers, with the key of the environment.
func Example() {
	dir, err := os.MkdirTemp("", "run")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("The meeting is at nine."), 0o600); err != nil {
		log.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer root.Close()
	set, err := tools.New(tools.Read(root))
	if err != nil {
		log.Fatal(err)
	}
	server := emulator.NewServer(emulator.Options{Respond: emulator.Script(
		emulator.Step{Contains: "When", Answer: emulator.Answer{Content: []emulator.Part{
			{Call: "read_file", Arguments: []byte(`{"path":"notes.txt"}`)},
		}}},
		emulator.Step{Contains: "hurry", Answer: emulator.Answer{Content: []emulator.Part{{Text: "At nine."}}}},
	)})
	defer server.Close()

	r, err := runner.New(runner.Options{
		Target: hygeia.Target{Provider: "anthropic", Model: "claude-opus-4-6"},
		Model:  model.New(model.Config{Emulator: server.URL}),
		Tools:  set,
	})
	if err != nil {
		log.Fatal(err)
	}
	result, err := r.Run(context.Background(), filepath.Join(dir, "chat.jsonl"), runner.Prompt{
		Body:   "When is the meeting?",
		Hidden: "The user is in a hurry.", // goes out with this run, and is not stored
	}, func(e runner.Event) {
		if e.Kind == runner.Called {
			fmt.Println(e.Call.Name, e.Result.Text)
		}
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Text, result.Requests)
	// Output:
	// read_file The meeting is at nine.
	// At nine. 2
}
