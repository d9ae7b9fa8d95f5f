package tui_test

import (
	"context"
	"fmt"

	"hygeia/runner"
	"hygeia/tui"
)

// A chat in a session file. It takes the terminal until the user leaves.
func Example() {
	var of func(target string) (*runner.Runner, error) // "" is the default target

	file, err := tui.NewFile(tui.FileOptions{Path: "session.jsonl", Run: of})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	if err := tui.Run(context.Background(), tui.Options{Source: file, Key: "session.jsonl"}); err != nil {
		fmt.Println(err)
	}
}

func ExampleSafe() {
	fmt.Println(tui.Safe("a \x1b[31mred\x1b[0m word and a mark: \u202e"))
	// Output: a red word and a mark: \u202e
}
