package runner

import (
	"os"
	"strings"
	"testing"

	"hygeia/emulator"
	"hygeia/internal/texts"
	"hygeia/session"
	"hygeia/transcript"
)

// TestRawCall holds S-14 with its exception: a routed turn is marked for every request of its
// session; the one call that is of no session, that for a summary, has a prompt of the
// product's own without a marker, and tells the turn with the one that it had.
func TestRawCall(t *testing.T) {
	t.Parallel()
	b := newBench(t, everyFormat[0], nil, nil)
	from := &Origin{Kind: transcript.InterSession, Session: "agent:ops:main", Tool: sendTool}
	if _, err := b.Run(t.Context(), b.path, Prompt{Body: "check the disk", Origin: from}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Summarise(t.Context(), session.CompactionInput{Messages: b.stored(t).Messages}); err != nil {
		t.Fatal(err)
	}
	requests := b.server.Requests()
	if live := requests[0].Prompt; !strings.HasPrefix(live, texts.InterSessionMarker) {
		t.Errorf("the turn goes out as %q", live)
	}
	raw := requests[1].Prompt
	if !strings.HasPrefix(raw, texts.SummaryTask) ||
		strings.Count(raw, texts.SummaryUser+"\n"+texts.InterSessionMarker) != 1 {
		t.Errorf("the summary is asked for with %q", raw)
	}
}

// TestCompletion holds S-04 for reports of work that was done elsewhere: the model is told, what
// it is told is not stored, and the row of the session with title and selected model stays.
func TestCompletion(t *testing.T) {
	t.Parallel()
	const key = "agent:ops:main"
	w := newTown(t, t.TempDir(), func(_, _ string) *emulator.Answer { return nil }, nil)
	row := `{"sessionId":"it","label":"Disks","model":"openai/gpt-5.1","updatedAt":1}`
	w.add(key, row)
	to, _, err := w.Find(key)
	if err != nil {
		t.Fatal(err)
	}
	b := benchAt(t, w.server, to.Path, everyFormat[0], nil)
	for _, tool := range []string{"subagent_announce", "subagent_interrupted_resume", "agent_harness_task", "image_generate", "music_generate", "video_generate"} {
		p := Prompt{Hidden: "the child says " + tool, Origin: &Origin{Kind: transcript.InterSession, Session: "agent:ops:child", Tool: tool}}
		if _, err := b.Run(t.Context(), to.Path, p, nil); err != nil {
			t.Fatal(err)
		}
		requests := w.server.Requests()
		if last := string(requests[len(requests)-1].Body); !strings.Contains(last, p.Hidden) {
			t.Errorf("the model is told %s", last)
		}
		text, err := os.ReadFile(to.Path)
		if err != nil || strings.Contains(string(text), `"role":"user"`) || strings.Contains(string(text), `"content":"`+p.Hidden) {
			t.Errorf("%v, stored is %s", err, text)
		}
	}
	x, err := session.AgentStore(w.State, "ops").Index()
	if err != nil {
		t.Fatal(err)
	}
	if got := string(x.Row(key).AppendTo(nil)); got != row {
		t.Errorf("the row is %s", got)
	}
}
