package endtoend_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"hygeia/emulator"
	"hygeia/internal/cli"
)

// TestMain lets the test binary be the command.
func TestMain(m *testing.M) {
	if os.Getenv("HYGEIA_COMMAND") != "" {
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// running is the command while it serves.
type running struct {
	*exec.Cmd
	url string
	log lines
}

// lines takes what a process writes while somebody reads it.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// wait returns when the process has written a text.
func (l *lines) wait(t *testing.T, text string) {
	t.Helper()
	for range 1000 {
		if strings.Contains(l.String(), text) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("no %q in %s", text, l)
}

func run(t testing.TB, env []string, args ...string) *running {
	t.Helper()
	r := &running{Cmd: exec.Command(os.Args[0], append([]string{"proxy"}, args...)...)}
	r.Env = append(append(os.Environ(), "HYGEIA_COMMAND=1", "HYGEIA_HOME="+t.TempDir()), env...)
	r.Stderr = &r.log
	out, err := r.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Process.Kill() }) // when the test has failed
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("no line: %v %s", err, &r.log)
	}
	url, ok := strings.CutPrefix(line, "listening on ")
	if !ok {
		t.Fatalf("line %q", line)
	}
	r.url = strings.TrimSuffix(url, "\n")
	return r
}

// terminate ends the command and returns how.
func (r *running) terminate(t testing.TB) {
	t.Helper()
	if err := r.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := r.Wait(); err != nil {
		t.Errorf("%v: %s", err, &r.log)
	}
}

func ask(t testing.TB, url, body string, header ...string) reply {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{got.StatusCode, got.Header, string(text)}
}

const damaged = `{"model":"claude-opus-4-6","max_tokens":100,"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"f","input":{}}]},{"role":"user","content":"go on"}]}`

// TestCommand serves as a process: one line, the log on standard error without
// content, and an end when told.
func TestCommand(t *testing.T) {
	e := emulator.NewServer(emulator.Options{})
	defer e.Close()
	r := run(t, nil, "--upstream", e.URL, "--to", "anthropic", "--listen", "127.0.0.1:0")
	if !strings.HasPrefix(r.url, "http://127.0.0.1:") {
		t.Errorf("it listens on %s", r.url)
	}
	got := ask(t, r.url+"/v1/messages", damaged, "X-Api-Key", "sk-planted")
	if got.status != 200 || got.header.Get("Hygeia-Changes") != "R-72=1" {
		t.Errorf("%d %v %s", got.status, got.header, got.text)
	}
	r.log.wait(t, "changes=map[R-72:1]")
	r.terminate(t)
	for _, secret := range []string{"sk-planted", "go on", "toolu_1"} {
		if strings.Contains(r.log.String(), secret) {
			t.Errorf("the log holds %s: %s", secret, &r.log)
		}
	}
}

// TestCommandDryRun changes nothing and says what it would have changed.
func TestCommandDryRun(t *testing.T) {
	e := emulator.NewServer(emulator.Options{})
	defer e.Close()
	r := run(t, nil, "--upstream", e.URL, "--to", "anthropic/claude-opus-4-6", "--dry-run")
	got := ask(t, r.url+"/v1/messages", damaged)
	if got.status != 400 || got.header.Get("Hygeia-Changes") != "R-72=1 (not made)" || got.header.Get("Hygeia-Unchanged") != "dry-run" || string(e.Requests()[0].Body) != damaged {
		t.Errorf("%d %v %s", got.status, got.header, got.text)
	}
	r.terminate(t)
}

// TestCommandConfig reads upstreams, token and keys from files, and reads them
// again on SIGHUP; a file with a mistake changes nothing.
func TestCommandConfig(t *testing.T) {
	e := emulator.NewServer(emulator.Options{RequireHeaders: true})
	defer e.Close()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	key, token := file("key", "sk-own\n"), file("token", "sesame\n")
	config := func(prefix string) string {
		return fmt.Sprintf(`{"listen":"127.0.0.1:0","tokenFile":%q,"hosts":["proxy.example"],"limits":{"answerTime":"30s","maxBody":1000000},
			"routes":[{"prefix":%q,"upstream":%q,"to":"anthropic","key":{"header":"x-api-key","file":%q}}]}`, token, prefix, e.URL, key)
	}
	path := file("proxy.json", config("/a"))
	r := run(t, nil, "--config", path)
	version := []string{"Anthropic-Version", "2023-06-01", "Hygeia-Token", "sesame"}
	if got := ask(t, r.url+"/a/v1/messages", damaged, version...); got.status != 200 || e.Requests()[0].Header.Get("X-Api-Key") != "sk-own" {
		t.Errorf("%d %s", got.status, got.text)
	}
	if got := ask(t, r.url+"/a/v1/messages", damaged); got.status != 401 {
		t.Errorf("without the token: %d", got.status)
	}
	again := func(text, logged string) {
		file("proxy.json", text)
		if err := r.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		r.log.wait(t, logged)
	}
	again(config("/b"), "configuration taken")
	if got := ask(t, r.url+"/b/v1/messages", damaged, version...); got.status != 200 {
		t.Errorf("after SIGHUP: %d %s", got.status, got.text)
	}
	if got := ask(t, r.url+"/a/v1/messages", damaged, version...); got.status != 404 {
		t.Errorf("the old route: %d", got.status)
	}
	again(strings.Replace(config("/c"), "maxBody", "maxBoby", 1), "configuration not taken")
	if got := ask(t, r.url+"/b/v1/messages", damaged, version...); got.status != 200 {
		t.Errorf("after a mistake: %d %s", got.status, got.text)
	}
	r.terminate(t)
	if strings.Contains(r.log.String(), "sesame") || strings.Contains(r.log.String(), "sk-own") {
		t.Errorf("a secret is logged: %s", &r.log)
	}
}

// TestCommandPublic takes a token from the environment and only then listens on
// other addresses than the loopback.
func TestCommandPublic(t *testing.T) {
	r := run(t, []string{"HYGEIA_TOKEN=sesame"}, "--upstream", "http://127.0.0.1:1", "--to", "anthropic", "--listen", "0.0.0.0:0")
	if got := ask(t, strings.Replace(r.url, "0.0.0.0", "127.0.0.1", 1)+"/v1/messages", damaged); got.status != 401 {
		t.Errorf("%d", got.status)
	}
	r.terminate(t)
}
