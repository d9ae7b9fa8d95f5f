// Package endtoend_test proves the emulator against the rest of the product: the
// command as a process, and what the converters build as its requests.
package endtoend_test

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"hygeia/internal/cli"
)

// TestMain lets the test binary be the command.
func TestMain(m *testing.M) {
	if os.Getenv("HYGEIA_COMMAND") != "" {
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), "HYGEIA_COMMAND=1", "HYGEIA_HOME="+t.TempDir())
	return c
}

// running is the command while it serves.
type running struct {
	*exec.Cmd
	url    string
	stderr bytes.Buffer
}

func run(t *testing.T, args ...string) *running {
	t.Helper()
	r := &running{Cmd: command(t, append([]string{"emulate"}, args...)...)}
	r.Stderr = &r.stderr
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
		t.Fatalf("no line: %v %s", err, &r.stderr)
	}
	url, ok := strings.CutPrefix(line, "listening on ")
	if !ok {
		t.Fatalf("line %q", line)
	}
	r.url = strings.TrimSuffix(url, "\n")
	return r
}

// terminate ends the command and returns how.
func (r *running) terminate(t *testing.T) error {
	t.Helper()
	if err := r.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- r.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-time.After(10 * time.Second):
		t.Fatal("it does not end")
		return nil
	}
}

func post(t *testing.T, url, body string) (int, string) {
	t.Helper()
	res, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

const hello = `{"model":"claude-sonnet-4-5","max_tokens":9,"messages":[{"role":"user","content":"hello there"}]}`

// TestCommand serves a script, logs what it refuses without its content, and
// stops at SIGTERM with an answer still under way.
func TestCommand(t *testing.T) {
	script := filepath.Join(t.TempDir(), "script.jsonl")
	text := `{"content":[{"text":"from the script"}]}` + "\n" + `{"contains":"wait","content":[{"text":"too late"}],"delay":"1h"}` + "\n"
	if err := os.WriteFile(script, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r := run(t, "--script", script, "--listen", "127.0.0.1:0")
	if !strings.HasPrefix(r.url, "http://127.0.0.1:") {
		t.Errorf("url %q", r.url)
	}
	for i, want := range []string{"from the script", "hello there"} {
		if status, text := post(t, r.url+"/v1/messages", hello); status != 200 || !strings.Contains(text, want) {
			t.Errorf("answer %d: %d %s", i, status, text)
		}
	}
	if status, text := post(t, r.url+"/v1/messages?key=secret", strings.Replace(hello, "user", "assistant", 1)); status != 400 {
		t.Errorf("%d %s", status, text)
	}
	waiting := make(chan error, 1)
	go func() {
		res, err := http.Post(r.url+"/v1/messages", "application/json", strings.NewReader(strings.Replace(hello, "hello there", "wait", 1)))
		if err == nil {
			res.Body.Close()
		}
		waiting <- err
	}()
	time.Sleep(50 * time.Millisecond)
	if err := r.terminate(t); err != nil {
		t.Errorf("ended with %v", err)
	}
	<-waiting
	log := r.stderr.String()
	if !strings.Contains(log, "200 POST /v1/messages anthropic/claude-sonnet-4-5\n") ||
		!strings.Contains(log, "400 POST /v1/messages anthropic/claude-sonnet-4-5 AN-02\n") ||
		strings.Contains(log, "secret") || strings.Contains(log, "hello") {
		t.Errorf("log:\n%s", log)
	}
}

// TestCommandTrust takes signatures of others with --trust, demands headers with
// --require-headers, and answers to names that were given.
func TestCommandTrust(t *testing.T) {
	const foreign = `{"model":"claude-sonnet-4-5","max_tokens":2000,"thinking":{"type":"enabled","budget_tokens":1024},"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"thinking","thinking":"x","signature":"RXFzaWc="},{"type":"text","text":"y"}]},{"role":"user","content":"r"}]}`
	strict, trusting := run(t), run(t, "--trust", "--require-headers")
	if status, text := post(t, strict.url+"/v1/messages", foreign); status != 400 || !strings.Contains(text, "Invalid `signature`") {
		t.Errorf("strict: %d %s", status, text)
	}
	if status, _ := post(t, trusting.url+"/v1/messages", foreign); status != 401 {
		t.Errorf("without a key: %d", status)
	}
	req, err := http.NewRequest(http.MethodPost, trusting.url+"/v1/messages", strings.NewReader(foreign))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Api-Key", "any")
	req.Header.Set("Anthropic-Version", "2023-06-01")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	if res.StatusCode != 200 {
		t.Errorf("trusting: %d", res.StatusCode)
	}
	for _, r := range []*running{strict, trusting} {
		if err := r.terminate(t); err != nil {
			t.Error(err)
		}
	}
}

// TestCommandPublic listens for other machines only with --public.
func TestCommandPublic(t *testing.T) {
	c := command(t, "emulate", "--listen", "0.0.0.0:0")
	out, err := c.CombinedOutput()
	if c.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), "--public allows it") {
		t.Errorf("%v %s", err, out)
	}
	r := run(t, "--listen", "0.0.0.0:0", "--public", "--host", "emulator.test")
	_, port, _ := strings.Cut(strings.TrimPrefix(r.url, "http://"), ":")
	for host, want := range map[string]int{"emulator.test": 200, "192.0.2.7": 200, "elsewhere.test": 403} {
		req, err := http.NewRequest(http.MethodPost, "http://127.0.0.1:"+port+"/v1/messages", strings.NewReader(hello))
		if err != nil {
			t.Fatal(err)
		}
		req.Host = host
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != want {
			t.Errorf("%s: %d", host, res.StatusCode)
		}
	}
	if err := r.terminate(t); err != nil {
		t.Error(err)
	}
}

// TestCommandFails names what is wrong and where.
func TestCommandFails(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.jsonl")
	if err := os.WriteFile(bad, []byte(`{"content":[{}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	busy := run(t)
	for _, c := range []struct {
		args []string
		code int
		text string
	}{
		{[]string{"--script", bad}, 3, "bad.jsonl: no valid script: line 1: part 0"},
		{[]string{"--script", bad + ".not"}, 3, "bad.jsonl.not"},
		{[]string{"--listen", strings.TrimPrefix(busy.url, "http://")}, 3, "in use"},
		{[]string{"rest"}, 2, "emulate takes no arguments"},
		{[]string{"--unknown"}, 2, "unknown flag"},
	} {
		cmd := command(t, append([]string{"emulate"}, c.args...)...)
		out, _ := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != c.code || !strings.Contains(string(out), c.text) {
			t.Errorf("%v: %d %s", c.args, cmd.ProcessState.ExitCode(), out)
		}
	}
	if err := busy.terminate(t); err != nil {
		t.Error(err)
	}
}
