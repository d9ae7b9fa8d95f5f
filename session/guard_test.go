package session

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// stored lets a guard write messages into a new file and returns what is in it:
// of each message its role, and what it says of calls.
func stored(t *testing.T, o GuardOptions, messages ...string) (list []string, g *Guard) {
	t.Helper()
	path := file(t, head)
	g = NewGuard(openWriter(t, path, writeOptions()), o)
	for _, text := range messages {
		if _, err := g.Append(messageOf(t, text)); err != nil {
			t.Fatal(err)
		}
	}
	return describeFile(t, path), g
}

func describeFile(t *testing.T, path string) (list []string) {
	t.Helper()
	s, err := Load(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, _ := s.Context("")
	for _, m := range c.Messages {
		what := string(m.Role())
		for _, b := range m.Blocks() {
			switch {
			case b.IsToolCall():
				what += " " + b.ID()
			case m.Is(transcript.ToolResult) && m.IsError():
				what += " " + b.Text()
			}
		}
		if m.Is(transcript.ToolResult) {
			what += " " + m.ToolCallID() + " " + m.ToolName()
		}
		list = append(list, what)
	}
	return list
}

func turn(stop string, calls ...string) string {
	blocks := []string{`{"type":"text","text":"t"}`}
	for _, c := range calls {
		blocks = append(blocks, `{"type":"toolCall","id":"`+c+`","name":"f","arguments":{}}`)
	}
	return `{"role":"assistant","api":"x","stopReason":"` + stop + `","content":[` + strings.Join(blocks, ",") + `]}`
}

func ran(id string) string {
	return `{"role":"toolResult","toolCallId":"` + id + `","toolName":"f","content":[{"type":"text","text":"ok"}]}`
}

const says = `{"role":"user","content":"u"}`

// F-46: every call of a whole turn has its result before the conversation goes
// on.
func TestGuard(t *testing.T) {
	const mirrored = `{"role":"assistant","provider":"openclaw","model":"delivery-mirror","content":[{"type":"text","text":"t"}]}`
	missing := "toolResult " + texts.MissingResult
	for _, c := range []struct {
		name string
		in   []string
		want []string
		off  bool
	}{
		{"complete", []string{turn("toolUse", "a", "b"), ran("b"), ran("a"), says}, []string{"assistant a b", "toolResult b f", "toolResult a f", "user"}, false},
		{"missing", []string{turn("toolUse", "a", "b"), ran("b"), says, says}, []string{"assistant a b", "toolResult b f", missing + " a f", "user", "user"}, false},
		{"not allowed", []string{turn("toolUse", "a"), says}, []string{"assistant a", "user"}, true},
		{"further calls", []string{turn("toolUse", "a"), turn("toolUse", "b"), says}, []string{"assistant a", "assistant b", missing + " a f", missing + " b f", "user"}, false},
		{"mirror", []string{turn("toolUse", "a"), mirrored, ran("a"), says}, []string{"assistant a", "assistant", "toolResult a f", "user"}, false},
		{"answer", []string{turn("toolUse", "a"), turn("stop")}, []string{"assistant a", missing + " a f", "assistant"}, false},
		{"failed", []string{turn("error", "a"), turn("aborted", "b"), says}, []string{"assistant a", "assistant b", "user"}, false},
		{"Responses", []string{strings.Replace(turn("toolUse", "a"), `"api":"x"`, `"api":"azure-openai-responses"`, 1), says}, []string{"assistant a", "toolResult aborted a f", "user"}, false},
		{"without arguments", []string{`{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"f"},{"type":"toolUse","id":"b","name":"f","input":{}},{"type":"toolCall","id":"c","name":"f","arguments":null}]}`, says}, []string{"assistant b", missing + " b f", "user"}, false},
		{"nothing left", []string{`{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"bad name","arguments":{}}]}`, says}, []string{"user"}, false},
		{"unnamed result", []string{turn("toolUse", "a"), `{"role":"toolResult","toolCallId":"a","content":[]}`, `{"role":"toolResult","toolCallId":"z","toolName":" ","content":[]}`}, []string{"assistant a", "toolResult a f", "toolResult z unknown"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, g := stored(t, GuardOptions{Synthesize: !c.off}, c.in...)
			if !slices.Equal(got, c.want) {
				t.Errorf("\n got %q\nwant %q", got, c.want)
			}
			changed := len(c.want) != len(c.in) || strings.Contains(fmt.Sprint(c.in), `"arguments":null`) || strings.Contains(fmt.Sprint(c.want), "unknown")
			if changed != (len(g.Report()) > 0) {
				t.Errorf("report %v", g.Report())
			}
		})
	}
}

// F-46: a stand-in is known as one by every reader (F-37), and stands on the
// branch.
func TestGuardStandIn(t *testing.T) {
	path := file(t, head)
	g := NewGuard(openWriter(t, path, writeOptions()), GuardOptions{Synthesize: true})
	g.Append(messageOf(t, turn("toolUse", "a")))
	if err := g.Settle(); err != nil {
		t.Fatal(err)
	}
	got := linesOf(t, path)
	want := `{"type":"message","id":"00000002","parentId":"00000001","timestamp":"2026-03-01T10:00:00.000Z","message":{"role":"toolResult",` +
		`"toolCallId":"a","toolName":"f","details":{"openclawSyntheticMissingToolResult":true},"isError":true,"timestamp":1772359200000,` +
		`"content":[{"type":"text","text":` + quoted(texts.MissingResult) + `}]}}`
	if got[2] != want {
		t.Errorf("\n got %s\nwant %s", got[2], want)
	}
	if r := g.Report(); len(r) != 1 || r[0].Entry != "00000002" || r[0].Rule != "F-46" {
		t.Errorf("report %v", r)
	}
}

// F-46, R-50: the tools of the run, in any case.
func TestGuardTools(t *testing.T) {
	in := `{"role":"assistant","content":[{"type":"text","text":"t"},{"type":"toolCall","id":"a","name":"READ","arguments":{}},{"type":"toolCall","id":"b","name":"write","arguments":{}}]}`
	got, g := stored(t, GuardOptions{Tools: []string{"read"}}, in)
	if !slices.Equal(got, []string{"assistant a"}) || len(g.Report()) != 1 || g.Report()[0].Entry == "" {
		t.Errorf("%q, %v", got, g.Report())
	}
}

// F-47, F-48: what is stored of a result is bounded, and has no secrets; those
// are looked for before the cut, which could hide half of one.
func TestGuardLimitsAndSecrets(t *testing.T) {
	secret := "sk-" + x(60)
	long := `{"role":"toolResult","toolCallId":"a","toolName":"f","content":[{"type":"text","text":"` + strings.Repeat("-", 15_990) + " " + secret + strings.Repeat(" .", 100) + `"}]}`
	path := file(t, head)
	g := NewGuard(openWriter(t, path, writeOptions()), GuardOptions{})
	if _, err := g.Append(messageOf(t, long)); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(path)
	if strings.Contains(string(text), "sk-") || !strings.Contains(string(text), "***") || !strings.Contains(string(text), `[tool result cut: `) {
		t.Errorf("stored %s", text[len(text)-200:])
	}
	if r := g.Report(); len(r) != 2 || r[0].Rule != "F-48" || r[1].Rule != "F-47" {
		t.Errorf("report %v", r)
	}
	path = file(t, head)
	g = NewGuard(openWriter(t, path, writeOptions()), GuardOptions{Redactor: new(Redactor), Limits: Limits{Text: 20_000}})
	if _, err := g.Append(messageOf(t, long)); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); !strings.Contains(string(text), secret) || len(g.Report()) > 0 {
		t.Errorf("report %v", g.Report())
	}
}

// F-49: what a hook replaces and what it does not want. S-02: it cannot take away
// where a turn comes from.
func TestGuardBefore(t *testing.T) {
	owned := `{"role":"user","content":"u","MediaPath":"/m","idempotencyKey":"k","__openclaw":{"senderIsOwner":true,"senderId":"7"}}`
	routed := `{"role":"user","content":"u","provenance":{"kind":"inter_session"}}`
	for _, c := range []struct {
		name, in, want string
		before         func(*transcript.Message) *transcript.Message
	}{
		{"same", owned, owned, func(m *transcript.Message) *transcript.Message { return m }},
		{"replaced", owned, `{"role":"user","content":"v","__openclaw":{"senderIsOwner":true}}`, func(*transcript.Message) *transcript.Message { return transcript.NewText(transcript.User, "v") }},
		{"routed", routed, routed, func(m *transcript.Message) *transcript.Message { return m.Without("provenance") }},
		{"routed by a user", routed, routed, func(m *transcript.Message) *transcript.Message {
			return m.With("provenance", jsonline.Object{}.With("kind", jsonline.Text(transcript.ExternalUser)).Value())
		}},
		{"owner", says, `{"role":"user","content":"u","__openclaw":{}}`, func(m *transcript.Message) *transcript.Message {
			return m.With("__openclaw", jsonline.Object{}.With("senderIsOwner", jsonline.Bool(true)).Value())
		}},
		{"vetoed user", owned, `{"role":"user","content":"` + texts.OmittedContent + `","idempotencyKey":"k","__openclaw":{"senderIsOwner":true,"senderId":"7","beforeAgentRunBlocked":true}}`, func(*transcript.Message) *transcript.Message { return nil }},
		{"vetoed answer", turn("toolUse", "a"), "", func(*transcript.Message) *transcript.Message { return nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := file(t, head)
			g := NewGuard(openWriter(t, path, writeOptions()), GuardOptions{Synthesize: true, Before: c.before})
			id, err := g.Append(messageOf(t, c.in))
			if err == nil {
				err = g.Settle()
			}
			if err != nil {
				t.Fatal(err)
			}
			got := linesOf(t, path)
			if c.want == "" {
				if len(got) != 1 || id != "" || len(g.Report()) != 1 {
					t.Errorf("%q, %v", got, g.Report())
				}
				return
			}
			m := entryOf(t, got[1]).Message.Without("timestamp")
			want := messageOf(t, c.want)
			for name := range want.Members().Members() {
				if string(m.Get(name).Raw) != string(want.Get(name).Raw) {
					t.Errorf("%s is %s, want %s", name, m.Get(name).Raw, want.Get(name).Raw)
				}
			}
			if len(m.AppendJSON(nil)) != len(c.want) || (len(g.Report()) > 0) != (c.name != "same") {
				t.Errorf("%s, %v", m.AppendJSON(nil), g.Report())
			}
		})
	}
}

// The errors of the writer are the guard's.
func TestGuardErrors(t *testing.T) {
	w := openWriter(t, file(t, head), writeOptions())
	g := NewGuard(w, GuardOptions{Synthesize: true})
	g.Append(messageOf(t, turn("toolUse", "a")))
	w.Pause()
	if _, err := g.Append(messageOf(t, says)); !errors.Is(err, ErrLockReleased) {
		t.Errorf("got %v", err)
	}
	if err := w.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := g.Append(messageOf(t, says)); err != nil {
		t.Fatal(err)
	}
	if got := describeFile(t, w.path); len(got) != 3 {
		t.Errorf("%q", got)
	}
}
