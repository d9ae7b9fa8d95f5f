//go:build unix

package cli_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// sessionIn writes a session and a script of answers to a folder of their own.
func sessionIn(t *testing.T, answer string) (file, script string) {
	t.Helper()
	dir := t.TempDir()
	file, script = filepath.Join(dir, "s.jsonl"), filepath.Join(t.TempDir(), "answers")
	for path, text := range map[string]string{
		file: signalHead + `{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"Hello."}}` + "\n" +
			`{"type":"message","id":"b","parentId":"a","message":{"role":"assistant","content":[{"type":"text","text":"Hello."}],"stopReason":"stop"}}` + "\n",
		script: answer + "\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return file, script
}

// answering starts a run, and returns when its answer has begun.
func answering(t *testing.T, c *exec.Cmd) {
	t.Helper()
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadByte(); err != nil {
		t.Fatal(err)
	}
}

const slow = `{"content":[{"text":"many words that come late and slow"}],"pace":"50ms"}`

// deafTo is the command line started with signals ignored.
func deafTo(t *testing.T, signals string, args ...string) *exec.Cmd {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	script := fmt.Sprintf(`trap "" %s; exec -a hygeia "$@"`, signals)
	return exec.Command(bash, append([]string{"-c", script, "bash", os.Args[0]}, args...)...)
}

// What was said when somebody ended the answer, or closed the terminal, stays.
func TestRunToldToEnd(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		file, script := sessionIn(t, slow)
		c := hygeiaCommand("run", "--session", file, "--to", "emulator", "--script", script, "Go on.")
		answering(t, c)
		c.Process.Signal(sig)
		c.Wait()
		text, err := os.ReadFile(file)
		if code := c.ProcessState.ExitCode(); code != 3 || err != nil || !strings.Contains(string(text), "Go on.") || !strings.Contains(string(text), `"stopReason":"aborted"`) {
			t.Errorf("%v: exit code %d, %v, %s", sig, code, err, text)
		}
		alone(t, file)
	}
}

// A program that nohup started does not end with its terminal.
func TestRunNohup(t *testing.T) {
	file, script := sessionIn(t, slow)
	c := deafTo(t, "HUP", "run", "--session", file, "--to", "emulator", "--script", script, "Go on.")
	answering(t, c)
	c.Process.Signal(syscall.SIGHUP)
	if err := c.Wait(); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(file); !strings.Contains(string(text), "late and slow") {
		t.Errorf("the answer ended: %s", text)
	}
}

// F-41: a compaction that is told to end gives up what it holds, and writes nothing.
func TestCompactToldToEnd(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		file, script := sessionIn(t, `{"content":[{"text":"A summary."}],"delay":"1m"}`)
		was, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		c := hygeiaCommand("compact", file, "--to", "emulator", "--script", script)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for held := false; !held; time.Sleep(time.Millisecond) {
			_, err := os.Stat(file + ".run.lock")
			held = err == nil
		}
		c.Process.Signal(sig)
		c.Wait()
		if code := c.ProcessState.ExitCode(); code != 3 {
			t.Errorf("%v: exit code %d", sig, code)
		}
		if is, err := os.ReadFile(file); err != nil || string(is) != string(was) {
			t.Errorf("%v: written: %v, %s", sig, err, is)
		}
		alone(t, file)
	}
}

// alone demands that nothing stands beside a file.
func alone(t *testing.T, file string) {
	t.Helper()
	if names, err := filepath.Glob(filepath.Dir(file) + "/*"); err != nil || len(names) != 1 {
		t.Errorf("left: %q, %v", names, err)
	}
}

// A repair that no signal is to end goes through.
func TestRepairIgnoresSignals(t *testing.T) {
	path, _ := damaged(t, 3000)
	c := deafTo(t, "INT TERM QUIT ABRT HUP", "repair", path, "--write")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}
