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
	"time"
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
	s := over(t, dir, Read, List)
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
	if r := call("list_files", `{"path":"/"}`); r.Failed || r.Text != call("list_files", `{}`).Text {
		t.Errorf("%+v", r)
	}
	if r := call("read_file", `{"path":"in"}`); !r.Failed || !strings.Contains(r.Text, "is a folder") {
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
	s := over(t, dir, Read)
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

// over returns the set of tools of a folder.
func over(t *testing.T, dir string, tools ...func(*os.Root) Tool) *Set {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	var list []Tool
	for _, tool := range tools {
		list = append(list, tool(root))
	}
	s, err := New(list...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestReadLines reads parts of texts, also of those that are larger than what goes
// back, and says what is left out.
func TestReadLines(t *testing.T) {
	dir := t.TempDir()
	s := over(t, dir, Read)
	long := strings.Repeat("x", maxText)
	for _, c := range []struct {
		text          string
		offset, limit int
		want          string
	}{
		{"one\ntwo\nthree", 0, 0, "one\ntwo\nthree"},
		{"one\ntwo\nthree", 3, 9, "three"},
		{"one\ntwo\nthree", 4, 0, "(the file has fewer lines)"},
		{"one\n", 2, 0, ""},
		{"one\ntwo\n", 1, 2, "one\ntwo\n"},
		{"", 0, 0, ""},
		{"caf\xe9\n", 0, 0, "caf\ufffd\n"}, // Latin-1
		{"nul\x00\n", 0, 0, "nul\x00\n"},
		{long, 0, 0, long},
		{long + "\nend\n", 2, 0, "end\n"},
		{long + "yz", 0, 1, long + "\n(2 more bytes)"},
		{long[1:] + "é", 0, 0, long[1:] + "\n(2 more bytes)"},
		{long[2:] + "é!", 0, 0, long[2:] + "é\n(1 more bytes)"},
		{long[1:] + "\xe9\xe9", 0, 0, long[1:] + "\n(2 more bytes)"},
		{strings.Repeat(long, 81) + "\nend", 2, 0, "end"},
		{strings.Repeat(long, 81), 0, 0, long + fmt.Sprintf("\n(%d more bytes)", 80*maxText)},
	} {
		write(t, filepath.Join(dir, "f"), c.text)
		r := s.Call(t.Context(), Call{Name: "read_file", Arguments: fmt.Appendf(nil, `{"path":"f","offset":%d,"limit":%d}`, c.offset, c.limit)})
		if r.Failed || r.Text != c.want {
			t.Errorf("%d bytes from line %d on: failed %v, %d bytes, …%q", len(c.text), c.offset, r.Failed, len(r.Text), r.Text[max(0, len(r.Text)-60):])
		}
	}
	write(t, filepath.Join(dir, "f"), "\x89PNG\r\n\x1a\n"+strings.Repeat(long, 80))
	if r := s.Call(t.Context(), Call{Name: "read_file", Arguments: []byte(`{"path":"f"}`)}); !r.Failed || !strings.Contains(r.Text, "more than 20 MiB") {
		t.Errorf("%v, %d bytes", r.Failed, len(r.Text))
	}
}

// TestList shows names, folders and sizes, and how many more there are.
func TestList(t *testing.T) {
	dir := t.TempDir()
	s := over(t, dir, List)
	list := func() string { return s.Call(t.Context(), Call{Name: "list_files"}).Text }
	if got := list(); got != "(the folder is empty)" {
		t.Errorf("%q", got)
	}
	write(t, filepath.Join(dir, "a", "b"), "")
	write(t, filepath.Join(dir, "c"), "123")
	if got := list(); got != "a/\nc\t3\n" {
		t.Errorf("%q", got)
	}
	for i := range maxNames {
		write(t, filepath.Join(dir, fmt.Sprint("d", i)), "")
	}
	if got := list(); strings.Count(got, "\n") != maxNames+1 || !strings.HasSuffix(got, "(2 more)\n") {
		t.Errorf("…%q", got[len(got)-40:])
	}
}

// TestMessage writes results as the transcript holds them (F-37): a text unless
// there are only pictures, and details that are an object.
func TestMessage(t *testing.T) {
	picture := []Image{{"image/png", []byte("abc")}}
	for _, c := range []struct {
		result Result
		want   string
	}{
		{Result{}, `false,"content":[{"type":"text","text":""}]}`},
		{Result{Text: "t", Failed: true, Details: []byte(`{"a":1}`)}, `true,"details":{"a":1},"content":[{"type":"text","text":"t"}]}`},
		{Result{Images: picture, Details: []byte(`[1]`)}, `false,"content":[{"type":"image","data":"YWJj","mimeType":"image/png"}]}`},
		{Result{Text: "t", Images: picture}, `false,"content":[{"type":"text","text":"t"},{"type":"image","data":"YWJj","mimeType":"image/png"}]}`},
	} {
		if got := string(c.result.Message(Call{ID: "c", Name: "n"}).AppendJSON(nil)); got != `{"role":"toolResult","toolCallId":"c","toolName":"n","isError":`+c.want {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
	}
}

// TestSets joins sets, either of which may be nil.
func TestSets(t *testing.T) {
	var none *Set
	a, err := none.With(nil)
	if err != nil || none.Len() != 0 || none.Definitions() != nil || a.Len() != 0 {
		t.Fatal(a, err)
	}
	x, _ := New(odd{"x", "{}"})
	y, _ := New(odd{"y", "{}"})
	both, err := x.With(y)
	if err != nil || both.Len() != 2 || len(both.Definitions()) != 2 || both.Definitions()[1].Name != "y" {
		t.Errorf("%v, %v", both, err)
	}
	if _, err := x.With(x); !errors.Is(err, ErrTool) {
		t.Errorf("twice the same: %v", err)
	}
	for want, s := range map[string]*Set{"this session has no tools": none, "there are x, y": both} {
		if r := s.Call(t.Context(), Call{Name: "z"}); !r.Failed || !strings.HasSuffix(r.Text, want) {
			t.Errorf("%+v", r)
		}
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
	if r := run(t.Context(), "yes | head -c 2000000"); r.Text != fmt.Sprintf("(%d bytes left out)\n", 2_000_000-maxOutput)+strings.Repeat("y\n", maxOutput/2) {
		t.Errorf("%d bytes", len(r.Text))
	}
}

// TestTail keeps the end of what a command prints, and not much more.
func TestTail(t *testing.T) {
	var out tail
	for range 100 {
		_, _ = out.Write(make([]byte, maxOutput/10))
		if out.b.Len() > 3*maxOutput {
			t.Fatalf("%d bytes are held", out.b.Len())
		}
	}
	if got := out.String(); !strings.HasPrefix(got, fmt.Sprintf("(%d bytes left out)\n\x00", 100*(maxOutput/10)-maxOutput)) {
		t.Errorf("%.40q", got)
	}
}

// TestShellEnds ends commands that take too long, or that nobody waits for any
// more, with all that they started; what a command leaves behind on purpose does not
// hold the result back.
func TestShellEnds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no sh")
	}
	dir := t.TempDir()
	run := func(ctx context.Context, o ShellOptions, command string) Result {
		s, err := New(Shell(o))
		if err != nil {
			t.Fatal(err)
		}
		return s.Call(ctx, Call{Name: "shell", Arguments: fmt.Appendf(nil, `{"command":%q}`, command)})
	}
	if r := run(t.Context(), ShellOptions{Timeout: 50 * time.Millisecond}, "echo a; sleep 60"); !r.Failed || !strings.HasSuffix(r.Text, "\n(ended: context deadline exceeded)") {
		t.Errorf("%+v", r)
	}
	if r := run(t.Context(), ShellOptions{Dir: filepath.Join(dir, "none")}, "echo a"); !r.Failed {
		t.Errorf("%+v", r)
	}
	if r := run(t.Context(), ShellOptions{}, " \n"); !r.Failed || r.Text != "the command is empty" {
		t.Errorf("%+v", r)
	}
	if r := run(t.Context(), ShellOptions{Timeout: 20 * time.Second}, "sleep 40 & echo a"); r.Failed || r.Text != "a\n" {
		t.Errorf("%+v", r)
	}
	log := filepath.Join(dir, "log")
	size := func() int64 {
		info, err := os.Stat(log)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		for size() == 0 && t.Context().Err() == nil {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if r := run(ctx, ShellOptions{Dir: dir}, "while :; do echo a >> log; sleep 0.01; done & wait"); !r.Failed {
		t.Errorf("%+v", r)
	}
	before := size()
	time.Sleep(100 * time.Millisecond)
	if after := size(); after != before {
		t.Errorf("what the command started goes on: %d bytes became %d", before, after)
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
