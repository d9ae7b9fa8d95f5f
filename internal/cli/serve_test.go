package cli_test

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
