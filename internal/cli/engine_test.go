package cli_test

import (
	"bytes"
	"testing"

	"hygeia"
)

const poisoned = "../../examples/poisoned.jsonl"

// The command line and the library give the same bytes (G-9).
func TestOneEngine(t *testing.T) {
	t.Setenv("HYGEIA_HOME", t.TempDir())
	for _, to := range []string{"anthropic/claude-sonnet-4-5", "deepseek/deepseek-chat", "vllm/qwen3"} {
		target, err := hygeia.ParseTarget(to)
		if err != nil {
			t.Fatal(err)
		}
		read, err := hygeia.Open(poisoned, hygeia.OpenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := read.Replay(target, hygeia.ReplayOptions{Prompt: "Go on."})
		if err != nil {
			t.Fatal(err)
		}
		code, body, report := run(nil, "replay", poisoned, "--to", to, "--prompt", "Go on.", "--json")
		if code != 0 || body != string(want.Body)+"\n" {
			t.Errorf("%s: exit code %d, bodies differ:\n%s\n%s", to, code, body, want.Body)
		}
		text, err := read.ReportJSON(want)
		if err != nil || !bytes.Equal(text, bytes.TrimSpace([]byte(report))) {
			t.Errorf("%s: reports differ: %v\n%s\n%s", to, err, report, text)
		}
		_, messages, _ := run(nil, "replay", poisoned, "--to", to, "--prompt", "Go on.", "--emit=messages")
		if messages != string(want.MessagesJSON())+"\n" {
			t.Errorf("%s: messages differ", to)
		}
	}
}
