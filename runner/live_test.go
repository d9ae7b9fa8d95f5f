package runner

import (
	"strings"
	"testing"

	"hygeia/internal/texts"
	"hygeia/session"
	"hygeia/transcript"
)

// TestLive holds that the context in memory is what a reader of the file gets,
// after every step of a run: turns, calls, stand-ins, secrets, events, route
// snapshots, a branch that was left, a compaction.
func TestLive(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/s.jsonl"
	var l live
	if err := l.load(nil, ""); err != nil {
		t.Fatal(err)
	}
	w, err := session.OpenWriter(t.Context(), path, session.WriteOptions{Added: l.added})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	g := session.NewGuard(w, session.GuardOptions{Synthesize: true})
	compare := func(step string) {
		t.Helper()
		s, err := session.Load(path, session.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c, err := s.Context("")
		if err != nil {
			t.Fatal(err)
		}
		if got, want := everything(l.context), everything(c); got != want {
			t.Errorf("%s: in memory\n%s, on the disk\n%s", step, got, want)
		}
	}
	var r transcript.Reader
	say := func(text string) {
		t.Helper()
		m, err := r.Message([]byte(text))
		if err == nil {
			_, err = g.Append(m)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	say(`{"role":"user","content":"my key is sk-abcdefgh12345678"}`)
	say(`{"role":"assistant","content":[{"type":"text","text":"a"}],"stopReason":"stop"}`)
	compare("a turn")
	say(`{"role":"user","content":"call"}`)
	say(`{"role":"assistant","content":[{"type":"toolCall","id":"c1","name":"x","arguments":{}},{"type":"toolCall","id":"c2","name":"a b","arguments":{}}],"stopReason":"toolUse"}`)
	say(`{"role":"user","content":"no result"}`)
	compare("a stand-in")
	if _, err := w.Append(eventEntry(&Prompt{Hidden: "x", Key: "k", Origin: &Origin{Kind: transcript.InterSession}})); err != nil {
		t.Fatal(err)
	}
	say(`{"role":"assistant","content":[{"type":"text","text":"event"}],"stopReason":"stop"}`)
	compare("an event")
	if m := l.context.Messages[l.last()-1]; keyOf(m) != "k" || m.Text().String() != texts.RuntimeEvent {
		t.Errorf("%s", m.AppendJSON(nil))
	}
	parent := l.context.Messages[l.last()-1].Origin.Entry
	say(`{"role":"user","content":"left"}`)
	if err := w.Select(parent); err != nil {
		t.Fatal(err)
	}
	l.cut(l.last() - 1)
	say(`{"role":"user","content":"instead"}`)
	compare("a branch")
	done, err := w.Compact(t.Context(), session.CompactOptions{KeepTokens: 5, Summary: "It was said."})
	if err != nil {
		t.Fatal(done, err)
	}
	s, err := session.Load(path, session.Options{})
	if err == nil {
		err = l.load(s, w.Leaf())
	}
	if err != nil {
		t.Fatal(err)
	}
	say(`{"role":"user","content":"after"}`)
	say(`{"role":"assistant","content":[{"type":"text","text":"b"}],"stopReason":"stop"}`)
	compare("a compaction")
}

// everything tells all that a replay sees of a context.
func everything(c *transcript.Context) string {
	var b strings.Builder
	for _, m := range c.Messages {
		b.Write(m.AppendJSON(nil))
		b.WriteString(m.Origin.Entry)
		b.WriteString(strings.Repeat("|", m.Origin.Position) + strings.Repeat("-", m.Origin.Index) + "\n")
	}
	b.WriteString(strings.Repeat("c", c.Compaction+1))
	return b.String()
}
