package cli_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode"

	"hygeia/internal/cli"
)

// evil is text that speaks to a terminal: an escape sequence, the same as a C1
// control, a bell, marks of direction, line separators and a carriage return.
const evil = "\x1b[31m \u009b31m \a \u202e \u2066 \u200f \u2028 \r\n forged \x7f"

// evilSession holds evil text wherever a session can hold text, and a fault in
// every place that a report or an error shows.
func evilSession() string {
	text := strings.NewReplacer(
		"ID1", jsonQuote(evil+"1"), "ID2", jsonQuote(evil+"2"), "CALL", jsonQuote("call"+evil), "EVIL", jsonQuote(evil),
	).Replace(`{"type":"session","version":3,"id":EVIL,"timestamp":"2026-03-01T10:00:00.000Z","cwd":EVIL}
{"type":"message","id":ID1,"parentId":null,"timestamp":EVIL,"message":{"role":"user","content":"Hello."}}
{"type":"message","id":ID2,"parentId":ID1,"message":{"role":"assistant","content":[{"type":"thinking","thinking":EVIL},{"type":"toolCall","id":CALL,"name":EVIL,"arguments":{}},{"type":"toolCall","id":EVIL,"name":"read"},{"type":EVIL}],"provider":EVIL,"api":EVIL,"model":EVIL,"stopReason":EVIL}}
{"type":"message","id":ID1,"parentId":ID2,"message":{"role":"toolResult","toolCallId":EVIL,"toolName":EVIL,"content":[{"type":"image","mimeType":EVIL,"data":EVIL}],"details":EVIL}}
{"type":"message","id":"e5","parentId":ID1,"message":{"role":EVIL,"content":EVIL}}
{"type":EVIL,"id":"e6","parentId":"e5"}
`)
	return text + "{\"type\":\"message\",\"id\":\"\x1b[31m\u202e\xff\n"
}

// jsonQuote writes marks raw and controls escaped, as JSON demands.
func jsonQuote(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < 0x20 {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}

// run runs the command line in this process.
func run(stdin io.Reader, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = cli.Main(args, stdin, &out, &err)
	return code, out.String(), err.String()
}

// Nothing that comes from a file, from the command line or from the user's
// configuration can speak to the terminal (design §9).
func TestNothingHostileReachesATerminal(t *testing.T) {
	dir := t.TempDir()
	home := func(name, file, text string) string {
		path := filepath.Join(dir, name, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(dir, name)
	}
	profile := `{"providers":[{"id":NAME,"family":FAMILY,"source":EVIL,"verified":"2026-01-01","defaultApi":[{"api":"anthropic-messages"}],"rules":[{"set":{"toolCallIdMode":EVIL}}]}]}`
	fill := strings.NewReplacer("NAME", jsonQuote(strings.ToLower(evil)), "EVIL", jsonQuote(evil), "FAMILY", `"na"`)
	homes := map[string]string{
		"none":    filepath.Join(dir, "gone"),
		"profile": home("profile", "profiles/p.json", fill.Replace(profile)),
		"family":  home("family", "profiles/p.json", strings.Replace(fill.Replace(profile), `"na"`, jsonQuote(evil), 1)),
		"member":  home("member", "profiles/p.json", `{"providers":[{`+jsonQuote(evil)+`:1}]}`),
		"config":  home("config", "config.json", `{"models":{"providers":{`+jsonQuote(evil)+`:{"models":[{"id":`+jsonQuote(evil)+`,"reasoning":"x"}]}}}}`),
	}
	session := evilSession()
	named := filepath.Join(dir, "session.jsonl")
	if runtime.GOOS != "windows" {
		named = filepath.Join(dir, strings.NewReplacer("/", "").Replace(evil)+".jsonl")
	}
	if err := os.WriteFile(named, []byte(session), 0o600); err != nil {
		t.Fatal(err)
	}
	to := "--to=anthropic/claude-sonnet-4-5"
	commands := [][]string{
		{"replay", named, to, "--emit", "report", "--report", "text"},
		{"replay", named, to, "--emit", "report", "--json"},
		{"replay", named, to, "-o", filepath.Join(dir, "out")},
		{"replay", named, to, "-o", filepath.Join(dir, "out"), "--json"},
		{"replay", named, "--to=" + evil + "/" + evil, "--emit", "report", "--report", "text"},
		{"replay", named, "--to=" + evil + "/" + evil, "--emit", "report"},
		{"replay", named, "--to=" + evil},
		{"replay", named, "--to=a/\xff", "--json"},
		{"replay", named, to, "--api", evil},
		{"replay", named, to, "--leaf", evil},
		{"replay", named, to, "--format", evil},
		{"replay", named, to, "--format", "messages"},
		{"replay", named, to, "--emit", evil},
		{"replay", named, to, "--report", evil},
		{"replay", named, to, "--thinking", evil},
		{"replay", named, to, "--max-tokens", evil},
		{"replay", named, to, "--tools", evil},
		{"replay", named, to, "--tools", named},
		{"replay", named, to, "--system", evil},
		{"replay", named, to, "-o", named},
		{"replay", named, to, "-o", filepath.Join(dir, evil, evil)},
		{"replay", named + evil, to},
		{"replay", named, to, "--" + evil},
		{"replay", "-", to, "--emit", "report", "--report", "text"},
		{"explain", named, to},
		{"explain", named, to, "--json"},
		{"explain", named, "--to=" + evil + "/" + evil, "--api", evil},
		{"images", named},
		{"images", named, "--json"},
		{"images", named, "--image-max-px", evil},
		{"images", named, "--extract", filepath.Join(dir, evil, evil)},
		{"check", named, to},
		{"check", named, to, "--json"},
		{"check", named, to, "--sarif"},
		{"check", named, "--all"},
		{"check", named, "--all", "--json"},
		{"check", named, "--format", "request:" + evil, to},
		{"check", "-", "--format", "request:anthropic-messages", to},
		{"emulate", "--script", named},
		{"emulate", "--listen", evil},
		{"policy", "--to=" + evil + "/" + evil, "--api", evil},
		{"policy", "--to=" + evil + "/" + evil, "--api", evil, "--json"},
		{"rules", evil},
		{"rules", evil, evil},
		{"providers"},
		{"providers", "--json"},
		{"help", evil},
		{evil},
	}
	for name, home := range homes {
		t.Setenv("HYGEIA_HOME", home)
		for _, args := range commands {
			code, stdout, stderr := run(strings.NewReader(session), args...)
			for _, text := range []string{stdout, stderr} {
				if i := strings.IndexFunc(text, speaks); i >= 0 {
					t.Errorf("%s: %q shows %q", name, args, text[max(0, i-40):min(len(text), i+40)])
				}
			}
			if lines := strings.Count(stderr, "\n"); code >= 2 && (lines != 1 || !strings.HasPrefix(stderr, "hygeia: ")) {
				t.Errorf("%s: %q: exit code %d with %q", name, args, code, stderr)
			}
			if code < 0 || code > 3 || stdout+stderr == "" && code != 0 {
				t.Errorf("%s: %q: exit code %d without a word", name, args, code)
			}
		}
	}
}

// speaks reports whether a terminal would do more than show the character.
func speaks(r rune) bool {
	return r != '\n' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// Whatever stands in a file, the answer is one of the exit codes, and what is
// shown cannot speak to the terminal.
func FuzzTerminal(f *testing.F) {
	f.Add([]byte(evilSession()))
	f.Add([]byte(`[{"role":"user","content":"` + "\u009b\u202e" + `"}]`))
	f.Add([]byte("\x1b[31m"))
	f.Setenv("HYGEIA_HOME", f.TempDir())
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, args := range [][]string{
			{"explain", "-", "--to=anthropic/claude-sonnet-4-5"},
			{"explain", "-", "--to=mistral/m", "--json"},
			{"replay", "-", "--to=openai/gpt-5.1", "--emit=report", "--report=text"},
		} {
			code, stdout, stderr := run(bytes.NewReader(text), args...)
			if i := strings.IndexFunc(stdout+stderr, speaks); i >= 0 || code < 0 || code > 3 {
				t.Errorf("%q: exit code %d, %q", args, code, stdout+stderr)
			}
		}
	})
}
