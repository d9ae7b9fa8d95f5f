package cli_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// terminal is a real one with the chat in it: that of tmux, which tells what stands
// on its screen.
type terminal struct {
	t      *testing.T
	dir    string
	socket string
}

// openChat starts hygeia in a terminal of 100 columns and 30 rows.
func openChat(t *testing.T, dir, args string) *terminal {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux")
	}
	x := &terminal{t, dir, filepath.Join(t.TempDir(), "tmux")}
	x.tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30", "-c", dir,
		"HYGEIA_HOME=/none HYGEIA_TOKEN="+os.Getenv("HYGEIA_TOKEN")+" sh -c 'echo $$ >pid; exec hygeia chat "+args+"' 2>err; echo left with $?; exec sleep 60")
	t.Cleanup(func() { x.tmux("kill-server") })
	return x
}

func (x *terminal) tmux(args ...string) string {
	x.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", x.socket}, args...)...).CombinedOutput()
	if err != nil {
		x.t.Fatalf("tmux %s: %v: %s", args[0], err, out)
	}
	return string(out)
}

// keys presses keys by their names; text types.
func (x *terminal) keys(names ...string) { x.tmux(append([]string{"send-keys"}, names...)...) }
func (x *terminal) text(text string)     { x.tmux("send-keys", "-l", text) }
func (x *terminal) screen() string       { return x.tmux("capture-pane", "-p") }

// until waits until the screen fits and returns it.
func (x *terminal) until(what string, fits func(screen string) bool) string {
	x.t.Helper()
	for range 500 {
		if s := x.screen(); fits(s) {
			return s
		}
		time.Sleep(20 * time.Millisecond)
	}
	errors, _ := os.ReadFile(filepath.Join(x.dir, "err"))
	x.t.Fatalf("waited for %s; the screen shows\n%s\n%s", what, x.screen(), errors)
	return ""
}

// shows waits until all of the texts stand on the screen.
func (x *terminal) shows(texts ...string) string {
	x.t.Helper()
	return x.until(strings.Join(texts, " and "), func(s string) bool {
		for _, text := range texts {
			if !strings.Contains(s, text) {
				return false
			}
		}
		return true
	})
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A message, an answer that streams and is stopped, another size of the window, the
// health of the session, and out again.
func TestChatInATerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "script", `{"contains":"slowly","content":[{"text":"one two three four five six seven eight nine ten eleven twelve"}],"pace":"300ms"}`+"\n")
	x := openChat(t, dir, "s.jsonl --to emulator --script script")
	x.shows("Nothing was said yet.", "Write a message", "hygeia · s.jsonl · emulator")
	x.text("Hello there.")
	x.keys("Enter")
	x.until("an answer", func(s string) bool { return strings.Count(s, "Hello there.") == 2 && !strings.Contains(s, "answering") })

	x.text("Go slowly.")
	x.keys("Enter")
	x.until("the answer to grow", func(s string) bool { return strings.Contains(s, "one two") && !strings.Contains(s, "twelve") })
	x.keys("Escape")
	s := x.until("the answer to stop", func(s string) bool { return !strings.Contains(s, "answering") && strings.Contains(s, "one two") })
	if strings.Contains(s, "twelve") || strings.Count(s, "one two") != 1 {
		t.Errorf("the answer was not stopped, or stands twice:\n%s", s)
	}

	x.tmux("resize-window", "-x", "40", "-y", "12")
	x.until("the smaller window", func(s string) bool {
		return strings.Contains(s, "│") && strings.Contains(s, "one two") && strings.Count(s, "\n") <= 12
	})
	x.keys("PageUp", "PageUp")
	x.shows("session s.jsonl")
	x.tmux("resize-window", "-x", "100", "-y", "30")

	x.keys("C-g")
	x.shows("What would be changed for each provider", "mistral/mistral-large-latest")
	x.keys("Escape")
	x.shows("Write a message")
	x.text("/nonsense")
	x.keys("Enter")
	x.shows("there is no command /nonsense")
	x.keys("C-c")
	x.shows("left with 0")

	if got := read(t, dir, "s.jsonl"); !strings.Contains(got, `"content":"Hello there."`) || !strings.Contains(got, `"stopReason":"aborted"`) {
		t.Errorf("the file holds\n%s", got)
	}
	if out, err := exec.Command("hygeia", "repair", filepath.Join(dir, "s.jsonl")).CombinedOutput(); err != nil {
		t.Errorf("the file needs a repair: %s", out)
	}
}

// H-54, H-60: what the model thinks is shown while it thinks where that was asked for,
// and the call that it makes before the turn is stored.
func TestChatShowsThinkingLive(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "script", `{"contains":"slowly","content":[{"thinking":"one two three four five six seven eight nine ten eleven twelve"},{"text":"Reading."},{"call":"read","arguments":{"path":"a long name of a file that is not there at all"}}],"pace":"150ms"}`+"\n")
	x := openChat(t, dir, "s.jsonl --to emulator --script script --tool read")
	x.shows("Write a message")
	x.text("Go slowly.")
	x.keys("C-t")
	x.keys("Enter")
	x.until("thinking to grow", func(s string) bool {
		return strings.Contains(s, "┊ one two") && !strings.Contains(s, "twelve") && strings.Contains(s, "answering")
	})
	x.until("the call to stand there", func(s string) bool { return strings.Contains(s, "▸ read") && strings.Contains(s, "answering") })
	x.until("the end", func(s string) bool { return !strings.Contains(s, "answering") && strings.Count(s, "Reading.") == 1 })
}

// H-61, design §9: what a hostile session holds stands there as text, and does
// nothing to the terminal.
func TestChatShowsHostileTextAsText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "s.jsonl", `{"type":"session","version":3,"id":"x","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}
{"type":"message","id":"e1","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"a\u001b]2;owned\u0007b \u001b[2Jc \u202eturned"}}
{"type":"message","id":"e2","parentId":"e1","timestamp":"2026-01-01T00:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"ok \u009b31mred \u001b]52;c;b3duZWQ=\u0007\u001b[?1049lend"},{"type":"toolCall","id":"c1","name":"sh\u001b[2J","arguments":{"x":"\u001b]2;owned\u0007"}}],"provider":"anthropic","model":"m","api":"anthropic-messages","stopReason":"toolUse"}}
{"type":"message","id":"e3","parentId":"e2","timestamp":"2026-01-01T00:00:03.000Z","message":{"role":"toolResult","toolCallId":"c1","toolName":"sh\u001b[2J","content":[{"type":"text","text":"\u001b[31mout\u0000put"}],"isError":false}}
`)
	x := openChat(t, dir, "s.jsonl --to emulator")
	x.shows("ab c \\u202eturned", "ok red end", "sh done: output")
	x.keys("C-o")
	x.shows("▾ sh")
	if title := x.tmux("display-message", "-p", "#{pane_title} #{alternate_on}"); strings.Contains(title, "owned") || !strings.HasSuffix(title, " 1\n") {
		t.Errorf("the terminal obeyed: %q", title)
	}
	if raw := x.tmux("capture-pane", "-p", "-e"); strings.Contains(raw, "\u009b") || strings.Contains(raw, "\u202e") {
		t.Errorf("%q", raw)
	}
}

// The health of a damaged session: what is wrong with the file, and for a provider
// by which rules it refuses it and what would be changed, and why. Looking changes
// nothing.
func TestChatShowsHealth(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text, err := os.ReadFile("../../examples/poisoned.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "s.jsonl", string(text))
	x := openChat(t, dir, "s.jsonl --to emulator")
	x.shows("I will write the change log next.")
	x.keys("C-g")
	x.shows("problems", "24 NUL bytes", "anthropic/claude-opus-4-6")
	x.keys("Down", "Enter")
	x.shows("the provider refuses it as it is: AN-", "R-71 drop message 16 (e18): no call", "(content goes)", "(content is made up)")
	x.keys("Escape")
	x.shows("Write a message")
	x.text("/health mistral/mistral-large-latest")
	x.keys("Enter")
	x.shows("▸ mistral/mistral-large-latest")
	if read(t, dir, "s.jsonl") != string(text) {
		t.Error("looking wrote to the file")
	}
}

// longSession writes a session of n turns that say "turn 1" and so on.
func longSession(t *testing.T, dir, name string, n int) {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"type":"session","version":3,"id":"long","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}` + "\n")
	parent := "null"
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, `{"type":"message","id":"e%d","parentId":%s,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"turn %d."}}`+"\n", i, parent, i)
		parent = strconv.Quote("e" + strconv.Itoa(i))
	}
	write(t, dir, name, b.String())
}

// H-60: only --history-limit messages are loaded, and paging upwards loads the rest
// without leaving one out.
func TestChatPagesUpwards(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	longSession(t, dir, "s.jsonl", 95)
	x := openChat(t, dir, "s.jsonl --to emulator --history-limit 20")
	x.shows("turn 95.")
	seen := map[int]bool{}
	for s := ""; !strings.Contains(s, "session s.jsonl"); {
		was, last := s, ""
		s = x.until("another page that is whole", func(s string) bool {
			same := s == last
			last = s
			return same && s != was
		})
		for line := range strings.Lines(s) {
			var n int
			if _, err := fmt.Sscanf(strings.TrimSpace(line), "turn %d.", &n); err == nil {
				seen[n] = true
			}
		}
		x.keys("PageUp")
	}
	for i := 1; i <= 95; i++ {
		if !seen[i] {
			t.Errorf("turn %d was never on the screen", i)
		}
	}
	x.keys("C-End")
	x.shows("turn 95.")
	x.text("/search turn 7.")
	x.keys("Enter")
	x.until("what was searched", func(s string) bool { return strings.Contains(s, "turn 7.") && !strings.Contains(s, "turn 95.") })
}

// service is a gateway of its own process.
type service struct {
	cmd *exec.Cmd
	url string
}

func startService(t *testing.T, dir, listen string, more ...string) *service {
	t.Helper()
	args := append([]string{"serve", "--state", dir, "--token-file", filepath.Join(dir, "token"), "--listen", listen}, more...)
	s := &service{cmd: exec.Command("hygeia", args...)}
	s.cmd.Env = append(os.Environ(), "HYGEIA_HOME=/none")
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	s.url = strings.TrimSpace(strings.TrimPrefix(line, "listening on "))
	t.Cleanup(s.stop)
	return s
}

func (s *service) stop() {
	s.cmd.Process.Kill()
	s.cmd.Wait() // which says that it was killed
}

// H-62, H-60: on a gateway with a token: a new session from the picker, an answer, a
// second terminal in step, and a restart of the service that loses and doubles
// nothing.
func TestChatOnAGateway(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "token", "secret-token\n")
	s := startService(t, dir, "127.0.0.1:0")

	none := openChat(t, dir, "--url "+s.url)
	none.shows("the gateway answers 401")

	x := openChat(t, dir, "--url "+s.url+" --token-file token")
	x.shows("no sessions; ctrl+n makes one")
	x.keys("C-n")
	x.shows("Nothing was said yet.")
	x.text("First question.")
	x.keys("Enter")
	x.until("an answer", func(s string) bool { return strings.Count(s, "First question.") == 2 })
	x.text("/title A talk")
	x.keys("Enter")
	x.shows("hygeia · A talk")

	y := openChat(t, dir, "--url "+s.url+" --token-file token")
	y.shows("A talk")
	y.keys("Enter")
	y.until("the session", func(s string) bool { return strings.Count(s, "First question.") == 2 })
	y.text("From the second.")
	y.keys("Enter")
	x.until("what the other said", func(s string) bool { return strings.Count(s, "From the second.") == 2 })

	key := regexp.MustCompile(`agent:main:\S+`).FindString(y.screen())
	z := openChat(t, dir, "--url "+s.url+" --token-file token --session "+key)
	z.shows("hygeia · A talk", "From the second.")

	s.stop()
	x.shows("no connection")
	startService(t, dir, strings.TrimPrefix(s.url, "http://"))
	x.until("the connection", func(s string) bool { return !strings.Contains(s, "no connection") })
	x.text("After the restart.")
	x.keys("Enter")
	end := x.until("an answer", func(s string) bool {
		return strings.Count(s, "After the restart.") == 2 && !strings.Contains(s, "answering")
	})
	if strings.Count(end, "First question.") != 2 || strings.Count(end, "From the second.") != 2 {
		t.Errorf("turns are lost or stand twice:\n%s", end)
	}
	x.keys("C-g")
	x.shows("What would be changed for each provider", "openai/gpt-5.1")
}

// H-60: who comes while an answer is under way sees it grow, and may stop it.
func TestChatJoinsAnAnswerUnderWay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "token", "secret-token\n")
	write(t, dir, "script", `{"content":[{"text":"one two three four five six seven eight nine ten eleven twelve thirteen fourteen"}],"pace":"300ms"}`+"\n")
	s := startService(t, dir, "127.0.0.1:0", "--script", filepath.Join(dir, "script"))
	x := openChat(t, dir, "--url "+s.url+" --token-file token")
	x.shows("no sessions")
	x.keys("C-n")
	x.shows("Nothing was said yet.")
	x.text("Go on.")
	x.keys("Enter")
	x.shows("one")
	y := openChat(t, dir, "--url "+s.url+" --token-file token")
	y.shows("(answering)")
	y.keys("Enter")
	y.until("the answer to grow", func(s string) bool { return strings.Contains(s, "one two") && !strings.Contains(s, "fourteen") })
	y.keys("Escape")
	for _, z := range []*terminal{x, y} {
		end := z.until("the answer to stop", func(s string) bool { return strings.Contains(s, "one two") && !strings.Contains(s, "answering") })
		if strings.Contains(end, "fourteen") || strings.Count(end, "Go on.") != 1 || strings.Count(end, "one two") != 1 {
			t.Errorf("it shows\n%s", end)
		}
	}
}

// One file, and the sessions of a folder without a service: a message that is
// written anew makes a branch, and branches can be listed and chosen (H-B18).
func TestChatOnBranches(t *testing.T) {
	t.Parallel()
	for _, args := range []string{"s.jsonl --to emulator", "--state . --to emulator"} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			x := openChat(t, t.TempDir(), args)
			folder := strings.HasPrefix(args, "--state")
			if folder {
				x.shows("no sessions")
				x.keys("C-n")
			}
			x.shows("Nothing was said yet.")
			say := func(text string) string {
				x.text(text)
				x.keys("Enter")
				return x.until("an answer", func(s string) bool { return strings.Count(s, text) == 2 && !strings.Contains(s, "answering") })
			}
			say("Alpha.")
			say("Beta.")
			x.text("/edit")
			x.keys("Enter")
			x.shows("makes a branch", "│ Beta.")
			x.keys("C-u")
			if s := say("Gamma."); strings.Contains(s, "Beta.") || strings.Count(s, "Alpha.") != 2 {
				t.Errorf("the branch shows\n%s", s)
			}
			x.text("/branches")
			x.keys("Enter")
			x.shows("branches: 1 Beta. · 2 (active) ")
			x.text("/branch 1")
			x.keys("Enter")
			x.until("the other branch", func(s string) bool { return strings.Contains(s, "Beta.") && !strings.Contains(s, "Gamma.") })
			if s := say("Delta."); strings.Contains(s, "Gamma.") || strings.Count(s, "Beta.") != 2 {
				t.Errorf("the first branch shows\n%s", s)
			}
			x.text("/export out.md")
			x.keys("Enter")
			x.shows("written: out.md")
			if got := read(t, x.dir, "out.md"); !strings.Contains(got, "Delta.") || strings.Contains(got, "Gamma.") {
				t.Errorf("the document holds\n%s", got)
			}
			if folder {
				x.keys("C-s")
				x.shows("search:", "▸")
				x.keys("Escape")
				x.shows("Write a message")
			}
			x.keys("C-c")
			x.shows("left with 0")
		})
	}
}

// Told to end, the chat stops the answer, stores what was said, and gives the
// terminal back. --message is sent at once.
func TestChatIsToldToEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "script", `{"content":[{"text":"one two three four five six seven eight nine ten eleven twelve"}],"pace":"300ms"}`+"\n")
	x := openChat(t, dir, `s.jsonl --to emulator --script script --message "Go on."`)
	x.shows("Go on.", "one two")
	pid, err := strconv.Atoi(strings.TrimSpace(read(t, dir, "pid")))
	if err != nil {
		t.Fatal(err)
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	x.shows("left with 0")
	if on := x.tmux("display-message", "-p", "#{alternate_on}"); on != "0\n" {
		t.Errorf("the terminal is still taken: %s", on)
	}
	if got := read(t, dir, "s.jsonl"); !strings.Contains(got, "one two") || !strings.Contains(got, `"stopReason":"aborted"`) {
		t.Errorf("the file holds\n%s", got)
	}
}

// recorded is a session with what people are not to see: internal context, metadata
// of a channel, calls written as prose, silent replies, heartbeats, thinking.
const recorded = `{"type":"session","version":3,"id":"rec","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}
{"type":"message","id":"e1","parentId":null,"timestamp":"2026-01-01T00:00:01.000Z","message":{"role":"user","content":"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nhidden: context\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\n\nWhich tasks are open?"}}
{"type":"message","id":"e2","parentId":"e1","timestamp":"2026-01-01T00:00:02.000Z","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hidden: thought"},{"type":"text","text":"I look.\n<tool_call>\n<function=read>\n<parameter=path>\nhidden.md\n</parameter>\n</function>\n</tool_call>\nOne moment."},{"type":"toolCall","id":"c1","name":"list","arguments":{"hidden":1}}],"provider":"anthropic","model":"m","api":"anthropic-messages","stopReason":"toolUse"}}
{"type":"message","id":"e3","parentId":"e2","timestamp":"2026-01-01T00:00:03.000Z","message":{"role":"toolResult","toolCallId":"c1","toolName":"list","content":[{"type":"text","text":"three tasks"}],"isError":false}}
{"type":"message","id":"e4","parentId":"e3","timestamp":"2026-01-01T00:00:04.000Z","message":{"role":"assistant","content":[{"type":"text","text":"There are three."}],"provider":"anthropic","model":"m","api":"anthropic-messages","stopReason":"stop"}}
{"type":"message","id":"e5","parentId":"e4","timestamp":"2026-01-01T00:00:05.000Z","message":{"role":"user","content":"Read HEARTBEAT.md if it exists. If there is nothing, reply HEARTBEAT_OK."}}
{"type":"message","id":"e6","parentId":"e5","timestamp":"2026-01-01T00:00:06.000Z","message":{"role":"assistant","content":[{"type":"text","text":"HEARTBEAT_OK"}],"provider":"anthropic","model":"m","api":"anthropic-messages","stopReason":"stop"}}
{"type":"message","id":"e7","parentId":"e6","timestamp":"2026-01-01T00:00:07.000Z","message":{"role":"user","content":"[Working directory: /hidden]\n\nThank you."}}
{"type":"message","id":"e8","parentId":"e7","timestamp":"2026-01-01T00:00:08.000Z","message":{"role":"assistant","content":[{"type":"text","text":"NO_REPLY"}],"provider":"anthropic","model":"m","api":"anthropic-messages","stopReason":"stop"}}
`

// body returns the conversation on the screen: without head, input and keys, and
// without the name of the session.
func (x *terminal) body() string {
	lines := strings.Split(strings.TrimRight(x.screen(), "\n"), "\n")
	var b strings.Builder
	for _, line := range lines[1 : len(lines)-2] {
		if line = strings.TrimRight(line, " "); line != "" && !strings.HasPrefix(line, "session ") {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// H-B14: a file, the sessions of a folder over REST and an event stream, and the
// command line show the same turns of a recorded session, and of what comes while
// people look, which a later start shows as well.
func TestChatShowsWhatOtherSurfacesShow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sessions := filepath.Join("agents", "main", "sessions")
	if err := os.MkdirAll(filepath.Join(dir, sessions), 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(sessions, "rec.jsonl")
	write(t, dir, file, recorded)
	write(t, dir, filepath.Join(sessions, "sessions.json"), `{"agent:main:rec":{"sessionId":"rec","updatedAt":1}}`)

	onFile := openChat(t, dir, file+" --to emulator")
	inFolder := openChat(t, dir, "--state . --session agent:main:rec --to emulator")
	onFile.shows("Thank you.")
	inFolder.shows("Thank you.")
	same := func() string {
		t.Helper()
		got := onFile.body()
		if other := inFolder.body(); other != got {
			t.Errorf("the file shows\n%s\nthe folder\n%s", got, other)
		}
		return got
	}
	if got := same(); strings.Contains(got, "hidden") || strings.Contains(got, "HEARTBEAT") || strings.Contains(got, "NO_REPLY") {
		t.Errorf("it shows\n%s", got)
	}

	run := exec.Command("hygeia", "run", "--session", filepath.Join(dir, file), "--to", "emulator", "From outside.")
	run.Env = append(os.Environ(), "HYGEIA_HOME=/none")
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	answered := func(s string) bool { return strings.Count(s, "From outside.") == 2 }
	onFile.until("what came", answered)
	inFolder.until("what came", answered)
	live := same()

	again := openChat(t, dir, file+" --to emulator")
	again.until("the session", answered)
	if got := again.body(); got != live {
		t.Errorf("a later start shows\n%s\nbefore it was\n%s", got, live)
	}

	out, err := exec.Command("hygeia", "history", filepath.Join(dir, file)).Output()
	if err != nil {
		t.Fatal(err)
	}
	// The two differ in how they write times, results and blank lines.
	plain := func(s string) string {
		s = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d(\n|$)`).ReplaceAllString(s, "\n")
		s = strings.NewReplacer("result of list", "", "▸ list done:", "").Replace(s)
		return strings.Join(strings.Fields(s), " ")
	}
	if told, shown := plain(string(out)), plain(live); told != shown {
		t.Errorf("the command line tells %s\nthe chat shows %s", told, shown)
	}
}
