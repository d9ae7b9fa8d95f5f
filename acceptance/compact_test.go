package acceptance_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"hygeia"
	"hygeia/check"
	"hygeia/internal/gen"
	"hygeia/policy"
	"hygeia/session"
	"hygeia/transcript"
)

// compactTargets are those that a compacted session is sent to.
var compactTargets = []policy.Target{
	{Provider: "anthropic", API: "anthropic-messages", Model: "claude-sonnet-4-5"},
	{Provider: "openai", API: "openai-completions", Model: "gpt-4o"},
	{Provider: "google", API: "google-generative-ai", Model: "gemini-2.5-pro"},
	{Provider: "openai", API: "openai-responses", Model: "gpt-5.1"},
}

// inMemory returns a folder in which bringing a file to the disk costs nothing,
// where there is one.
func inMemory(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "hygeia")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// drawSession draws a session file: generated messages, with notes, custom
// messages, side rows, other branches and compactions in between.
func drawSession(t *rapid.T) []byte {
	var list []*transcript.Message
	var r transcript.Reader
	list, err := r.Messages([]byte(gen.Messages(t)))
	if err != nil {
		t.Fatal(err)
	}
	w := bytes.NewBufferString(`{"type":"session","version":3,"id":"s-1","timestamp":"2026-03-01T09:00:00.000Z","cwd":"/srv"}` + "\n")
	parent, ids := "null", []string{"null"}
	add := func(more string) {
		id := fmt.Sprintf("e%d", len(ids))
		fmt.Fprintf(w, `{"type":%s,"id":%q,"parentId":%s,"timestamp":"2026-03-01T09:00:00.000Z"}`+"\n", more, id, parent)
		ids = append(ids, fmt.Sprintf("%q", id))
		if !strings.Contains(more, `"side"`) {
			parent = ids[len(ids)-1]
		}
	}
	for _, m := range list {
		add(`"message","message":` + strings.NewReplacer("\n", " ", "\r", " ").Replace(string(m.AppendJSON(nil))))
		switch rapid.IntRange(0, 8).Draw(t, "between") {
		case 0:
			add(`"custom","customType":"note"`)
		case 1:
			add(`"custom_message","customType":"hint","display":true,"content":"a hint"`)
		case 2:
			add(`"message","appendMode":"side","message":{"role":"assistant","provider":"openclaw","model":"delivery-mirror","content":[{"type":"text","text":"mirrored"}],"stopReason":"stop"}`)
		case 3:
			add(`"model_change","provider":"openai","modelId":"gpt-5.1"`)
		case 4:
			parent = rapid.SampledFrom(ids).Draw(t, "branch")
		case 5:
			kept := strings.Trim(rapid.SampledFrom(ids).Draw(t, "kept"), `"`)
			add(fmt.Sprintf(`"compaction","summary":"An older summary.","firstKeptEntryId":%q,"tokensBefore":1`, kept))
		}
	}
	return w.Bytes()
}

// C-01, C-02, C-03, C-06, G-1: whatever a session holds, compacting it appends one
// line; the context is the summary and just the messages that were to be kept;
// nothing is in neither of the two; no result is parted from its call; and what
// goes out then is accepted. So it is of a successor (C-08), which every session
// gets (C-B04).
func TestPropertyCompact(t *testing.T) {
	dir := inMemory(t)
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		path := filepath.Join(dir, fmt.Sprint(n), "s-1.jsonl")
		defer os.RemoveAll(filepath.Dir(path))
		text := drawSession(t)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, text, 0o600)); err != nil {
			t.Fatal(err)
		}
		w, err := session.OpenWriter(context.Background(), path, session.WriteOptions{}) // repairs it
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		defer w.Close()
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		was := loadContext(t, path)
		o := session.CompactOptions{KeepTokens: rapid.SampledFrom([]int{1, 5, 20, 60, 150, 400}).Draw(t, "keep"), Hard: rapid.IntRange(0, 5).Draw(t, "hard") == 0}
		var asked []*transcript.Message
		o.Summarise = func(_ context.Context, in session.CompactionInput) (string, error) {
			asked = append(asked, in.Messages...)
			return "What was said so far.", nil
		}
		c, err := w.Compact(context.Background(), o)
		if errors.Is(err, session.ErrNothingToCompact) {
			if now, _ := os.ReadFile(path); !bytes.Equal(now, before) {
				t.Fatal("something was written")
			}
			return
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		after, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		line, ok := bytes.CutPrefix(after, before)
		if !ok || bytes.Count(line, []byte("\n")) != 1 {
			t.Fatalf("not one line was appended: %s", line)
		}
		now := loadContext(t, path)
		rest := was.Messages
		if was.Compaction >= 0 {
			rest = rest[1:]
		}
		kept := now.Messages[1:]
		if o.Hard && len(kept) > 0 {
			t.Fatal("a hard boundary keeps nothing")
		}
		if m := now.Messages[0]; m.Origin.Entry != c.Entry || m.Get("summary").String() != c.Summary {
			t.Fatalf("the context begins with %s", m.AppendJSON(nil))
		}
		if !slices.Equal(jsonOf(slices.Concat(asked, kept)), jsonOf(rest)) {
			t.Fatalf("summed up and kept are\n%s\nof\n%s", jsonOf(slices.Concat(asked, kept)), jsonOf(rest))
		}
		if i := parted(rest, len(asked)); i >= 0 {
			t.Fatalf("result %s is kept without its call\n%s", rest[i].AppendJSON(nil), text)
		}
		successor, err := w.Rotate()
		if err != nil {
			t.Fatalf("%v\n%s", err, after)
		}
		next := loadContext(t, successor.Path)
		if !slices.Equal(origins(next.Messages), origins(now.Messages)) {
			t.Fatalf("the successor gives %v, not %v", origins(next.Messages), origins(now.Messages))
		}
		for _, target := range compactTargets {
			acceptedBy(t, path, target)
			acceptedBy(t, successor.Path, target)
		}
	})
}

func loadContext(t *rapid.T, path string) *transcript.Context {
	s, err := session.Load(path, session.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Context("")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func jsonOf(list []*transcript.Message) (texts []string) {
	for _, m := range list {
		texts = append(texts, string(m.AppendJSON(nil)))
	}
	return texts
}

func origins(list []*transcript.Message) (ids []string) {
	for _, m := range list {
		ids = append(ids, m.Origin.Entry)
	}
	return ids
}

// parted returns the index of a result behind a cut whose call is in front of it,
// -1 for none.
func parted(list []*transcript.Message, cut int) int {
	for i := cut; i < len(list); i++ {
		if !list[i].Is(transcript.ToolResult) {
			continue
		}
		for j := i - 1; j >= 0; j-- {
			if !list[j].HasToolCall() || !list[j].Is(transcript.Assistant) {
				continue
			}
			if j < cut && list[j].Any(func(b *transcript.Block) bool { return b.IsToolCall() && b.ID() == list[i].ToolCallID() }) {
				return i
			}
			break
		}
	}
	return -1
}

// acceptedBy replays a file to a target and holds the body against its rules.
func acceptedBy(t *rapid.T, path string, target policy.Target) {
	read, err := hygeia.Open(path, hygeia.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := read.Replay(target, hygeia.ReplayOptions{})
	if err != nil {
		t.Fatalf("%s: %v", target.Provider, err)
	}
	findings, err := check.Payload(r.Body, r.Resolution.Target, check.Options{})
	if err != nil || len(findings) > 0 {
		t.Fatalf("%s would refuse it: %v %+v\n%s", target.Provider, err, findings, r.Body)
	}
}
