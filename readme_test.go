package hygeia_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hygeia/internal/cli"
)

// blocks returns the fenced blocks of README.md in a language.
func blocks(t *testing.T, language string) []string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, m := range regexp.MustCompile("(?ms)^```"+language+"\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		found = append(found, m[1])
	}
	return found
}

// README.md opens with the two commands that everybody needs.
func TestReadmeOpensWithTheCommands(t *testing.T) {
	want := []string{"go run ./cmd/hygeia replay examples/poisoned.jsonl --to anthropic/claude-sonnet-4-5\n", "./test.sh\n"}
	if got := blocks(t, "sh"); !slices.Equal(got, want) {
		t.Errorf("the commands are %q, want %q", got, want)
	}
	if info, err := os.Stat("test.sh"); err != nil || info.Mode().Perm()&0o100 == 0 {
		t.Errorf("test.sh cannot be run: %v", err)
	}
}

// What README.md shows is what the program prints. A line "…" stands for lines
// left out, and "…" at the end of a line for the rest of it.
func TestReadmeShowsWhatIsPrinted(t *testing.T) {
	t.Setenv("HYGEIA_HOME", t.TempDir())
	shown := blocks(t, "console")
	if len(shown) == 0 {
		t.Fatal("README.md shows nothing")
	}
	for _, block := range shown {
		command, want, _ := strings.Cut(block, "\n")
		args := strings.Fields(strings.TrimPrefix(command, "$ "))
		switch {
		case slices.Equal(args[:min(3, len(args))], []string{"go", "run", "./cmd/hygeia"}):
			args = args[3:]
		case args[0] == "hygeia":
			args = args[1:]
		default:
			t.Errorf("%q runs something else", command)
			continue
		}
		var stdout, stderr bytes.Buffer
		cli.Main(args, strings.NewReader(""), &stdout, &stderr)
		if got := stdout.String() + stderr.String(); !abridged(want, got) {
			t.Errorf("%s\nREADME.md shows:\n%s\nprinted:\n%s", command, want, got)
		}
	}
}

// abridged reports whether want is got with parts left out.
func abridged(want, got string) bool {
	pattern := regexp.QuoteMeta(want)
	pattern = regexp.MustCompile(`(?m)^…\n`).ReplaceAllString(pattern, `(?:.*\n)+?`)
	pattern = regexp.MustCompile(`(?m)…$`).ReplaceAllString(pattern, `.*`)
	return regexp.MustCompile(`\A` + pattern + `\z`).MatchString(got)
}

// The code that README.md shows is code that is compiled and run.
func TestReadmeShowsCodeThatRuns(t *testing.T) {
	examples, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range blocks(t, "go") {
		indented := regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(block, "\t$1")
		if !strings.Contains(string(examples), indented) {
			t.Errorf("not in example_test.go:\n%s", block)
		}
	}
}

// Links of README.md lead to files.
func TestReadmeLinks(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`\]\(([^):#]+)\)`).FindAllStringSubmatch(string(text), -1) {
		if _, err := os.Stat(filepath.FromSlash(m[1])); err != nil {
			t.Error(err)
		}
	}
}

// Every command stands in README.md.
func TestReadmeNamesTheCommands(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var help bytes.Buffer
	cli.Main([]string{"--help"}, nil, &help, &help)
	_, commands, _ := strings.Cut(help.String(), "Available Commands:\n")
	commands, _, _ = strings.Cut(commands, "\n\n")
	for line := range strings.Lines(commands) {
		if name := strings.Fields(line)[0]; name != "help" && !strings.Contains(string(text), "| `hygeia "+name) {
			t.Errorf("%s is missing", name)
		}
	}
}
