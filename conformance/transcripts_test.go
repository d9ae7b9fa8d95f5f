package conformance_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"hygeia"
)

// transcripts reads the examples and the acceptance cases.
func transcripts(t *testing.T) []*hygeia.Transcript {
	t.Helper()
	var list []*hygeia.Transcript
	add := func(name string, format hygeia.Format, text []byte) {
		in, err := hygeia.Read(bytes.NewReader(text), name, hygeia.OpenOptions{Format: format})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		list = append(list, in)
	}
	for _, file := range glob(t, "../examples/*.jsonl") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		add(file, hygeia.FormatAuto, text)
	}
	for _, file := range glob(t, "../acceptance/testdata/*/*.txtar") {
		if format, text := acceptanceInput(t, file); len(text) > 0 && len(text) < 1<<20 {
			add(file, format, text)
		}
	}
	return list
}

// acceptanceInput reads the input of an acceptance case, whose language
// acceptance/README.md describes. Sections that repeat are read once.
func acceptanceInput(t *testing.T, file string) (hygeia.Format, []byte) {
	t.Helper()
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var format hygeia.Format
	var text []byte
	for _, f := range a.Files {
		switch name, _, _ := strings.Cut(f.Name, " "); name {
		case "in":
			format = hygeia.FormatMessages
			text = append(text, bytes.ReplaceAll(f.Data, []byte("{{n}}"), []byte("1"))...)
		case "session":
			format = hygeia.FormatSession
			text = append(text, bytes.ReplaceAll(f.Data, []byte("{{n}}"), []byte("1"))...)
		case "session.file":
			format = hygeia.FormatSession
			if text, err = os.ReadFile(filepath.Join(filepath.Dir(file), strings.TrimSpace(string(f.Data)))); err != nil {
				t.Fatal(err)
			}
		case "session.quoted":
			format = hygeia.FormatSession
			for line := range strings.Lines(string(f.Data)) {
				if line = strings.TrimSpace(line); line == "" {
					continue
				}
				s, err := strconv.Unquote(line)
				if err != nil {
					t.Fatalf("%s: %v", file, err)
				}
				text = append(text, s...)
			}
		}
	}
	return format, text
}

// glob returns the files that match, of which there must be some.
func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("nothing matches %s: %v", pattern, err)
	}
	return files
}
