package session_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"hygeia/session"
)

// The older part of a session is summed up, and the conversation goes on from the
// summary and the newest turn.
func ExampleCompact() {
	dir, err := os.MkdirTemp("", "sessions")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "chat-1.jsonl")
	stored := `{"type":"session","version":3,"id":"chat-1","timestamp":"2026-03-01T09:00:00.000Z","cwd":"/srv/app"}
{"type":"message","id":"a1","parentId":null,"timestamp":"2026-03-01T09:00:01.000Z","message":{"role":"user","content":"What grows in the shade?"}}
{"type":"message","id":"a2","parentId":"a1","timestamp":"2026-03-01T09:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"Ferns and hostas do."}],"stopReason":"stop"}}
{"type":"message","id":"a3","parentId":"a2","timestamp":"2026-03-01T09:00:03.000Z","message":{"role":"user","content":"And in the sun?"}}
{"type":"message","id":"a4","parentId":"a3","timestamp":"2026-03-01T09:00:04.000Z","message":{"role":"assistant","content":[{"type":"text","text":"Lavender."}],"stopReason":"stop"}}
`
	if err := os.WriteFile(path, []byte(stored), 0o600); err != nil {
		log.Fatal(err)
	}

	c, err := session.Compact(context.Background(), path, session.CompactOptions{
		KeepTokens: 7,
		Summarise: func(_ context.Context, in session.CompactionInput) (string, error) {
			// A model reads in.Messages here, and in.Previous if there is one.
			return fmt.Sprintf("%d messages about plants for the shade.", len(in.Messages)), nil
		},
	}, session.WriteOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("kept from %s on, %d tokens became %d\n", c.Plan.KeptFrom, c.Plan.TokensBefore, c.TokensAfter())

	s, err := session.Load(path, session.Options{})
	if err != nil {
		log.Fatal(err)
	}
	replay, err := s.Context("")
	if err != nil {
		log.Fatal(err)
	}
	for _, m := range replay.Messages {
		fmt.Println(m.Role(), m.Get("summary").String()+text(m))
	}
	fmt.Println(len(s.Entries()), "entries in the file")
	// Output:
	// kept from a3 on, 18 tokens became 17
	// compactionSummary 2 messages about plants for the shade.
	// user And in the sun?
	// assistant Lavender.
	// 5 entries in the file
}
