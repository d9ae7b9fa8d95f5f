package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// BenchmarkAppend adds one turn to sessions of some size (G-6): under a lock that
// is held, and under one of its own. The latter does not count what it takes to
// bring it to the disk.
func BenchmarkAppend(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		lines := []string{head}
		parent := "null"
		for i := range n {
			lines = append(lines, fmt.Sprintf(`{"type":"message","id":"%08x","parentId":%s,"message":{"role":"user","content":%q}}`, i, parent, strings.Repeat("x", 400)))
			parent = fmt.Sprintf(`"%08x"`, i)
		}
		open := func(b *testing.B) string {
			path := filepath.Join(memory(b), "s-1.jsonl")
			if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
				b.Fatal(err)
			}
			return path
		}
		e := user(strings.Repeat("x", 400))
		b.Run(fmt.Sprintf("run/%d", n), func(b *testing.B) {
			w, err := OpenWriter(b.Context(), open(b), WriteOptions{})
			if err != nil {
				b.Fatal(err)
			}
			defer w.Close()
			for b.Loop() {
				if _, err := w.Append(e); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("single/%d", n), func(b *testing.B) {
			a := NewAppender(open(b), WriteOptions{})
			if _, err := a.Append(b.Context(), e); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := a.Append(b.Context(), e); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
