package session_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"hygeia/session"
	"hygeia/transcript"
)

// A run writes what was said, and lets others at the file while it waits for the
// model.
func ExampleOpenWriter() {
	dir, err := os.MkdirTemp("", "sessions")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	ctx := context.Background()
	path := filepath.Join(dir, "chat-1.jsonl")
	w, err := session.OpenWriter(ctx, path, session.WriteOptions{CWD: "/srv/app"})
	if err != nil {
		log.Fatal(err)
	}
	defer w.Close()
	guard := session.NewGuard(w, session.GuardOptions{Synthesize: true})
	if _, err := guard.Append(transcript.NewText(transcript.User, "My key is sk-abcdefgh12345678.")); err != nil {
		log.Fatal(err)
	}
	if err := w.Pause(); err != nil {
		log.Fatal(err)
	}
	answer := transcript.New(transcript.Assistant, transcript.NewTextBlock("Keep it to yourself.")) // from the model
	if err := w.Resume(ctx); err != nil {
		log.Fatal(err)
	}
	if _, err := guard.Append(answer); err != nil {
		log.Fatal(err)
	}

	s, err := session.Load(path, session.Options{})
	if err != nil {
		log.Fatal(err)
	}
	c, err := s.Context("")
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range c.Messages {
		fmt.Printf("%s: %s\n", m.Role(), text(m))
	}
	// Output:
	// user: My key is ***.
	// assistant: Keep it to yourself.
}

func text(m *transcript.Message) string {
	for _, b := range m.Blocks() {
		return b.Text()
	}
	return m.Text().String()
}
