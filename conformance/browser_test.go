package conformance_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"hygeia"
	"hygeia/emulator"
	"hygeia/gateway"
	"hygeia/internal/casetest"
	"hygeia/internal/jsonline"
	"hygeia/runner"
	"hygeia/runner/model"
	"hygeia/transcript"
)

// chat is the chat page in a real browser, in front of a strict emulator.
type chat struct {
	t      *testing.T
	state  string
	fake   *emulator.Server
	addr   string
	server *httptest.Server
	g      *gateway.Gateway
	ctx    context.Context
}

const chatToken = "browser-test-token"

func openChat(t *testing.T, respond emulator.Responder) *chat {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium is installed")
	}
	c := &chat{t: t, state: t.TempDir(), fake: emulator.NewServer(emulator.Options{Respond: respond})}
	t.Cleanup(c.fake.Close)
	c.serve("127.0.0.1:0")
	t.Cleanup(func() { c.stop() })
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.WindowSize(1200, 800))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	c.ctx = ctx
	c.do(chromedp.Navigate("about:blank")) // the browser lives as long as this context
	c.ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cancel)
	return c
}

func (c *chat) serve(addr string) {
	c.t.Helper()
	g, err := gateway.New(gateway.Config{State: c.state, Token: chatToken, Poll: 30 * time.Millisecond, Run: func(string) (*runner.Runner, error) {
		return runner.New(runner.Options{Target: hygeia.Target{Provider: "anthropic", Model: "claude-opus-4-6"}, Model: model.New(model.Config{Emulator: c.fake.URL, Retries: -1})})
	}})
	if err != nil {
		c.t.Fatal(err)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		c.t.Fatal(err)
	}
	c.g, c.addr = g, l.Addr().String()
	c.server = &httptest.Server{Listener: l, Config: &http.Server{Handler: g.Handler()}}
	c.server.Start()
}

func (c *chat) stop() {
	c.server.CloseClientConnections()
	c.g.Close()
	c.server.Close()
}

func (c *chat) do(steps ...chromedp.Action[chromedp.Void]) {
	c.t.Helper()
	if err := chromedp.Do(c.ctx, steps...); err != nil {
		text, _ := chromedp.Run(c.ctx, chromedp.Evaluate[string](`document.body.innerText`))
		c.t.Fatalf("%v\nthe page says\n%s", err, text)
	}
}

// ask returns what an action gives.
func ask[T any](c *chat, a chromedp.Action[T]) T {
	c.t.Helper()
	v, err := chromedp.Run(c.ctx, a)
	if err != nil {
		c.t.Fatal(err)
	}
	return v
}

// until waits for a condition of the page.
func (c *chat) until(condition string) {
	c.t.Helper()
	c.do(chromedp.Poll[chromedp.Void](condition, chromedp.WithPollingInterval(30*time.Millisecond), chromedp.WithPollingTimeout(30*time.Second)))
}

func (c *chat) signIn() {
	c.t.Helper()
	c.do(chromedp.Navigate("http://"+c.addr+"/"), chromedp.WaitVisible("#token"), chromedp.SendKeys("#token", chatToken+"\r"), chromedp.WaitVisible("#app"))
}

// says is a condition: the messages hold the text so many times.
func says(text string, times int) string {
	return fmt.Sprintf(`document.getElementById("messages").textContent.split(%q).length === %d`, text, times+1)
}

// history writes a session file with n turns for a key that the page lists.
func (c *chat) history(key string, n int) {
	c.t.Helper()
	dir := filepath.Join(c.state, "agents", "main", "sessions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		c.t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(`{"type":"session","version":3,"id":"s1","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/x"}` + "\n")
	parent := "null"
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, `{"type":"message","id":"e%d","parentId":%s,"timestamp":"2026-03-01T10:01:00.000Z","message":{"role":"user","content":"turn number %d."}}`+"\n", i, parent, i)
		parent = fmt.Sprintf(`"e%d"`, i)
	}
	if err := os.WriteFile(filepath.Join(dir, "s1.jsonl"), []byte(b.String()), 0o600); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "sessions.json"), fmt.Appendf(nil, `{%q:{"sessionId":"s1","updatedAt":1772359260000,"label":"Long"}}`, key), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// A conversation in the page: sent, streamed, reloaded, seen in a second tab, and
// gone on with, in the same session, when the service comes back (H-50, H-51). Text that looks like a page stays
// text.
func TestChatPage(t *testing.T) {
	c := openChat(t, emulator.Script(
		emulator.Step{Contains: "story", Answer: emulator.Answer{Content: []emulator.Part{{Text: strings.Repeat("once ", 60) + "end."}}, Pace: 3 * time.Millisecond}},
		emulator.Step{Times: -1, Answer: emulator.Answer{Content: []emulator.Part{{Text: "**bold** <img src=x onerror=document.title='owned'> [x](javascript:document.title='owned') ![p](https://evil.example/p.png)"}}}},
	))
	c.signIn()
	c.do(chromedp.Click("#new"), chromedp.SendKeys("#text", "tell a story\r"))
	c.until(says("end.", 1))
	c.until(`!document.querySelector("[data-sent]") && document.getElementById("live").hidden`)
	c.until(says("tell a story", 1))

	c.do(chromedp.SendKeys("#text", "<script>document.title='owned'</script>\r"))
	c.until(says("onerror=document.title", 1))
	c.until(says("<script>document.title", 1))
	title, html := ask(c, chromedp.Title()), ask(c, chromedp.InnerHTML("#messages"))
	if strings.Contains(title, "owned") || strings.Contains(html, "<script") || strings.Contains(html, "evil.example/p.png\" alt") || strings.Contains(html, "javascript:") {
		t.Errorf("title %q, page\n%s", title, html)
	}
	if !strings.Contains(html, "<strong>bold</strong>") {
		t.Errorf("no markdown in\n%s", html)
	}

	c.do(chromedp.Reload())
	c.until(says("end.", 1))

	// A second tab stays in step.
	second, cancel := chromedp.NewContext(c.ctx)
	defer cancel()
	tab := *c
	tab.ctx = second
	tab.do(chromedp.Navigate("http://" + c.addr + "/"))
	tab.until(says("end.", 1))
	c.do(chromedp.SendKeys("#text", "from the first tab\r"))
	tab.until(says("from the first tab", 1))

	// The service goes away and comes back: nothing is lost, nothing doubled.
	c.stop()
	c.serve(c.addr)
	c.until(`state.source.readyState === EventSource.OPEN`)
	c.do(chromedp.SendKeys("#text", "after the break\r"))
	c.until(says("after the break", 1))
	tab.until(says("after the break", 1))
	for _, text := range []string{"tell a story", "end.", "from the first tab"} {
		c.until(says(text, 1))
		tab.until(says(text, 1))
	}
}

// Five thousand messages are paged upwards, and the panel tells what the engine
// would change.
func TestChatPageHistory(t *testing.T) {
	c := openChat(t, nil)
	c.history("long", 5_000)
	c.signIn()
	c.until(says("turn number 5000.", 1))
	c.do(chromedp.Evaluate[chromedp.Void](`new Promise((done) => { const step = () => { document.getElementById("log").scrollTop = 0; if (state.older) setTimeout(step, 5); else done(); }; step(); })`, chromedp.EvalAwaitPromise))
	c.until(says("turn number 1.", 1))
	c.until(`document.querySelectorAll("#messages > article").length === 5000`)
	c.do(chromedp.Click("#health"))
	c.until(`document.querySelectorAll("#panel tr").length >= 12`)
	c.do(chromedp.Click("#panel tr button"))
	c.until(`document.querySelectorAll("#panel h2 + table td").length > 0`)
	if text := ask(c, chromedp.InnerHTML("#panel")); strings.Contains(text, "undefined") {
		t.Errorf("the panel says\n%.2000s", text)
	}
}

// furnished writes sessions with all that the page draws.
func (c *chat) furnished() {
	c.t.Helper()
	said := func(role transcript.Role, text string) *transcript.Message { return casetest.Turn(role, text) }
	answer := transcript.New(transcript.Assistant,
		transcript.NewBlock(transcript.TypeThinking).With("thinking", jsonline.Text("They want a plan.")),
		transcript.NewTextBlock("Here is the **plan**:\n\n1. Dig\n2. Water\n\n| Bed | Plants |\n|---|---|\n| north | roses |\n| south | `a-very-long-name-without-any-space-in-it-that-goes-on-and-on` |\n\n```go\nfunc water(beds []Bed) error { return nil } // a line that is longer than a small screen\n```\n\n> quoted, with a [link](https://example.com/)"),
		transcript.NewBlock("toolCall").With("id", jsonline.Text("c1")).With("name", jsonline.Text("read_file")).With("arguments", jsonline.Parse([]byte(`{"path":"/garden/plan.md","lines":[1,2,3]}`))))
	result := transcript.New(transcript.ToolResult, transcript.NewTextBlock("north: roses\nsouth: beans")).With("toolCallId", jsonline.Text("c1")).With("toolName", jsonline.Text("read_file"))
	file := casetest.SessionFile("s", said(transcript.User, "Make a plan for the garden, with everything that grows there."), answer, result,
		said(transcript.Assistant, "The file says the same."), said(transcript.User, strings.Repeat("averylongword", 12)))
	file = append(file, `{"type":"message","id":"b","parentId":"e1","timestamp":"2026-03-01T11:00:00.000Z","message":{"role":"assistant","content":[{"type":"text","text":"Another plan: leave it to the bees."}]}}
{"type":"compaction","id":"k","parentId":"e5","timestamp":"2026-03-01T11:00:00.000Z","summary":"A plan.","firstKeptEntryId":"e5","tokensBefore":9}
{"type":"message","id":"f","parentId":"k","timestamp":"2026-03-01T11:00:00.000Z","message":{"role":"assistant","content":[],"stopReason":"error","errorMessage":"no"}}
`...)
	casetest.Install(c.t, c.state, "agent:main:main", "s", file)
}

// The page in light, dark and on a small screen; HYGEIA_SHOTS names a folder to
// look at it.
func TestChatPageLooks(t *testing.T) {
	c := openChat(t, nil)
	c.furnished()
	c.signIn()
	c.until(says("The file says the same.", 1))
	for _, look := range []struct {
		name, scheme string
		width        int64
	}{{"light", "light", 1200}, {"dark", "dark", 1200}, {"small", "light", 360}} {
		c.do(chromedp.EmulateViewport(look.width, 720), func(ctx context.Context, t *chromedp.Target) (v chromedp.Void, err error) {
			_, err = cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: look.scheme}},
			})
			return v, err
		})
		c.until(`atEnd()`) // who reads the end keeps it, whatever size the page takes
		wide := ask(c, chromedp.Evaluate[bool](`document.documentElement.scrollWidth > innerWidth`))
		back := ask(c, chromedp.Evaluate[string](`getComputedStyle(document.body).backgroundColor`))
		shot := ask(c, chromedp.CaptureScreenshot())
		if wide {
			t.Errorf("%s: the page is wider than the screen", look.name)
		}
		if dark := back != "rgb(255, 255, 255)"; dark != (look.scheme == "dark") {
			t.Errorf("%s: the background is %s", look.name, back)
		}
		if dir := os.Getenv("HYGEIA_SHOTS"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, look.name+".png"), shot, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	// The widest things there are, on the small screen: what engines would change, the
	// branches, the sessions.
	for name, open := range map[string]string{
		"health":   `$("health").click()`,
		"branches": `$("branches").click()`,
		"sessions": `$("menu").click()`,
	} {
		c.do(chromedp.Evaluate[chromedp.Void](`closePanel(); ` + open))
		c.until(map[string]string{
			"health": `document.querySelectorAll("#panel tr").length >= 12`, "branches": `document.querySelectorAll("#panel li").length === 2`,
			"sessions": `document.querySelectorAll("#sessions li").length === 1`,
		}[name])
		if ask(c, chromedp.Evaluate[bool](`document.documentElement.scrollWidth > innerWidth`)) {
			t.Errorf("with %s the page is wider than the screen", name)
		}
		if dir := os.Getenv("HYGEIA_SHOTS"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, name+".png"), ask(c, chromedp.CaptureScreenshot()), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		c.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("main").click()`)) // a touch beside the list
		c.until(`!$("app").classList.contains("menu")`)
	}
}
