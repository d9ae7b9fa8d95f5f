package acceptance_test

import (
	"bytes"
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"hygeia/internal/casetest"
	"hygeia/transcript"
)

var updateSurfaces = flag.Bool("update-surfaces", false, "rewrite what the surfaces are held to")

// The session that is shown.
const (
	surfacesKey = "agent:main:main"
	surfacesID  = "surfaces"
)

// lastWords end every recorded session.
const lastWords = "You are welcome."

// recording is a session that is shown: its root of state, its file, and what
// stands in it.
type recording struct {
	state, path string
	text        []byte
}

// surfaces are the ways to look at a session. as is how one of them shows what the
// others do, nil for all of it: a screen as people see it, [casetest.Seen]. The page is
// one more; conformance holds it, in a browser, to the same recordings.
var surfaces = []struct {
	name string
	as   func(string) string
	show func(t *testing.T, r recording) *told
}{
	{"command line", nil, shownByCommand},
	{"REST", nil, shownByREST},
	{"event stream", nil, func(t *testing.T, r recording) *told { return shownByStream(t, r, nil) }},
	{"live event stream", nil, shownLive},
	{"terminal", nil, shownByTerminal},
	{"terminal of a gateway", nil, shownByRemote},
	{"screen of a terminal", casetest.Seen, shownOnScreen},
	{"ACP", nil, shownByACP},
	{"tool of models", withoutThoughts, shownByTool},
}

// withoutThoughts leaves out what models think: another model reads what was said.
func withoutThoughts(shown string) string {
	return regexp.MustCompile(`(?m)^thinking: .*\n`).ReplaceAllString(shown, "")
}

// onEverySurface shows a session file on each surface. raw is all that it wrote.
func onEverySurface(t *testing.T, file []byte, hold func(t *testing.T, got, raw string, as func(string) string)) {
	for _, s := range surfaces {
		t.Run(s.name, func(t *testing.T) {
			state := t.TempDir()
			w := s.show(t, recording{state, casetest.Install(t, state, surfacesKey, surfacesID, file), file})
			hold(t, w.String(), w.raw.String(), s.as)
		})
	}
}

// H-B14, X-B01: every surface shows the same turns of a recorded session.
func TestSurfacesShowTheSame(t *testing.T) {
	recorded, err := os.ReadFile("testdata/surfaces.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	golden, err := os.ReadFile("testdata/surfaces.golden")
	if err != nil && !*updateSurfaces {
		t.Fatal(err)
	}
	onEverySurface(t, recorded, func(t *testing.T, got, _ string, as func(string) string) {
		if *updateSurfaces && as == nil {
			golden = []byte(got)
			if err := os.WriteFile("testdata/surfaces.golden", golden, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want := string(golden)
		if as != nil {
			want = as(want)
		}
		if got != want {
			t.Errorf("shown:\n%s\nwant:\n%s", got, want)
		}
	})
}

// every case of the projection's leaks, on every surface: what must not be shown
// stands nowhere in what the surface writes, and what must be is there.
func TestSurfacesLeakNothing(t *testing.T) {
	for _, c := range casetest.Talks(t, "../projection/testdata/leaks") {
		t.Run(c.Name, func(t *testing.T) {
			file := casetest.SessionFile(surfacesID, append(c.Turns, casetest.Turn(transcript.Assistant, lastWords))...)
			onEverySurface(t, file, func(t *testing.T, got, raw string, as func(string) string) {
				want := c.Shown + "assistant: " + lastWords + "\n"
				if as != nil {
					want = as(want)
				}
				if got != want {
					t.Errorf("shown:\n%s\nwant:\n%s", got, want)
				}
				for _, text := range c.Hidden {
					if strings.Contains(raw, text) {
						t.Errorf("%q stands in\n%s", text, raw)
					}
				}
			})
		})
	}
}

var quoted = regexp.MustCompile(`'([^']+)'`)

// The cases of the collection that concern what people see, on every surface: the
// texts in quotes of a must line are shown, or not where it says so.
func TestSurfacesSharedLeaks(t *testing.T) {
	for line := range bytes.Lines(readShared(t, sharedCases)) {
		var c sharedCase
		if err := json.Unmarshal(line, &c, loose); err != nil {
			t.Fatal(err)
		}
		if c.Target.API != "chat-view" {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			var r transcript.Reader
			turns, err := r.Messages(c.Input)
			if err != nil {
				t.Fatal(err)
			}
			file := casetest.SessionFile(surfacesID, append(turns, casetest.Turn(transcript.Assistant, lastWords))...)
			onEverySurface(t, file, func(t *testing.T, got, _ string, _ func(string) string) {
				for _, must := range c.Must {
					hidden := strings.Contains(must, "not shown") || strings.Contains(must, "nowhere")
					for _, text := range quoted.FindAllStringSubmatch(must, -1) {
						if strings.Contains(got, text[1]) == hidden {
							t.Errorf("%s:\n%s", must, got)
						}
					}
				}
			})
		})
	}
}
