package session

import (
	"fmt"
	"os"
	"testing"
)

// BenchmarkOpen opens a clean session of 100 MB and 80 000 entries (F-63): for
// the first time, again without a change, and again with an entry more each
// time.
func BenchmarkOpen(b *testing.B) {
	text := big()
	path := onDisk(b, text)
	open := func(b *testing.B, o OpenOptions) *Session {
		b.Helper()
		s, r, err := Open(path, o)
		if err != nil || r.Changes > 0 {
			b.Fatal(r, err)
		}
		return s
	}
	b.Run("load", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if _, err := Load(path, Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("first", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			open(b, OpenOptions{})
		}
	})
	o := OpenOptions{Cache: &Cache{}}
	s := open(b, o)
	b.Run("unchanged", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if open(b, o) != s {
				b.Fatal("read again")
			}
		}
	})
	parent, n := s.Leaf(), 0
	b.Run("appended", func(b *testing.B) {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		for b.Loop() {
			id := fmt.Sprintf("late%d", n)
			fmt.Fprintf(f, `{"type":"message","id":"%s","parentId":"%s","message":{"role":"user","content":"x"}}`+"\n", id, parent)
			if got := open(b, o).Leaf(); got != id {
				b.Fatalf("leaf %s, want %s", got, id)
			}
			parent, n = id, n+1
		}
	})
}
