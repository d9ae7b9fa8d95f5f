package conformance_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"hygeia/emulator"
	"hygeia/internal/casetest"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// H-50, H-52, H-53, H-54: the newest messages are loaded, a compaction is a divider, a
// text that was cut can be had whole, and what was thought shows on request alone.
func TestChatPageShowsOnRequest(t *testing.T) {
	c := openChat(t, nil)
	var turns []*transcript.Message
	for i := range 150 {
		turns = append(turns, casetest.Turn(transcript.User, fmt.Sprintf("turn number %d.", i+1)))
	}
	long := strings.Repeat("long ", 2_000) + "END"
	turns = append(turns, casetest.Turn(transcript.Assistant, long),
		transcript.New(transcript.Assistant, transcript.NewBlock(transcript.TypeThinking).With("thinking", jsonline.Text("PRIVATE")), transcript.NewTextBlock("Said.")))
	file := casetest.SessionFile("s", turns...)
	file = append(file, `{"type":"compaction","id":"c","parentId":"e152","timestamp":"2026-03-01T11:00:00.000Z","summary":"SUMMARY","firstKeptEntryId":"e152","tokensBefore":9}`+"\n"...)
	casetest.Install(t, c.state, "agent:main:main", "s", file)
	c.signIn()
	c.until(says("Said.", 1))
	c.until(`document.querySelectorAll("#messages > article").length === 100 && !document.getElementById("older").hidden`)
	c.until(says("PRIVATE", 0))
	c.until(`document.querySelector("#messages > article.compaction").textContent.trim() === "Compaction" && !document.querySelector("#messages > article.compaction > header")`)
	c.until(says("END", 0))

	// H-B04: a message that is replaced stays where it stands, also where that is in front
	// of what is loaded.
	for _, id := range []string{"e1", "e150"} {
		c.hear("replace", id, "ANEW "+id)
	}
	c.until(says("ANEW e1", 1)) // of e150
	c.until(`document.querySelector('[data-id="e150"]').textContent.includes("ANEW") && document.querySelector('[data-id="e150"]').nextElementSibling.dataset.id === "e151"`)
	c.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("#messages button")].find((b) => b.textContent === "Show full").click()`))
	c.until(says("END", 1))
	c.do(chromedp.Click("#thinking"))
	c.until(says("PRIVATE", 1))

	// H-B18: what is not loaded is found too, and sessions by what was said in them.
	c.until(`!document.querySelector('[data-id="e3"]')`)
	c.do(chromedp.Evaluate[chromedp.Void](`window.prompt = () => "NUMBER 3.", $("find").click()`))
	c.until(`document.querySelector('[data-id="e3"] mark')?.textContent === "number 3."`)
	c.until(`$("note").textContent === "1 message holds it."`)
	c.do(chromedp.SendKeys("#search", "number 3."))
	c.until(`document.querySelectorAll("#sessions li").length === 0 && !$("none").hidden`)
	c.do(chromedp.SendKeys("#search", "\r"))
	c.until(`document.querySelectorAll("#sessions li").length === 1 && $("none").hidden`)

	// A stream that is over for good disturbs no other that was opened meanwhile.
	if !ask(c, chromedp.Evaluate[bool](`(() => {
		const old = state.source;
		old.close(); old.onerror(); follow();
		const now = state.source;
		return new Promise((done) => setTimeout(() => done(state.source === now), 1500));
	})()`, chromedp.EvalAwaitPromise)) {
		t.Error("the page left the stream that it had opened")
	}

	// The message goes while the page still offers to show it whole.
	c.until(`[...document.querySelectorAll("#messages button")].some((b) => b.textContent === "Show full")`)
	c.do(chromedp.Evaluate[chromedp.Void](`showFull(document.querySelector("#messages > article"), "nothing")`))
	c.until(`/cannot be shown: .*not_found/.test(document.getElementById("note").textContent)`)
}

// hear lets the page hear that an answer came or was replaced.
func (c *chat) hear(event, id, text string) {
	c.t.Helper()
	data := fmt.Sprintf(`{"message":{"role":"assistant","content":[],"parts":[{"kind":"text","html":%q}],"__openclaw":{"id":%q}}}`, text, id)
	c.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`state.source.dispatchEvent(new MessageEvent(%q, { data: %q })), undefined`, event, data)))
}

// H-51: what was sent stands there until it is stored, also when the page loads the
// session anew meanwhile, and once afterwards. H-54: what is thought meanwhile shows
// where it is asked for, and is no words of the answer.
func TestChatPageKeepsWhatWasSent(t *testing.T) {
	c := openChat(t, emulator.Script(
		emulator.Step{Contains: "first", Answer: emulator.Answer{Content: []emulator.Part{{Thinking: strings.Repeat("PRIVATE ", 200)}, {Text: strings.Repeat("word ", 150) + "one done."}}, Pace: 50 * time.Millisecond}},
		emulator.Step{Times: -1, Answer: emulator.Answer{Content: []emulator.Part{{Text: "two done."}}}},
	))
	c.signIn()
	c.do(chromedp.Click("#new"))
	c.until(`state.source`)
	c.do(chromedp.SendKeys("#text", "the first\r"))
	c.until(says("the first", 1))
	c.until(`!document.getElementById("live").hidden`)
	c.do(chromedp.SendKeys("#text", "the second\r")) // waits
	c.until(says("the second", 1))
	c.do(chromedp.Click("#thinking")) // loads anew
	c.until(`document.querySelector("#live .thinking").textContent.includes("PRIVATE")`)
	c.until(says("the second", 1))
	c.until(`[...document.querySelectorAll("[data-sent]")].some((e) => e.textContent.includes("the second"))`)
	c.until(says("two done.", 1))
	c.until(`document.querySelectorAll("[data-sent]").length === 0`)
	for _, text := range []string{"the first", "the second", "one done."} {
		c.until(says(text, 1))
	}
	c.until(`[...document.querySelectorAll("#messages .words")].every((e) => !e.textContent.includes("PRIVATE"))`)
}

// What is typed while a message is on its way is the next one, and a message that could
// not be sent is given back in front of it.
func TestChatPageKeepsWhatIsTyped(t *testing.T) {
	c := openChat(t, nil)
	c.signIn()
	c.do(chromedp.Click("#new"), chromedp.SendKeys("#text", "first\r"))
	c.until(says("first", 2)) // and its answer
	c.do(chromedp.Evaluate[chromedp.Void](`
		window.sending = [];
		window.pass = window.fetch;
		window.fetch = (url, o) => o?.method === "POST" && url.endsWith("/messages") ? new Promise((done, fail) => sending.push({ done: () => done(pass(url, o)), fail })) : pass(url, o);
		undefined`))
	box := func(want string) { // the keys that a test presses leave the line break in it
		c.until(fmt.Sprintf(`document.getElementById("text").value.trim().replace(/\s+/g, " ") === %q`, want))
	}
	c.do(chromedp.SendKeys("#text", "second\r"))
	box("")
	c.hear("message", "m", "Meanwhile.") // H-51: what is stored stands in front of what is not
	c.until(says("Meanwhile.", 1))
	c.until(`$("messages").lastElementChild.matches("[data-sent]")`)
	c.do(chromedp.SendKeys("#text", "third"))
	c.do(chromedp.Evaluate[chromedp.Void](`sending[0].done()`))
	c.until(`!document.querySelector("[data-sent]")`)
	c.until(says("second", 2))
	box("third")
	c.do(chromedp.SendKeys("#text", "\r"))
	box("")
	c.do(chromedp.SendKeys("#text", "fourth"))
	c.do(chromedp.Evaluate[chromedp.Void](`sending[1].fail(new TypeError("no connection"))`))
	box("third fourth")
	c.until(says("third", 0))
}

// H-B18: branches are listed and chosen; the next message goes on in the chosen one,
// and nothing is lost of the other.
func TestChatPageBranches(t *testing.T) {
	c := openChat(t, nil)
	file := casetest.SessionFile("s", casetest.Turn(transcript.User, "root."), casetest.Turn(transcript.Assistant, "old branch."))
	file = append(file, `{"type":"message","id":"n","parentId":"e1","timestamp":"2026-03-01T11:00:00.000Z","message":{"role":"assistant","content":[{"type":"text","text":"new branch."}]}}`+"\n"...)
	casetest.Install(t, c.state, "agent:main:main", "s", file)
	c.signIn()
	c.until(says("new branch.", 1))
	choose := func(active bool) {
		c.do(chromedp.Evaluate[chromedp.Void](`$("panel").replaceChildren(), $("branches").click()`))
		c.until(`document.querySelectorAll("#panel li").length >= 2`)
		c.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`[...document.querySelectorAll("#panel li")].find((e) => e.textContent.includes("active") === %v).querySelector("button").click()`, active)))
	}
	choose(false)
	for _, words := range []string{"old branch.", "new branch."} { // no ids
		c.until(fmt.Sprintf(`[...document.querySelectorAll("#panel li button:first-child")].some((e) => e.textContent === %q)`, words))
	}
	c.until(says("old branch.", 1))
	c.until(says("new branch.", 0))
	choose(true)
	c.until(says("new branch.", 1))
	choose(false)
	c.until(says("old branch.", 1))
	c.do(chromedp.SendKeys("#text", "goes on here\r"))
	c.until(says("goes on here", 2)) // the answer says it too
	c.until(says("old branch.", 1))
	c.until(says("new branch.", 0))
	choose(false)
	c.until(says("new branch.", 1))

	// F-26: a copy is a session of its own, which the list shows at once (H-32).
	c.do(chromedp.Evaluate[chromedp.Void](`$("panel").replaceChildren(), $("branches").click()`))
	c.until(`document.querySelectorAll("#panel li").length >= 2`)
	c.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("#panel li")].find((e) => e.textContent.includes("new branch.")).querySelector("button:last-child").click()`))
	c.until(`document.querySelectorAll("#sessions li").length === 2 && document.getElementById("title").textContent.endsWith("(copy)")`)
	c.until(says("new branch.", 1))
	c.until(says("old branch.", 0))
}
