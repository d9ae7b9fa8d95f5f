package gateway

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"pgregory.net/rapid"

	"hygeia/projection"
	"hygeia/runner"
	"hygeia/runner/model"
	"hygeia/session"
)

// X-B11, H-B03, H-B04: whatever is written to a session, on whichever branch, and
// whenever a reader looks, leaves and comes back: what it was told makes the list
// that a gateway shows which has only just started.
func TestPropertyLiveEqualsReload(t *testing.T) {
	home := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		w := newWritten(t, home)
		g := w.gateway(t)
		defer func() { g.Close() }()
		limit := rapid.SampledFrom([]int{2, 5, 1_000}).Draw(t, "limit")
		o := projection.Options{MaxText: projection.DefaultMaxText, Thinking: rapid.Bool().Draw(t, "thinking"), Tools: rapid.Bool().Draw(t, "tools")}
		r := &liveReader{g: g, path: w.path, o: o, limit: limit}
		r.connect(t)
		actions := map[string]func(*rapid.T){
			"write":  w.write,
			"again":  w.write, // twice as often
			"aside":  w.aside,
			"select": w.choose,
			"look":   r.look,
			"leave":  func(*rapid.T) { r.s = nil },
			"lose":   r.lose,
			"repair": w.repair,
			"restart": func(t *rapid.T) {
				g.Close()
				for range rapid.IntRange(0, 3).Draw(t, "written meanwhile") {
					rapid.SampledFrom([]func(*rapid.T){w.write, w.aside, w.choose, w.rewrite, w.repair}).Draw(t, "what")(t)
				}
				g = w.gateway(t)
				r.g, r.s = g, nil
			},
		}
		t.Repeat(actions)
		r.look(t)
		r.equals(t, w.reload(t, o))
	})
}

// written is a session file that grows.
type written struct {
	state, path string
	ids         []string
	leaf        string
	kinds       []string // of entries, a few: what belongs together meets often
}

func newWritten(t *rapid.T, home string) *written {
	state, err := os.MkdirTemp(home, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(state) })
	dir := filepath.Join(state, "agents", "main", "sessions")
	w := &written{state: state, path: filepath.Join(dir, "s.jsonl")}
	w.kinds = slices.Concat(rapid.SliceOfN(rapid.SampledFrom(families), 1, 2).Draw(t, "families")...)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "sessions.json"), []byte(`{"k":{"sessionId":"s"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	w.line(t, `{"type":"session","version":3,"id":"s","timestamp":"2026-03-01T10:00:00.000Z","cwd":"/x"}`)
	return w
}

func (w *written) gateway(t *rapid.T) *Gateway {
	g, err := New(Config{State: w.state, Poll: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func (w *written) line(t *rapid.T, text string) {
	f, err := os.OpenFile(w.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := io.WriteString(f, text+"\n"); err != nil {
		t.Fatal(err)
	}
}

const spoken = `"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"spoken"}]}`

const silent = `"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"NO_REPLY"}]}`

func sentBy(call, text string) string {
	return fmt.Sprintf(`"type":"message","message":{"role":"assistant","content":[{"type":"toolCall","id":%q,"name":"message","arguments":{"action":"send","message":%q}}]}`, call, text)
}

func delivered(call string) string {
	return fmt.Sprintf(`"type":"message","message":{"role":"toolResult","toolCallId":%q,"toolName":"message","content":[{"type":"text","text":"{\"ok\":true}"}]}`, call)
}

// families are entries without their ids, or several of them, that have to do with each
// other: turns that later ones belong to, hide, or stand for, and turns that a repair
// changes.
var families = [][]string{
	{
		`"type":"message","message":{"role":"user","content":"[OpenClaw heartbeat poll]"}`,
		`"type":"message","message":{"role":"assistant","content":[{"type":"text","text":"HEARTBEAT_OK"}]}`,
		`"type":"message","message":{"role":"user","content":"seen","idempotencyKey":"a:user"}`,
	},
	{
		`"type":"message","message":{"role":"user","content":" "}`,
		`"type":"message","message":{"role":"assistant","content":[],"stopReason":"error"}`,
		`"type":"message","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"spoken twice"}]}`,
	},
	{
		spoken,
		`"type":"message","message":{"role":"assistant","openclawTtsSupplement":{"spokenText":"spoken"},"content":[{"type":"audio","name":"a"}]}`,
		`"type":"message","message":{"role":"user","content":"hello"}`,
	},
	{
		silent,
		sentBy("c1", "first"),
		delivered("c1"),
		`"type":"message","message":{"role":"assistant","model":"delivery-mirror","content":[{"type":"text","text":"first"}]}`,
	},
	{
		sentBy("c1", "first") + "\n" + sentBy("c2", "second") + "\n" + delivered("c1") + "\n" + delivered("c2") + "\n" + silent,
		`"type":"message","message":{"role":"assistant","openclawTtsSupplement":{"spokenText":"second"},"content":[{"type":"text","text":"Audio reply"},{"type":"audio","name":"b"}]}`,
		`"type":"message","message":{"role":"user","content":"hello"}`,
	},
	{
		`"type":"message","message":{"role":"assistant","model":"acp-runtime","content":[{"type":"text","text":"spoken"}]}`,
		`"type":"message","message":{"role":"assistant","model":"gateway-injected","content":[{"type":"text","text":"spoken"}]}`,
		spoken,
	},
	{
		`"type":"compaction","summary":"what was","firstKeptEntryId":"","tokensBefore":9`,
		`"type":"custom_message","customType":"n","content":"a note","display":true`,
		`"type":"branch_summary","summary":"left"`,
		`"type":"model_change","provider":"openai","modelId":"gpt-4o"`,
	},
}

// write appends what a run does.
func (w *written) write(t *rapid.T) {
	for range rapid.IntRange(1, 4).Draw(t, "entries") {
		w.add(t, rapid.SampledFrom(w.kinds).Draw(t, "record"))
	}
}

// aside appends behind another entry, which makes a branch.
func (w *written) aside(t *rapid.T) {
	if len(w.ids) == 0 {
		return
	}
	w.leaf = rapid.SampledFrom(w.ids).Draw(t, "parent")
	w.write(t)
}

// choose makes another branch the active one, as the gateway does.
func (w *written) choose(t *rapid.T) {
	if len(w.ids) == 0 {
		return
	}
	to := rapid.SampledFrom(w.ids).Draw(t, "leaf")
	id := fmt.Sprintf("l%d", len(w.ids))
	w.line(t, fmt.Sprintf(`{"id":%q,"parentId":%q,"timestamp":"2026-03-01T10:01:00.000Z","type":"leaf","targetId":%q}`, id, to, to))
	w.leaf = to
}

func (w *written) add(t *rapid.T, records string) {
	for record := range strings.SplitSeq(records, "\n") {
		id := fmt.Sprintf("e%d", len(w.ids)+1)
		link := "null"
		if w.leaf != "" {
			link = fmt.Sprintf("%q", w.leaf)
		}
		w.line(t, fmt.Sprintf(`{"id":%q,"parentId":%s,"timestamp":"2026-03-01T10:01:00.000Z",%s}`, id, link, record))
		w.ids, w.leaf = append(w.ids, id), id
	}
}

// rewrite changes what an entry says, wherever it stands, as nothing of ours does.
func (w *written) rewrite(t *rapid.T) {
	text, err := os.ReadFile(w.path)
	if err != nil {
		t.Fatal(err)
	}
	words := rapid.SampledFrom([]string{"hello", "spoken", "seen", "first"}).Draw(t, "words")
	if err := os.WriteFile(w.path, bytes.Replace(text, []byte(`"`+words+`"`), []byte(`"otherwise"`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
}

// repair rewrites the file, as each run does that finds something to mend.
func (w *written) repair(t *rapid.T) {
	if _, err := session.Repair(w.path, session.RepairOptions{Write: true}); err != nil {
		t.Fatal(err)
	}
}

// reload is what a gateway shows that has not seen the session before.
func (w *written) reload(t *rapid.T, o projection.Options) (list []string) {
	g := w.gateway(t)
	defer g.Close()
	now, err := g.view(runner.Peer{Path: w.path}, "", o)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range now.messages {
		list = append(list, string(renderOne(m, false)))
	}
	return list
}

// liveReader keeps what it is told of a session.
type liveReader struct {
	g     *Gateway
	path  string
	o     projection.Options
	limit int
	s     *streaming // nil while it is away
	out   pipeless
	ids   []string
	list  []string
	last  string // id of the event that came last
}

// pipeless is the answer of a stream that is read as it is written.
type pipeless struct {
	bytes.Buffer
	h http.Header
}

func (p *pipeless) Header() http.Header              { return p.h }
func (p *pipeless) WriteHeader(int)                  {}
func (p *pipeless) Flush()                           {}
func (p *pipeless) SetWriteDeadline(time.Time) error { return nil }

// connect comes back, or for the first time.
func (r *liveReader) connect(t *rapid.T) {
	req := httptest.NewRequest("GET", "/sessions/k/history", nil)
	req.Header.Set("Last-Event-ID", r.last)
	p, _, err := r.g.sessions.Find("k")
	if err != nil {
		t.Fatal(err)
	}
	c := &call{w: &r.out, r: req, query: url.Values{}}
	r.s = &streaming{events: r.g.events(c), peer: p, o: r.o, limit: r.limit}
	now, err := r.s.now()
	if err == nil {
		err = r.s.open(now)
	}
	if err != nil {
		t.Fatal(err)
	}
	r.hear(t, all)
}

// look is told what is new.
func (r *liveReader) look(t *rapid.T) {
	if r.s == nil {
		r.connect(t)
	}
	r.news(t)
	r.hear(t, all)
}

// lose is told what is new, but the connection breaks on the way.
func (r *liveReader) lose(t *rapid.T) {
	if r.s == nil {
		r.connect(t)
	}
	r.news(t)
	r.hear(t, rapid.IntRange(0, 3).Draw(t, "events that arrive"))
	r.s = nil
}

func (r *liveReader) news(t *rapid.T) {
	if err := r.s.news(); err != nil {
		t.Fatal(err)
	}
}

const all = 1 << 30 // events

// hear takes the first events as a client does that knows nothing but the protocol.
func (r *liveReader) hear(t *rapid.T, most int) {
	defer r.out.Reset()
	for block := range strings.SplitSeq(r.out.String(), "\n\n") {
		if most--; most < 0 {
			return
		}
		fields := map[string]string{}
		for line := range strings.SplitSeq(block, "\n") {
			name, value, _ := strings.Cut(line, ": ")
			fields[name] = value
		}
		if id, ok := fields["id"]; ok {
			r.last = id
		}
		var e struct {
			Messages  []jsontext.Value `json:"messages"`
			Message   jsontext.Value   `json:"message"`
			MessageID string           `json:"messageId"`
		}
		if fields["data"] != "" {
			if err := json.Unmarshal([]byte(fields["data"]), &e); err != nil {
				t.Fatal(err)
			}
		}
		switch fields["event"] {
		case "history":
			r.ids, r.list = nil, nil
			for _, m := range e.Messages {
				var id struct {
					Meta struct {
						ID string `json:"id"`
					} `json:"__openclaw"`
				}
				if err := json.Unmarshal(m, &id); err != nil {
					t.Fatal(err)
				}
				r.ids, r.list = append(r.ids, id.Meta.ID), append(r.list, string(m))
			}
		case "message":
			if slices.Contains(r.ids, e.MessageID) {
				t.Fatalf("%s comes twice", e.MessageID)
			}
			r.ids, r.list = append(r.ids, e.MessageID), append(r.list, string(e.Message))
		case "replace": // of a message that this reader may never have had
			if i := slices.Index(r.ids, e.MessageID); i >= 0 {
				r.list[i] = string(e.Message)
			}
		}
	}
}

// equals holds what the reader has against the end of what there is.
func (r *liveReader) equals(t *rapid.T, want []string) {
	if len(r.list) < min(len(want), r.limit) || len(r.list) > len(want) {
		t.Fatalf("the reader has %d of %d messages:\n%s\nnot\n%s", len(r.list), len(want), strings.Join(r.list, "\n"), strings.Join(want, "\n"))
	}
	want = want[len(want)-len(r.list):]
	if !slices.Equal(r.list, want) {
		t.Fatalf("the reader has\n%s\nnot\n%s", strings.Join(r.list, "\n"), strings.Join(want, "\n"))
	}
}

// H-30, H-B03: a growing answer is told by what it has more, and anew where it begins
// otherwise, where another one begins, and to a reader who has only just come.
func TestDeltas(t *testing.T) {
	g, err := New(Config{State: t.TempDir(), Poll: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	begin := func(id string) *run {
		n := &run{id: id, peer: runner.Peer{Key: "k"}, done: make(chan struct{}), show: g.liveText, redact: g.growing}
		if _, _, err := g.runs.add(n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	var out pipeless
	reader := func() *streaming {
		c := &call{w: &out, r: httptest.NewRequest("GET", "/", nil), query: url.Values{}}
		return &streaming{events: g.events(c), peer: runner.Peer{Key: "k"}, live: true}
	}
	s, n := reader(), begin("a")
	told := func(s *streaming, want string) {
		t.Helper()
		out.Reset()
		if err := s.delta(); err != nil {
			t.Fatal(err)
		}
		_, data, _ := strings.Cut(strings.TrimSpace(out.String()), "data: ")
		if data != want {
			t.Errorf("told %s, want %s", data, want)
		}
	}
	say := func(text string) { n.hear(runner.Event{Model: model.Event{Kind: model.Text, Text: text}}) }
	say("He")
	told(s, `{"runId":"a","deltaText":"He","replace":true}`)
	say("llo")
	told(s, `{"runId":"a","deltaText":"llo"}`)
	told(s, "")
	told(reader(), `{"runId":"a","deltaText":"Hello","replace":true}`)
	n.hear(runner.Event{Kind: runner.Called})
	say("Hi")
	told(s, `{"runId":"a","deltaText":"Hi","replace":true}`)
	for kind, text := range map[runner.EventKind]string{runner.Called: "Ho", runner.Received: "Ha"} { // of the same length
		n.hear(runner.Event{Kind: kind})
		say(text)
		told(s, `{"runId":"a","deltaText":"`+text+`","replace":true}`)
	}
	say("!")
	told(s, `{"runId":"a","deltaText":"!"}`)
	if g.runs.next("k") != nil {
		t.Fatal("nothing waits")
	}
	told(s, "")
	n = begin("b")
	say("Hi")
	told(s, `{"runId":"b","deltaText":"Hi","replace":true}`)
	// The end is told once, and a run that was forgotten has none.
	for _, c := range []struct{ last, want string }{{"", ""}, {"a", `{"runId":"a"}`}, {"a", ""}, {"", ""}, {"b", `{"runId":"b"}`}} {
		out.Reset()
		if err := s.end(c.last); err != nil {
			t.Fatal(err)
		}
		if _, data, _ := strings.Cut(strings.TrimSpace(out.String()), "data: "); data != c.want {
			t.Errorf("behind %q: told %s, want %s", c.last, data, c.want)
		}
	}
}
