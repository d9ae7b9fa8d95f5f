package cli_test

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// H-43: clients of hygeia serve find the models of --to and of config.json.
func TestServedModels(t *testing.T) {
	t.Parallel()
	dir, home := t.TempDir(), t.TempDir()
	write(t, home, "config.json", `{"models":{"providers":{"mine":{"api":"openai-completions","baseUrl":"http://127.0.0.1:9","apiKey":"x","models":[{"id":"big"},{"id":"a/small"}]}}}}`)
	for to, want := range map[string]string{"emulator": "hygeia/default mine/a/small mine/big", "emulator/openai/gpt-5.1": "hygeia/default emulator/openai/gpt-5.1 mine/a/small mine/big"} {
		c := exec.Command("hygeia", "serve", "--state", dir, "--to", to)
		c.Env = append(os.Environ(), "HYGEIA_HOME="+home)
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		s := &service{cmd: c}
		t.Cleanup(s.stop)
		line, err := bufio.NewReader(out).ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.Get(strings.TrimSpace(strings.TrimPrefix(line, "listening on ")) + "/v1/models")
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, err := io.ReadAll(res.Body)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, part := range strings.Split(string(text), `"id":"`)[1:] {
			id, _, _ := strings.Cut(part, `"`)
			ids = append(ids, id)
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("--to %s: %s, want %s", to, text, want)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".hygeia-*")); err != nil || len(left) > 0 {
		t.Errorf("%q is left, %v", left, err)
	}
}

// A service that is told to end lets go of its readers, keeps what an answer said so far,
// and leaves with 0.
func TestServeIsToldToEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, "token", "secret-token\n")
	write(t, dir, "script", `{"content":[{"text":"one two three four five six seven eight nine ten eleven twelve"}],"pace":"300ms"}`+"\n")
	s := startService(t, dir, "127.0.0.1:0", "--to", "emulator", "--script", filepath.Join(dir, "script"))
	ask := func(method, path, body, accept string) *http.Response {
		req, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer secret-token")
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", accept)
		res, err := http.DefaultClient.Do(req)
		if err != nil || res.StatusCode >= 300 {
			t.Fatal(res, err)
		}
		t.Cleanup(func() { res.Body.Close() })
		return res
	}
	ask("POST", "/sessions", `{"key":"k"}`, "")
	stream := bufio.NewReader(ask("GET", "/sessions/k/history?live=true", "", "text/event-stream").Body)
	ask("POST", "/sessions/k/messages", `{"message":"Go on.","idempotencyKey":"a"}`, "")
	for line := ""; !strings.Contains(line, "one"); {
		var err error
		if line, err = stream.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(stream); err != nil {
		t.Error("the stream was cut off:", err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Error(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "agents", "main", "sessions", "*"))
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, name := range files {
		if strings.HasSuffix(name, ".jsonl") {
			text = read(t, filepath.Dir(name), filepath.Base(name))
		}
	}
	if !strings.Contains(text, "Go on.") || !strings.Contains(text, `"one`) || !strings.Contains(text, `"stopReason":"aborted"`) {
		t.Errorf("%q hold\n%s", files, text)
	}
}
