package session

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"hygeia/transcript"
)

var update = flag.Bool("update", false, "rewrite the outputs of txtar cases")

// Each case of testdata is one archive: the reason and the rules in the comment,
// the file in "in" (or, when it holds bytes that no editor likes, one Go string
// a line in "in.quoted"), a leaf in "leaf" if it is not the active one, and what
// is read in "want". The file is called case.jsonl, or what "name" says.
func TestCases(t *testing.T) {
	for _, a := range archives(t, "testdata") {
		t.Run(a.name, func(t *testing.T) {
			got := []byte(render(t, a.input(t), section(a.Archive, "name"), section(a.Archive, "leaf")))
			if *update {
				set(a.Archive, "want", got)
				a.write(t)
				return
			}
			if d := cmp.Diff(strings.Split(section(a.Archive, "want"), "\n"), strings.Split(strings.TrimSpace(string(got)), "\n")); d != "" {
				t.Errorf("%s\n(-want +got)\n%s", bytes.TrimSpace(a.Comment), d)
			}
		})
	}
}

// archive is a case with its name and the path of its file.
type archive struct {
	*txtar.Archive
	name, path string
}

// archives returns the cases in a folder.
func archives(t testing.TB, dir string) (list []archive) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range files {
		list = append(list, readArchive(t, path))
	}
	return list
}

func readArchive(t testing.TB, path string) archive {
	t.Helper()
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return archive{a, strings.TrimSuffix(filepath.Base(path), ".txtar"), path}
}

// input returns the session file of a case.
func (a archive) input(t testing.TB) []byte {
	t.Helper()
	for _, f := range a.Files {
		switch f.Name {
		case "in":
			return f.Data
		case "in.quoted":
			var text []byte
			for line := range strings.Lines(string(f.Data)) {
				s, err := strconv.Unquote(strings.TrimSpace(line))
				if err != nil {
					t.Fatalf("%s: %s: %v", a.path, line, err)
				}
				text = append(text, s...)
			}
			return text
		}
	}
	t.Fatalf("%s: the case has no input", a.path)
	return nil
}

// write writes the archive as it is now.
func (a archive) write(t testing.TB) {
	t.Helper()
	if err := os.WriteFile(a.path, txtar.Format(a.Archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

func section(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return strings.TrimSpace(string(f.Data))
		}
	}
	return ""
}

func set(a *txtar.Archive, name string, data []byte) {
	for i := range a.Files {
		if a.Files[i].Name == name {
			a.Files[i].Data = data
			return
		}
	}
	a.Files = append(a.Files, txtar.File{Name: name, Data: data})
}

// render writes down everything that a reader of the file learns.
func render(t *testing.T, file []byte, name, leaf string) string {
	t.Helper()
	if name == "" {
		name = "case.jsonl"
	}
	s, err := Read(bytes.NewReader(file), name, Options{})
	if err != nil {
		return "error " + err.Error() + "\n"
	}
	var w strings.Builder
	h := s.Header()
	fmt.Fprintf(&w, "header %s version %d", h.ID, h.Version)
	if h.ParentSession != "" {
		fmt.Fprintf(&w, " from %s", h.ParentSession)
	}
	fmt.Fprintf(&w, "\nleaf %q cursor %q\n", s.Leaf(), s.Cursor())
	if s.Name() != "" {
		fmt.Fprintf(&w, "name %s\n", s.Name())
	}
	for _, e := range s.Entries() {
		if l := s.Label(e.ID); l != "" {
			fmt.Fprintf(&w, "label %s of %s\n", l, e.ID)
		}
	}
	for _, p := range s.Problems() {
		fmt.Fprintf(&w, "%s %s %q %s", map[bool]string{true: "note", false: "problem"}[p.Note], p.Rule, p.Entry, p)
		if len(p.Entries) > 0 {
			fmt.Fprintf(&w, " %v", p.Entries)
		}
		w.WriteByte('\n')
	}
	renderContext(t, &w, s, leaf)
	return w.String()
}

func renderContext(t *testing.T, w *strings.Builder, s *Session, leaf string) {
	t.Helper()
	c, err := s.Context(leaf)
	if err != nil {
		fmt.Fprintf(w, "error %v\n", err)
		return
	}
	b, err := s.Branch(leaf)
	if err != nil {
		t.Fatal(err)
	}
	if r := b.Route(); r != (transcript.Route{}) {
		fmt.Fprintf(w, "route %s/%s %s\n", r.Provider, r.Model, r.API)
	}
	if c.ThinkingLevel != "" {
		fmt.Fprintf(w, "thinking %s\n", c.ThinkingLevel)
	}
	if c.Compaction >= 0 {
		fmt.Fprintf(w, "compaction at %d\n", c.Compaction)
	}
	if c.RejectedThinking >= 0 {
		fmt.Fprintf(w, "rejected up to %d\n", c.RejectedThinking)
	}
	for _, p := range c.Snapshots {
		fmt.Fprintf(w, "snapshot at %d %s/%s %s\n", p.Position, p.Route.Provider, p.Route.Model, p.Route.API)
	}
	for i, m := range c.Messages {
		if m.Origin.Index != i {
			t.Errorf("message %d has index %d", i, m.Origin.Index)
		}
		fmt.Fprintf(w, "%d %s %s\n", m.Origin.Position, m.Origin.Entry, m.AppendJSON(nil))
	}
}
