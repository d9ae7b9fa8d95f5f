package tools

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

type odd struct{ name, schema string }

func (o odd) Name() string      { return o.name }
func (odd) Description() string { return "" }
func (o odd) Schema() string    { return o.schema }
func (odd) Run(_ context.Context, c Call) (Result, error) {
	if len(c.Arguments) > 2 {
		return Result{}, errors.New("not today")
	}
	panic("no")
}

func TestNewRefuses(t *testing.T) {
	for _, list := range [][]Tool{
		{odd{"", "{}"}},
		{odd{"1st", "{}"}},
		{odd{"a.b", "{}"}},
		{odd{"x", "[]"}},
		{odd{"x", ""}},
		{odd{"x", "{}"}, odd{"X", "{}"}},
	} {
		if _, err := New(list...); !errors.Is(err, ErrTool) {
			t.Errorf("%v: %v", list, err)
		}
	}
}

// TestFailuresAreResults holds that nothing that a tool does ends a run.
func TestFailuresAreResults(t *testing.T) {
	s, err := New(odd{"x", "{}"})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]Call{
		"broke off": {Name: "x", Arguments: []byte("{}")},
		"not today": {Name: "X", Arguments: []byte(`{"a":1}`)},
		"no tool":   {Name: "y"},
	} {
		if r := s.Call(t.Context(), c); !r.Failed || !strings.Contains(r.Text, name) {
			t.Errorf("%s: %+v", name, r)
		}
	}
	var none *Set
	if r := none.Call(t.Context(), Call{Name: "x"}); !r.Failed {
		t.Errorf("%+v", r)
	}
}

// TestConfined attacks the folder: paths and links that lead out of it.
func TestConfined(t *testing.T) {
	outside := t.TempDir()
	write(t, filepath.Join(outside, "secret"), "TOP")
	dir := t.TempDir()
	write(t, filepath.Join(dir, "in", "a.txt"), "one\ntwo\nthree\n")
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	s, err := New(Read(root), List(root))
	if err != nil {
		t.Fatal(err)
	}
	call := func(tool, arguments string) Result {
		return s.Call(t.Context(), Call{Name: tool, Arguments: []byte(arguments)})
	}
	for _, path := range []string{"../" + filepath.Base(outside) + "/secret", "link/secret", filepath.Join(outside, "secret"), "in/../../x", "/etc/passwd", "", "in\x00"} {
		for _, tool := range []string{"read_file", "list_files"} {
			if r := call(tool, fmt.Sprintf(`{"path":%q}`, path)); strings.Contains(r.Text, "TOP") || !r.Failed && (path != "" || tool == "read_file") {
				t.Errorf("%s %q: %+v", tool, path, r)
			}
		}
	}
	if r := call("read_file", `{"path":"in/a.txt","offset":2,"limit":1}`); r.Failed || r.Text != "two\n\n(6 more bytes)" {
		t.Errorf("%+v", r)
	}
	if r := call("list_files", `{}`); r.Failed || !strings.Contains(r.Text, "in/\n") {
		t.Errorf("%+v", r)
	}
	if r := call("read_file", `{"path":7}`); !r.Failed {
		t.Errorf("%+v", r)
	}
}

func TestReadPicture(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "p"), "\x89PNG\r\n\x1a\nrest")
	write(t, filepath.Join(dir, "b"), "\x00\x01\xff")
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	s, _ := New(Read(root))
	c := Call{ID: "c", Name: "read_file", Arguments: []byte(`{"path":"p"}`)}
	r := s.Call(t.Context(), c)
	m := string(r.Message(c).AppendJSON(nil))
	if len(r.Images) != 1 || !strings.Contains(m, `"mimeType":"image/png"`) || !strings.Contains(m, `"toolCallId":"c"`) {
		t.Errorf("%s", m)
	}
	if r := s.Call(t.Context(), Call{Name: "read_file", Arguments: []byte(`{"path":"b"}`)}); !r.Failed {
		t.Errorf("%+v", r)
	}
}

// TestShell holds that a command gets no key from the environment.
func TestShell(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no sh")
	}
	t.Setenv("OPENAI_API_KEY", "planted")
	t.Setenv("ALLOWED", "yes")
	s, err := New(Shell(ShellOptions{Dir: t.TempDir(), Env: []string{"ALLOWED"}}))
	if err != nil {
		t.Fatal(err)
	}
	run := func(ctx context.Context, command string) Result {
		return s.Call(ctx, Call{Name: "shell", Arguments: []byte(fmt.Sprintf(`{"command":%q}`, command))})
	}
	if r := run(t.Context(), "env"); strings.Contains(r.Text, "planted") || !strings.Contains(r.Text, "ALLOWED=yes") {
		t.Errorf("%+v", r)
	}
	if r := run(t.Context(), "echo out; exit 3"); !r.Failed || r.Text != "out\n\n(exit code 3)" {
		t.Errorf("%+v", r)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r := run(ctx, "sleep 60"); !r.Failed {
		t.Errorf("%+v", r)
	}
	if r := run(t.Context(), "yes | head -c 2000000"); len(r.Text) > maxOutput+100 || !strings.Contains(r.Text, "left out") {
		t.Errorf("%d bytes", len(r.Text))
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
