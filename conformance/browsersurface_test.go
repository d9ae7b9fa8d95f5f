package conformance_test

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"hygeia/internal/casetest"
	"hygeia/transcript"
)

// onThePage reads what the page shows, one line for each piece as in
// [casetest.Talk.Shown]. Thinking and results stand in closed cards, and what is off
// the screen is not laid out, so texts are taken from the document.
const onThePage = `[...document.querySelectorAll("#messages > article")].map((a) => {
	const fold = (text) => text.trim().replace(/\s+/g, " ");
	let who = a.querySelector("header > strong")?.textContent || "note";
	if (who === "custom") who = "note";
	return [...a.children].filter((e) => e.tagName !== "HEADER").map((e) => {
		const title = e.querySelector("summary")?.textContent, inside = e.querySelector("pre")?.textContent;
		if (title === undefined) return fold(e.textContent) && who + ": " + fold(e.textContent);
		if (title === "thinking") return "thinking: " + fold(inside);
		if (title.startsWith("calls ")) return "call of " + title.slice(6) + ": " + JSON.stringify(JSON.parse(inside));
		return who + ", failed " + (title === "failed") + ": " + fold(inside);
	});
}).flat().filter(Boolean).join("\n") + "\n"`

var (
	fences = regexp.MustCompile("```[a-z]*")
	breaks = regexp.MustCompile(`(\\n| )+`)
)

// asDrawn returns what of a list of what is shown stands on the page: Markdown is
// drawn there, and how lines are broken is its own affair.
func asDrawn(shown string) string {
	var b strings.Builder
	for line := range strings.Lines(casetest.Seen(shown)) {
		b.WriteString(strings.TrimSpace(breaks.ReplaceAllString(fences.ReplaceAllString(strings.TrimSpace(line), ""), " ")) + "\n")
	}
	return b.String()
}

// H-B14 for the page: in the browser it shows the same turns as every other surface
// (acceptance/surfaces_test.go), both of a session that is written while it looks and
// of one that is loaded later, and nothing of what leaked once.
func TestChatPageShowsTheSame(t *testing.T) {
	const lastWords = "You are welcome."
	recorded, err := os.ReadFile("../acceptance/testdata/surfaces.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	golden, err := os.ReadFile("../acceptance/testdata/surfaces.golden")
	if err != nil {
		t.Fatal(err)
	}
	type shown struct {
		name, want string
		file       []byte
		hidden     []string
	}
	cases := []shown{{"recorded", string(golden), recorded, nil}}
	for _, c := range casetest.Talks(t, "../projection/testdata/leaks") {
		file := casetest.SessionFile(c.Name, append(c.Turns, casetest.Turn(transcript.Assistant, lastWords))...)
		cases = append(cases, shown{c.Name, c.Shown + "assistant: " + lastWords + "\n", file, c.Hidden})
	}
	c := openChat(t, nil)
	c.signIn()
	c.do(chromedp.Click("#thinking")) // tools are shown
	for _, s := range cases {
		t.Run(s.name, func(t *testing.T) {
			c.t = t
			lines := bytes.SplitAfter(s.file, []byte("\n"))
			path := casetest.Install(t, c.state, "agent:main:"+s.name, s.name, bytes.Join(lines[:2], nil))
			c.do(chromedp.Evaluate[chromedp.Void](`loadSessions().then(() => openSession("agent:main:`+s.name+`"))`, chromedp.EvalAwaitPromise))
			c.until(`state.source.readyState === EventSource.OPEN`)
			for _, line := range lines[2:] {
				appendTo(t, path, line)
			}
			for _, when := range []string{"live", "loaded"} {
				c.until(says(lastWords, 1))
				got, raw := ask(c, chromedp.Evaluate[string](onThePage)), ask(c, chromedp.InnerHTML("#messages"))
				if want := asDrawn(s.want); got != want {
					t.Errorf("%s, the page shows\n%s\nwant\n%s", when, got, want)
				}
				for _, text := range s.hidden {
					if strings.Contains(raw, text) {
						t.Errorf("%s: %q stands in\n%s", when, text, raw)
					}
				}
				c.do(chromedp.Evaluate[chromedp.Void](`follow()`)) // as a reload does, but the box stays
			}
		})
	}
}

func appendTo(t *testing.T, path string, line []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(line); err != nil {
		t.Fatal(err)
	}
}
