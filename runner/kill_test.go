//go:build unix

package runner

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"hygeia/emulator"
	"hygeia/internal/texts"
	"hygeia/runner/model"
	"hygeia/session"
	"hygeia/transcript"
)

// The environment of the process that is killed: where the emulator is, which file
// it runs in, and with which prompt.
const (
	killURL    = "HYGEIA_KILL_URL"
	killFile   = "HYGEIA_KILL_FILE"
	killPrompt = "HYGEIA_KILL_PROMPT"
	killTarget = "HYGEIA_KILL_TARGET"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(killURL); url != "" {
		i, _ := strconv.Atoi(os.Getenv(killTarget))
		o := Options{Target: everyFormat[i], Model: model.New(model.Config{Emulator: url, Retries: -1})}
		withTools(&o)
		o.Write.Lock.Wait = 20 * time.Second
		r, err := New(o)
		if err == nil {
			fmt.Println("ready")
			_, err = r.Run(context.Background(), os.Getenv(killFile), Prompt{Body: os.Getenv(killPrompt)}, nil)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// TestKilled kills processes with SIGKILL at random moments of a run: the next run
// always succeeds and no stored turn is lost. HYGEIA_KILLS says how often, 6 times
// by default; HYGEIA_SEED repeats one.
func TestKilled(t *testing.T) {
	t.Parallel()
	kills := number("HYGEIA_KILLS", 6)
	seed := number("HYGEIA_SEED", int(time.Now().UnixNano()%1_000_000))
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(uint64(seed), 1))
	pace := 2 * time.Millisecond
	server := emulator.NewServer(emulator.Options{Respond: func(r *emulator.Request) *emulator.Answer {
		switch {
		case strings.Contains(r.Prompt, "rains") || strings.Contains(r.Prompt, texts.AttachedImages):
			return &emulator.Answer{Pace: pace, Content: []emulator.Part{{Text: "Rain in Bern, says the tool."}}}
		case strings.Contains(r.Prompt, "weather"):
			return &emulator.Answer{Pace: pace, Content: []emulator.Part{
				{Thinking: "I need the tool."},
				{Text: "Let me see."},
				{Call: "weather", Arguments: []byte(`{"city":"Bern"}`)},
				{Call: "weather", Arguments: []byte(`{"city":"map"}`)},
			}}
		}
		return nil
	}})
	defer server.Close()
	dir := t.TempDir()
	died := 0
	for i := range kills {
		at := i % len(everyFormat)
		// A file goes through many kills.
		path := filepath.Join(dir, fmt.Sprintf("s%d.jsonl", at))
		died += kill(t, server.URL, path, at, fmt.Sprintf("weather %d, please", i), time.Duration(random.IntN(60_000))*time.Microsecond)
		before := messageIDs(t, path)
		b := benchAt(t, server, path, everyFormat[at], func(o *Options) {
			withTools(o)
			o.Write.Lock.Wait = 20 * time.Second // a lock that was killed while it was written is waited for 5 s then (F-41)
		})
		if r := b.say(t, fmt.Sprintf("go on %d", i)); r.Text == "" {
			t.Errorf("kill %d: no answer", i)
		}
		after := messageIDs(t, path)
		for id := range before {
			if !after[id] {
				t.Errorf("kill %d: the entry %s is lost", i, id)
			}
		}
		said := ""
		for _, m := range b.stored(t).Messages {
			if m.Is(transcript.User) {
				said += textOf(m) + "\n"
			}
		}
		if stored(t, path, fmt.Sprintf("weather %d, please", i)) && !strings.Contains(said, fmt.Sprintf("weather %d, please", i)) {
			t.Errorf("kill %d: the model does not see the turn any more: %s", i, said)
		}
	}
	for _, r := range server.Requests() {
		if r.Rule != "" && len(r.Body) > 0 { // without a body: who sent it died before
			t.Errorf("refused by %s: %s", r.Rule, r.Body)
		}
	}
	t.Logf("%d of %d processes were killed before they had ended", died, kills)
}

func number(name string, def int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
		return n
	}
	return def
}

// kill runs a prompt in another process and kills it after that time. It returns 1
// if it had not ended by itself.
func kill(t *testing.T, url, path string, target int, prompt string, after time.Duration) int {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), killURL+"="+url, killFile+"="+path, killPrompt+"="+prompt, killTarget+"="+strconv.Itoa(target))
	var failed bytes.Buffer
	c.Stderr = &failed
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	bufio.NewReader(out).ReadString('\n')
	time.Sleep(after)
	_ = c.Process.Kill()
	if err := c.Wait(); err == nil {
		return 0
	}
	if failed.Len() > 0 {
		t.Errorf("the process failed: %s", failed.String())
	}
	return 1
}

// messageIDs returns the ids of the messages that stand in a file as whole lines.
func messageIDs(t *testing.T, path string) map[string]bool {
	t.Helper()
	ids := map[string]bool{}
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return ids // killed before the first answer (F-42)
	}
	if err != nil {
		t.Fatal(err)
	}
	var r transcript.Reader
	for line := range bytes.Lines(text) {
		if !bytes.HasSuffix(line, []byte("\n")) {
			continue
		}
		if e, _, err := r.Entry(line); err == nil && e.Message != nil {
			ids[e.ID] = true
		}
	}
	return ids
}

// stored reports whether a user turn with that text stands in the file.
func stored(t *testing.T, path, text string) bool {
	t.Helper()
	s, err := session.Load(path, session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range s.Entries() {
		if e.Message != nil && e.Message.Is(transcript.User) && strings.Contains(textOf(e.Message), text) {
			return true
		}
	}
	return false
}
