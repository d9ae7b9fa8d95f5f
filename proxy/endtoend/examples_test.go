package endtoend_test

import (
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestExamples starts the command with each configuration of the examples, its
// address and its secret made those of the test.
func TestExamples(t *testing.T) {
	files, err := filepath.Glob("../../examples/proxy/*.json")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	dir := t.TempDir()
	token := filepath.Join(dir, "token")
	if err := os.WriteFile(token, []byte("sesame"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.Base(file))
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(text), "/run/secrets/token", token)), 0o600); err != nil {
			t.Fatal(err)
		}
		r := run(t, nil, "--config", path, "--listen", "127.0.0.1:0")
		metrics := 200
		if strings.Contains(string(text), "tokenFile") {
			metrics = 401
		}
		if got := ask(t, r.url+"/anthropic-not/v1/messages", damaged); got.status != 404 {
			t.Errorf("%s: %d", file, got.status)
		}
		if got := ask(t, r.url+"/metrics", "{}"); got.status != metrics {
			t.Errorf("%s: metrics answer %d", file, got.status)
		}
		r.terminate(t)
	}
}

// example reads a file of the examples, and its configuration as far as the tests
// need it.
func example(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../examples/proxy", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

type exampleConfig struct {
	Listen, TokenFile string
	Limits            struct{ StopTime string }
}

func exampleOf(t *testing.T, name string) (c exampleConfig) {
	t.Helper()
	if err := json.Unmarshal([]byte(example(t, name)), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestUnit starts the command as the unit for systemd does, and lets systemd look
// at the unit where it is installed.
func TestUnit(t *testing.T) {
	unit := example(t, "hygeia-proxy.service")
	value := func(name string) string {
		_, rest, ok := strings.Cut(unit, "\n"+name+"=")
		if !ok {
			t.Fatalf("the unit has no %s", name)
		}
		line, _, _ := strings.Cut(rest, "\n")
		return line
	}
	command := strings.Fields(value("ExecStart"))
	if command[0] != "/usr/local/bin/hygeia" || command[1] != "proxy" {
		t.Fatal(command)
	}
	at := slices.Index(command, "/etc/hygeia/proxy.json")
	if at < 0 {
		t.Fatal(command)
	}
	command[at] = "../../examples/proxy/proxy.json"
	r := run(t, nil, append(command[2:], "--listen", "127.0.0.1:0")...)
	if got := ask(t, r.url+"/healthz", ""); got.status != 200 {
		t.Errorf("healthz answers %d", got.status)
	}
	r.terminate(t)
	// It is not killed while requests under way may still end.
	stop, err := time.ParseDuration(exampleOf(t, "proxy.json").Limits.StopTime)
	patience, err2 := time.ParseDuration(value("TimeoutStopSec") + "s")
	if err != nil || err2 != nil || patience <= stop {
		t.Errorf("killed after %v, requests may take %v: %v %v", patience, stop, err, err2)
	}
	systemd, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	file := filepath.Join(t.TempDir(), "hygeia-proxy.service")
	if err := os.WriteFile(file, []byte(strings.Replace(unit, "/usr/local/bin/hygeia", os.Args[0], 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(systemd, "verify", file).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
}

// TestDockerfile holds that what the Docker file copies is there, that it starts what
// it builds with the configuration that it copies, and that this listens on the port
// that is told of and needs a token.
func TestDockerfile(t *testing.T) {
	var entry []string
	copied, exposed, built := map[string]string{}, "", ""
	for line := range strings.Lines(example(t, "Dockerfile")) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		switch f[0] {
		case "COPY":
			if from, ok := strings.CutPrefix(f[1], "--from=build"); ok && from == "" {
				copied[f[3]] = f[2]
				continue
			}
			for _, name := range f[1 : len(f)-1] {
				if _, err := os.Stat(filepath.Join("../..", name)); err != nil {
					t.Error(err)
				}
				copied[f[len(f)-1]] = name
			}
		case "RUN":
			if i := slices.Index(f, "-o"); i > 0 {
				built = f[i+1]
				if _, err := os.Stat(filepath.Join("../..", f[len(f)-1], "main.go")); err != nil {
					t.Error(err)
				}
			}
		case "EXPOSE":
			exposed = f[1]
		case "ENTRYPOINT":
			if err := json.Unmarshal([]byte(strings.TrimPrefix(line, "ENTRYPOINT ")), &entry); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(entry) != 4 || built == "" || copied[entry[0]] != built || entry[1] != "proxy" || entry[2] != "--config" {
		t.Fatalf("%q is started, %q is built, %v is copied", entry, built, copied)
	}
	name := path.Base(copied[entry[3]])
	c := exampleOf(t, name)
	if host, port, err := net.SplitHostPort(c.Listen); err != nil || port != exposed || host != "0.0.0.0" || c.TokenFile == "" {
		t.Errorf("%s listens on %q, exposed is %q; the token comes from %q", name, c.Listen, exposed, c.TokenFile)
	}
}
