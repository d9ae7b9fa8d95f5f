package session_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"hygeia/session"
)

// A session that was cut off is opened repaired, and the file stays as it is.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "s-1.jsonl")
	const text = `{"type":"session","version":3,"id":"s-1"}
{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"Hello."}}
{"type":"message","id":"b","parentId":"a","mess`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		log.Fatal(err)
	}
	s, report, err := session.Open(path, session.OpenOptions{Cache: &session.Cache{}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Leaf(), report.InMemoryOnly)
	fmt.Println(report)
	// Output:
	// a true
	// s-1.jsonl: 1 line dropped
}
