//go:build unix

package runner

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"hygeia/emulator"
	"hygeia/internal/texts"
)

// TestIntoRunElsewhere holds S-33 and S-B08 for two processes: a message to the session of a
// run that is active in another process becomes a part of that run. Where that process
// is killed first, with the letter taken or not, the sender's own answers it, once.
func TestIntoRunElsewhere(t *testing.T) {
	t.Parallel()
	const ran = "agent:ops:cron:nightly:run:7"
	for name, test := range map[string]struct {
		killed string // at the prompt with this in it, "" for not
		there  int    // requests with the message that the other process sent
	}{
		"at the end":              {"", 1},
		"killed before it looks":  {"work", 0},
		"killed when it asks for": {"hurry", 1},
	} {
		begun, sent := make(chan struct{}), make(chan struct{})
		started := make(chan *exec.Cmd, 1)
		dies := func() *emulator.Answer {
			other := <-started
			_ = other.Process.Kill()
			_ = other.Wait()
			return says("too late")
		}
		var asked atomic.Int32 // for an answer to the message
		w := newTown(t, t.TempDir(), func(_, prompt string) *emulator.Answer {
			switch {
			case strings.Contains(prompt, texts.RuntimeEvent): // the announcement
			case strings.Contains(prompt, "hurry"):
				if asked.Add(1) == 1 && test.killed == "hurry" {
					return dies()
				}
				return says("faster")
			case strings.Contains(prompt, "work"):
				close(begun)
				<-sent
				if test.killed == "work" {
					return dies()
				}
				return says("working")
			}
			return says("more")
		}, func(o *PostOptions) { o.Turns = -1 })
		w.add(ran, `{"sessionId":"it"}`)
		to, _, err := w.Find(ran)
		if err != nil {
			t.Fatal(err)
		}
		other := exec.Command(os.Args[0])
		other.Env = append(os.Environ(), killURL+"="+w.server.URL, killFile+"="+to.Path, killPrompt+"=work", killTarget+"="+strconv.Itoa(0))
		other.Stderr = os.Stderr
		if err := other.Start(); err != nil {
			t.Fatal(err)
		}
		started <- other
		<-begun
		if got := w.Send(t.Context(), Message{Text: "hurry", From: "agent:main:main", SessionKey: ran}); got.Status != Accepted {
			t.Errorf("%s: %+v", name, got)
		}
		awaitLetter(t, to.Path)
		close(sent)
		w.Wait()
		if test.killed == "" {
			if err := other.Wait(); err != nil {
				t.Errorf("%s: the other process: %v", name, err)
			}
		}
		there := 0
		for _, r := range w.server.Requests() {
			body := string(r.Body)
			if strings.Contains(body, "hurry") && strings.Contains(body, `"weather"`) { // its tools
				there++
			}
			if strings.Contains(body, "hurry") && !strings.Contains(body, texts.InterSessionMarker) {
				t.Errorf("%s: %s", name, body)
			}
		}
		got := strings.Join(answers(w.texts(ran)), "\n")
		if there != test.there || strings.Count(got, "hurry") != 1 || !strings.Contains(got, "user*: hurry\nassistant: faster") {
			t.Errorf("%s: asked there %d times, the target holds\n%s", name, there, got)
		}
		if len(w.announced) != 1 || len(w.failed) > 0 {
			t.Errorf("%s: announced %q, failed %v", name, w.announced, w.failed)
		}
		if _, err := os.Stat(mailOf(realPath(to.Path))); !os.IsNotExist(err) {
			t.Errorf("%s: the folder of letters stays: %v", name, err)
		}
	}
}
