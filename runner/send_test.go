package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"hygeia"
	"hygeia/emulator"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/runner/model"
	"hygeia/runner/tools"
	"hygeia/session"
	"hygeia/transcript"
)

// town is an installation with a post, whose sessions are answered by one model.
type town struct {
	*Post
	Sessions
	t         *testing.T
	server    *emulator.Server
	mu        sync.Mutex
	announced []string
	failed    []error
}

// newTown makes a town in which respond answers: it is given the system text and
// the prompt of a request.
func newTown(t *testing.T, state string, respond func(system, prompt string) *emulator.Answer, set func(*PostOptions)) *town {
	t.Helper()
	w := &town{Sessions: Sessions{State: state, Agents: []string{"main", "ops", "lab"}}, t: t}
	w.server = emulator.NewServer(emulator.Options{Respond: func(r *emulator.Request) *emulator.Answer {
		var body struct {
			System any `json:"system"`
		}
		_ = json.Unmarshal(r.Body, &body)
		return respond(fmt.Sprint(body.System), r.Prompt)
	}})
	t.Cleanup(w.server.Close)
	o := PostOptions{
		Sessions: w.Sessions, Runner: w.runner, Access: Access{AgentToAgent: true}, State: filepath.Join(state, "flows"),
		Deliver: func(_ context.Context, to Peer, text string) error {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.announced = append(w.announced, to.Key+": "+text)
			return nil
		},
		Failed: func(_ string, err error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.failed = append(w.failed, err)
		},
	}
	if set != nil {
		set(&o)
	}
	w.Post = NewPost(o)
	t.Cleanup(w.Close)
	for _, agent := range w.Agents {
		if _, ok, err := w.Main(t.Context(), agent); !ok || err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func (w *town) runner(p Peer) (*Runner, error) {
	set, err := tools.New(w.Tool(p.Key))
	if err != nil {
		return nil, err
	}
	o := Options{Target: everyFormat[0], Model: model.New(model.Config{Emulator: w.server.URL, Retries: -1}), Tools: set}
	o.Replay.Past = &hygeia.Past{}
	return New(o)
}

// texts returns what is stored in a session: the role, a * for a routed turn, and
// the text of each message.
func (w *town) texts(key string) []string {
	w.t.Helper()
	p, ok, err := w.Find(key)
	if err != nil || !ok {
		w.t.Fatal(key, err)
	}
	if _, err := os.Stat(p.Path); err != nil {
		return nil
	}
	var list []string
	for _, m := range storedAt(w.t, p.Path).Messages {
		mark := ""
		if o := originOf(m); o != nil && o.Kind == transcript.InterSession {
			mark = "*"
		}
		list = append(list, string(m.Role())+mark+": "+textOf(m))
	}
	return list
}

func says(text string) *emulator.Answer {
	return &emulator.Answer{Content: []emulator.Part{{Text: text}}}
}

func callsSend(arguments string) *emulator.Answer {
	return &emulator.Answer{Content: []emulator.Part{{Call: sendTool, Arguments: []byte(arguments)}}}
}

// body returns what a marked prompt says.
func body(prompt string) string {
	if i := strings.LastIndex(prompt, "\n"); strings.HasPrefix(prompt, texts.InterSessionMarker) {
		return prompt[i+1:]
	}
	return prompt
}

// TestPingPong holds S-40 to S-43 with two agents that go to the turn limit: who
// says what, what is stored as what, what goes out marked, what is announced.
func TestPingPong(t *testing.T) {
	t.Parallel()
	w := newTown(t, t.TempDir(), func(system, prompt string) *emulator.Answer {
		switch {
		case strings.Contains(prompt, texts.RuntimeEvent):
			return says("told the channel")
		case strings.Contains(system, "turn"):
			return says(body(prompt) + "+")
		case strings.HasPrefix(prompt, texts.InterSessionMarker):
			return says("42")
		}
		return nil
	}, func(o *PostOptions) { o.Turns = 3 })
	r := w.Send(t.Context(), Message{Text: "What is it?", From: "agent:main:main", Agent: "ops", Wait: time.Minute})
	if r.Status != OK || r.Reply != "42" || r.SessionKey != "agent:ops:main" || r.Delivery.Status != "pending" {
		t.Fatalf("%+v", r)
	}
	w.Wait()
	if got, want := fmt.Sprintf("%q", w.texts("agent:ops:main")), fmt.Sprintf("%q", []string{
		"user*: What is it?", "assistant: 42", "user*: 42+", "assistant: 42++", "custom: " + texts.RuntimeEvent, "assistant: told the channel",
	}); got != want {
		t.Errorf("the target holds\n%s, want\n%s", got, want)
	}
	if got, want := fmt.Sprintf("%q", w.texts("agent:main:main")), fmt.Sprintf("%q", []string{
		"user*: 42", "assistant: 42+", "user*: 42++", "assistant: 42+++",
	}); got != want {
		t.Errorf("the requester holds\n%s, want\n%s", got, want)
	}
	if len(w.announced) != 1 || w.announced[0] != "agent:ops:main: told the channel" || len(w.failed) > 0 {
		t.Errorf("announced %q, failed %v", w.announced, w.failed)
	}
	// S-10, S-14, S-20, S-B06: the marker goes out with live turns and with those
	// of the past, and stands in no file.
	requests := w.server.Requests()
	last := string(requests[len(requests)-1].Body)
	if n := strings.Count(last, texts.InterSessionMarker+" sourceSession=agent:main:main sourceTool=sessions_send isUser=false"); n != 2 {
		t.Errorf("%d markers in %s", n, last)
	}
	if !strings.Contains(last, "What is it?") || !strings.Contains(last, texts.AnnounceLatest) {
		t.Errorf("the announcement does not know what it is about: %s", last)
	}
	for _, r := range requests {
		if r.Status != 200 {
			t.Errorf("refused by %s: %s", r.Rule, r.Body)
		}
	}
	if left, _ := os.ReadDir(filepath.Join(w.State, "flows")); len(left) != 0 {
		t.Errorf("%d flows are left", len(left))
	}
}

// TestSkip holds S-41 and S-43: where a flow ends.
func TestSkip(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		first, second, announce string
		messages                int // in the target
		announced               int
	}{
		"reply skipped":     {"42", " REPLY_SKIP ", "told", 4, 1},
		"announce skipped":  {"42", "REPLY_SKIP", "ANNOUNCE_SKIP", 4, 0},
		"heartbeat":         {"42", "HEARTBEAT_OK.", "told", 4, 1},
		"nothing to say":    {"NO_REPLY", "x", "told", 2, 0},
		"skip in the reply": {"announce_skip!", "x", "told", 2, 0},
		"empty announce":    {"42", "REPLY_SKIP", "", 4, 0},
	} {
		w := newTown(t, t.TempDir(), func(system, prompt string) *emulator.Answer {
			switch {
			case strings.Contains(prompt, texts.RuntimeEvent):
				if test.announce == "" {
					return &emulator.Answer{}
				}
				return says(test.announce)
			case strings.Contains(system, "turn 1 of"):
				return says(test.second)
			}
			return says(test.first)
		}, nil)
		w.Send(t.Context(), Message{Text: "q", From: "agent:main:main", Agent: "ops", Wait: time.Minute})
		w.Wait()
		if got := w.texts("agent:ops:main"); len(got) != test.messages || len(w.announced) != test.announced {
			t.Errorf("%s: %q, announced %q", name, got, w.announced)
		}
	}
}

// TestLoop holds S-B07: a third session cannot close a loop of sessions that wait
// for each other, and a chain of those that do not wait ends.
func TestLoop(t *testing.T) {
	t.Parallel()
	for _, wait := range []int{30, 0} {
		next := map[string]string{"main": "ops", "ops": "lab", "lab": "main"}
		var w *town
		sends := 0
		w = newTown(t, t.TempDir(), func(_, prompt string) *emulator.Answer {
			w.mu.Lock()
			defer w.mu.Unlock()
			for agent, to := range next {
				if body(prompt) == "to "+agent {
					sends++
					return callsSend(fmt.Sprintf(`{"message":"to %s","agentId":"%s","timeoutSeconds":%d}`, to, to, wait))
				}
			}
			return says("NO_REPLY")
		}, func(o *PostOptions) { o.Turns = -1 })
		w.Send(t.Context(), Message{Text: "to main", Agent: "main", Wait: time.Minute})
		w.Wait()
		lab := strings.Join(w.texts("agent:lab:main"), "\n")
		switch {
		case wait > 0 && (sends != 3 || !strings.Contains(lab, `"status":"forbidden"`) || !strings.Contains(lab, loop)):
			t.Errorf("%d sends, the third session holds %s", sends, lab)
		case wait == 0 && sends != 8:
			t.Errorf("%d sends", sends)
		}
	}
}

// TestCrash holds S-B08: a flow that was cut short after any step goes on, and no
// session gets a prompt or gives an answer twice.
func TestCrash(t *testing.T) {
	t.Parallel()
	for dies := int32(1); dies <= 5; dies++ {
		state := t.TempDir()
		answer := func(system, prompt string) *emulator.Answer {
			switch {
			case strings.Contains(prompt, texts.RuntimeEvent):
				return says("told")
			case strings.Contains(system, "turn"):
				return says(body(prompt) + "+")
			}
			return says("42")
		}
		var n atomic.Int32
		var first *town
		stopped := make(chan struct{})
		first = newTown(t, state, func(system, prompt string) *emulator.Answer {
			if n.Add(1) == dies {
				close(stopped)
				<-first.ctx.Done() // the process ends while a model is at work
			}
			return answer(system, prompt)
		}, func(o *PostOptions) { o.Turns = 3 })
		first.Send(t.Context(), Message{Text: "q", From: "agent:main:main", Agent: "ops", Run: "run-1"})
		<-stopped
		first.Close()
		second := newTown(t, state, answer, func(o *PostOptions) { o.Turns = 3 })
		runs, err := second.Resume()
		if err != nil || len(runs) != 1 {
			t.Fatalf("died at %d: %q, %v", dies, runs, err)
		}
		second.Wait()
		want := []string{"user*: q", "assistant: 42", "user*: 42+", "assistant: 42++", "custom: " + texts.RuntimeEvent, "assistant: told"}
		if got := answers(second.texts("agent:ops:main")); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("died at %d: the target holds %q", dies, got)
		}
		want = []string{"user*: 42", "assistant: 42+", "user*: 42++", "assistant: 42+++"}
		if got := answers(second.texts("agent:main:main")); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("died at %d: the requester holds %q", dies, got)
		}
		if len(second.announced) != 1 || len(second.failed) > 0 {
			t.Errorf("died at %d: announced %q, failed %v", dies, second.announced, second.failed)
		}
	}
}

// answers leaves out turns that were broken off.
func answers(list []string) (kept []string) {
	for _, text := range list {
		if text != "assistant: " {
			kept = append(kept, text)
		}
	}
	return kept
}

// TestSendStatus holds S-31, S-32, S-34 and S-B10: what a sender is told.
func TestSendStatus(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	w := newTown(t, t.TempDir(), func(_, prompt string) *emulator.Answer {
		switch text := body(prompt); {
		case strings.HasPrefix(text, "slow"):
			<-release
		case strings.HasPrefix(text, "broken"):
			return &emulator.Answer{Status: 500, Error: "no"}
		}
		return says("fine")
	}, func(o *PostOptions) { o.Access.Allow, o.Turns = []string{"main", "o*"}, -1 })
	w.add("agent:main:child", `{"sessionId":"child","spawnedBy":"agent:main:main","label":"helper"}`)
	w.add("agent:main:slow", `{"sessionId":"slow","spawnedBy":"agent:main:main"}`)
	w.add("agent:main:other", `{"sessionId":"other"}`)
	w.add("agent:main:telegram:group:7:thread:9", `{"sessionId":"thread","label":"thread"}`)
	const from = "agent:main:main"
	for name, test := range map[string]struct {
		m      Message
		status Status
		stage  string
		sent   bool
	}{
		"key":       {Message{Text: "hi", From: from, SessionKey: "agent:ops:main", Wait: time.Minute}, OK, "", false},
		"id":        {Message{Text: "hi", From: from, SessionKey: "child", Wait: time.Minute}, OK, "", false},
		"label":     {Message{Text: "hi", From: from, Label: "helper", Wait: time.Minute}, OK, "", false},
		"no wait":   {Message{Text: "hi", From: from, Agent: "ops"}, Accepted, Running, false},
		"slow":      {Message{Text: "slow", From: from, SessionKey: "agent:main:slow", Wait: 10 * time.Millisecond}, Accepted, Running, false},
		"broken":    {Message{Text: "broken", From: from, SessionKey: "child", Wait: time.Minute}, Errored, AfterDeliver, true},
		"blank":     {Message{Text: " ", From: from, Agent: "ops"}, Errored, NotStarted, false},
		"nowhere":   {Message{Text: "hi", From: from}, Errored, NotStarted, false},
		"unknown":   {Message{Text: "hi", From: from, Agent: "nobody"}, Errored, NotStarted, false},
		"thread":    {Message{Text: "hi", From: from, Label: "thread"}, Errored, NotStarted, false},
		"not lab":   {Message{Text: "hi", From: from, Agent: "lab"}, Forbidden, NotStarted, false},
		"not mine":  {Message{Text: "hi", From: from, SessionKey: "agent:main:other"}, Forbidden, NotStarted, false},
		"not upper": {Message{Text: "hi", From: "agent:main:child", SessionKey: from}, Forbidden, NotStarted, false},
		"itself":    {Message{Text: "hi", From: from, SessionKey: from, Wait: time.Minute}, Forbidden, NotStarted, false},
		"hops":      {Message{Text: "hi", From: from, Agent: "ops", Origin: &Origin{Hops: 8}}, Forbidden, NotStarted, false},
		"bad run":   {Message{Text: "hi", From: from, Agent: "ops", Run: "../x"}, Errored, NotStarted, false},
	} {
		r := w.Send(t.Context(), test.m)
		if r.Status != test.status || r.Stage != test.stage || r.SentBeforeError != test.sent || (r.Error != "") != (r.Status == Errored || r.Status == Forbidden) {
			t.Errorf("%s: %+v", name, r)
		}
	}
	close(release)
	w.Wait()
	// S-40: one that failed while nobody waited is told to the requester.
	w.Send(t.Context(), Message{Text: "broken later", From: from, Agent: "ops"})
	w.Wait()
	if got := strings.Join(w.texts(from), "\n"); !strings.Contains(got, "user*: "+texts.SendFailed) {
		t.Errorf("the requester holds %s", got)
	}
}

// TestTarget holds S-31: which session a message goes to. A key wins over a label, a label
// over an agent, which says then at whom the label is looked for; the main session of
// an agent is made where it is missing.
func TestTarget(t *testing.T) {
	t.Parallel()
	w := newTown(t, t.TempDir(), func(_, _ string) *emulator.Answer { return says("NO_REPLY") }, nil)
	w.add("agent:main:desk", `{"sessionId":"md","label":"desk"}`)
	w.add("agent:main:mine", `{"sessionId":"mm","label":"helper","spawnedBy":"agent:main:main"}`)
	w.add("agent:main:other", `{"sessionId":"mo","label":"helper","spawnedBy":"agent:main:desk"}`)
	w.add("agent:ops:desk", `{"sessionId":"od","label":"desk"}`)
	w.add("agent:ops:pair1", `{"sessionId":"p1","label":"pair"}`)
	w.add("agent:ops:pair2", `{"sessionId":"p2","label":"pair"}`)
	if err := os.RemoveAll(filepath.Join(w.State, "agents", "lab")); err != nil {
		t.Fatal(err)
	}
	const from = "agent:main:main"
	for name, test := range map[string]struct {
		m    Message
		want string // the key, or a part of the error
	}{
		"label within an agent":       {Message{From: from, Label: "desk", Agent: "ops"}, "agent:ops:desk"},
		"label within another":        {Message{Label: "desk", Agent: "Main"}, "agent:main:desk"},
		"not at that agent":           {Message{Label: "desk", Agent: "lab"}, `there is no session with the label "desk"`},
		"no such agent":               {Message{Label: "desk", Agent: "nobody"}, `there is no session with the label "desk"`},
		"key wins":                    {Message{From: from, SessionKey: "agent:ops:main", Label: "desk", Agent: "main"}, "agent:ops:main"},
		"agent alone, made":           {Message{From: from, Agent: "lab"}, "agent:lab:main"},
		"one of them within reach":    {Message{From: from, Label: "helper"}, "agent:main:mine"},
		"another one of two in reach": {Message{From: "agent:main:desk", Label: "helper"}, "agent:main:other"},
		"two agents have it":          {Message{Label: "desk"}, ErrAmbiguous.Error()},
		"one agent has two":           {Message{From: from, Label: "pair", Agent: "ops"}, ErrAmbiguous.Error()},
	} {
		m := test.m
		m.Text, m.Wait = "hi", time.Minute
		if r := w.Send(t.Context(), m); r.SessionKey != test.want && (r.Status != Errored || !strings.Contains(r.Error, test.want)) {
			t.Errorf("%s: %+v", name, r)
		}
	}
	set, err := tools.New(w.Tool(from))
	if err != nil {
		t.Fatal(err)
	}
	r := set.Call(t.Context(), tools.Call{ID: "c", Name: sendTool, Arguments: []byte(`{"message":"hi","label":"desk","agentId":"ops"}`)})
	if r.Failed || !strings.Contains(r.Text, `"sessionKey":"agent:ops:desk"`) {
		t.Errorf("%+v", r)
	}
	w.Wait()
}

// TestSendWhileWaiting holds that a post takes messages while somebody waits for those before.
func TestSendWhileWaiting(t *testing.T) {
	t.Parallel()
	w := newTown(t, t.TempDir(), func(_, _ string) *emulator.Answer { return nil }, func(o *PostOptions) {
		o.State = ""
		o.Runner = func(Peer) (*Runner, error) { return nil, ErrModel }
	})
	over := make(chan struct{})
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
					w.Wait()
				}
			}
		})
	}
	for range 300 {
		w.Send(t.Context(), Message{Text: "hi", Agent: "ops"})
	}
	close(over)
	wait.Wait()
}

func (w *town) add(key, row string) {
	w.t.Helper()
	_, err := session.AgentStore(w.State, agentOf(key)).Update(w.t.Context(), session.LockOptions{}, func(x *session.Index) error {
		x.Set(key, jsonline.ParseObject([]byte(row)))
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// TestSendArguments holds S-30.
func TestSendArguments(t *testing.T) {
	t.Parallel()
	w := newTown(t, t.TempDir(), func(_, prompt string) *emulator.Answer { return says("NO_REPLY") }, nil)
	tool := w.Tool("agent:main:main")
	for arguments, want := range map[string]string{
		`{"message":"hi","agentId":"ops"}`:                                        `"status":"ok"`,
		`{"message":" ","text":"<think>secret</think>alias one","agentId":"ops"}`: `"status":"ok"`,
		`{"SendMessage":"alias two","agentId":"ops","timeoutSeconds":0}`:          `"status":"accepted"`,
		`{"agentId":"ops"}`: `the prompt is empty`,
		`{"message":"hi","agentId":"ops","timeoutSeconds":-1}`:         `must not be negative`,
		`{"message":"hi","agentId":"` + strings.Repeat("a", 65) + `"}`: `more than 64`,
		`{"message":"hi","label":"` + strings.Repeat("é", 513) + `"}`:  `more than 512`,
		`{"message":7}`: `are wrong`,
	} {
		set, err := tools.New(tool)
		if err != nil {
			t.Fatal(err)
		}
		r := set.Call(t.Context(), tools.Call{ID: arguments, Name: sendTool, Arguments: []byte(arguments)})
		if !strings.Contains(r.Text, want) {
			t.Errorf("%s: %+v", arguments, r)
		}
	}
	w.Wait()
	got := strings.Join(w.texts("agent:ops:main"), "\n")
	if !strings.Contains(got, "user*: alias one") || !strings.Contains(got, "user*: alias two") || strings.Contains(got, "secret") {
		t.Error(got)
	}
}

// TestOneRun holds S-B08 for two posts that share their state: a flow that is under
// way is left alone, and one that was refused leaves nothing behind.
func TestOneRun(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	begun, release := make(chan struct{}), make(chan struct{})
	first := newTown(t, state, func(_, prompt string) *emulator.Answer {
		if body(prompt) == "slow" {
			close(begun)
			<-release
		}
		return says("NO_REPLY")
	}, nil)
	second := newTown(t, state, func(_, _ string) *emulator.Answer { return says("NO_REPLY") }, nil)
	first.Send(t.Context(), Message{Text: "slow", Agent: "ops", Run: "r"})
	<-begun
	if r := second.Send(t.Context(), Message{Text: "slow", Agent: "ops", Run: "r"}); r.Status != Errored || !strings.Contains(r.Error, ErrUnderWay.Error()) {
		t.Errorf("%+v", r)
	}
	if runs, err := second.Resume(); err != nil || len(runs) != 0 {
		t.Errorf("%q, %v", runs, err)
	}
	close(release)
	first.Wait()
	const from = "agent:main:main"
	if r := first.Send(t.Context(), Message{Text: "hi", From: from, SessionKey: from, Wait: time.Minute, Run: "refused"}); r.Status != Forbidden {
		t.Errorf("%+v", r)
	}
	if left, err := os.ReadDir(filepath.Join(state, "flows")); err != nil || len(left) != 0 {
		t.Errorf("%v, %v", left, err)
	}
	if got := second.texts("agent:ops:main"); len(got) != 2 {
		t.Errorf("%q", got)
	}
}

// TestSessionsAt holds that a session is found by its file, before there is one too.
func TestSessionsAt(t *testing.T) {
	t.Parallel()
	w := newTown(t, t.TempDir(), func(_, _ string) *emulator.Answer { return says("NO_REPLY") }, nil)
	p, _, err := w.Find("agent:ops:main")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if got, ok, err := w.At(p.Path); got.Key != p.Key || !ok || err != nil {
			t.Errorf("%+v, %t, %v", got, ok, err)
		}
		w.Send(t.Context(), Message{Text: "hi", Agent: "ops"})
		w.Wait()
	}
	if got, ok, err := w.At(p.Path + "x"); ok || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestRunOfAnother refuses a message under the id of a run that was begun with
// another one, and goes on with that run under its own.
func TestRunOfAnother(t *testing.T) {
	t.Parallel()
	w := newTown(t, t.TempDir(), func(_, prompt string) *emulator.Answer { return says("answer to " + body(prompt)) }, nil)
	from, to := "agent:main:main", "agent:ops:main"
	if err := w.keep(&flow{Run: "r1", From: from, To: to, Text: "q", Hops: 1}); err != nil {
		t.Fatal(err)
	}
	for _, m := range []Message{
		{Run: "r1", Text: "r", From: from, SessionKey: to, Wait: time.Minute},
		{Run: "r1", Text: "q", From: from, SessionKey: "agent:lab:main", Wait: time.Minute},
		{Run: "r1", Text: "q", From: "agent:lab:main", SessionKey: to, Wait: time.Minute},
	} {
		if r := w.Send(t.Context(), m); r.Status != Errored || !strings.Contains(r.Error, "another message") || r.Stage != NotStarted {
			t.Errorf("%+v: %+v", m, r)
		}
	}
	if r := w.Send(t.Context(), Message{Run: "r1", Text: "q", From: from, SessionKey: to, Wait: time.Minute}); r.Status != OK || r.Reply != "answer to q" {
		t.Errorf("%+v", r)
	}
}
