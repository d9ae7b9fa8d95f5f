package runner

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"hygeia/emulator"
	"hygeia/internal/texts"
	"hygeia/runner/model"
)

// TestAccess holds S-32: who may send to whom.
func TestAccess(t *testing.T) {
	t.Parallel()
	parents := map[string]string{"child": "me", "grandchild": "child", "stranger": "else", "itself": "itself"}
	peer := func(key, agent string) Peer { return Peer{Key: key, Agent: agent, Parent: parents[key]} }
	me, child, grandchild, stranger := peer("me", "a"), peer("child", "a"), peer("grandchild", "a"), peer("stranger", "a")
	boxed := me
	boxed.Sandboxed = true
	open := Access{AgentToAgent: true}
	for name, test := range map[string]struct {
		a        Access
		from, to Peer
		may      bool
	}{
		"tree: itself":           {Access{}, me, me, true},
		"tree: child":            {Access{}, me, child, true},
		"tree: grandchild":       {Access{}, me, grandchild, true},
		"tree: stranger":         {Access{}, me, stranger, false},
		"tree: parent":           {Access{}, child, me, false},
		"tree: a row in circles": {Access{}, me, peer("itself", "a"), false},
		"self: itself":           {Access{Visibility: VisibleSelf}, me, me, true},
		"self: child":            {Access{Visibility: VisibleSelf}, me, child, false},
		"agent: stranger":        {Access{Visibility: VisibleAgent}, me, stranger, true},
		"all: stranger":          {Access{Visibility: VisibleAll}, me, stranger, true},
		"sandboxed: stranger":    {Access{Visibility: VisibleAll}, boxed, stranger, false},
		"sandboxed: child":       {Access{Visibility: VisibleAll}, boxed, child, true},
		"sandboxed: self":        {Access{Visibility: VisibleSelf}, boxed, child, false},
		"other agent: off":       {Access{Visibility: VisibleAll}, me, peer("x", "b"), false},
		"other agent: any":       {open, me, peer("x", "b"), true},
		"other agent: both":      {Access{AgentToAgent: true, Allow: []string{"a", "B"}}, me, peer("x", "b"), true},
		"other agent: one":       {Access{AgentToAgent: true, Allow: []string{"b"}}, me, peer("x", "b"), false},
		"other agent: wildcard":  {Access{AgentToAgent: true, Allow: []string{"a", "ops-*"}}, me, peer("x", "ops-1"), true},
		"other agent: no match":  {Access{AgentToAgent: true, Allow: []string{"a", "ops-*"}}, me, peer("x", "ops"), false},
	} {
		if why := test.a.permits(test.from, test.to, func(key string) string { return parents[key] }); (why == "") != test.may {
			t.Errorf("%s: %q", name, why)
		}
	}
}

// TestDelivery holds S-34 and S-42: for whom nothing is announced, and that a session
// which sends to itself posts the reply without another turn.
func TestDelivery(t *testing.T) {
	t.Parallel()
	const from = "agent:main:main"
	for name, test := range map[string]struct {
		row, to  string
		wait     time.Duration
		delivery string
		posted   string
		turns    int // stored in the target
	}{
		"a session":                       {`{"sessionId":"x"}`, "agent:main:x", time.Minute, "pending", "told", 4},
		"a child that is awaited":         {`{"sessionId":"x","spawnedBy":"agent:main:main"}`, "agent:main:x", time.Minute, "skipped", "", 2},
		"a child that is not":             {`{"sessionId":"x","spawnedBy":"agent:main:main"}`, "agent:main:x", 0, "pending", "told", 4},
		"a background child":              {`{"sessionId":"x","spawnedBy":"agent:main:main"}`, "agent:main:acp:x", 0, "skipped", "", 2},
		"a background session of another": {`{"sessionId":"x","spawnedBy":"agent:main:y"}`, "agent:main:acp:x", 0, "pending", "told", 4},
		"itself":                          {"", from, 0, "pending", "fine", 2},
	} {
		w := newTown(t, t.TempDir(), func(_, prompt string) *emulator.Answer {
			if strings.Contains(prompt, texts.RuntimeEvent) {
				return says("told")
			}
			return says("fine")
		}, func(o *PostOptions) { o.Turns, o.Access.Visibility = -1, VisibleAll })
		if test.row != "" {
			w.add(test.to, test.row)
		}
		r := w.Send(t.Context(), Message{Text: "q", From: from, SessionKey: test.to, Wait: test.wait})
		w.Wait()
		if r.Delivery == nil || r.Delivery.Status != test.delivery || r.Delivery.Mode != "announce" {
			t.Errorf("%s: %+v, %+v", name, r, r.Delivery)
		}
		want := "[]"
		if test.posted != "" {
			want = "[" + test.to + ": " + test.posted + "]"
		}
		if got := fmt.Sprint(w.announced); got != want {
			t.Errorf("%s: announced %s, want %s", name, got, want)
		}
		if got := w.texts(test.to); len(got) != test.turns {
			t.Errorf("%s: the target holds %q", name, got)
		}
		for _, r := range w.server.Requests() {
			// S-42: the announcement knows what was asked and what came of it.
			if body := string(r.Body); strings.Contains(body, texts.RuntimeEvent) &&
				!(strings.Contains(body, texts.AnnounceRequest+`\nq`) && strings.Contains(body, texts.AnnounceFirst+`\nfine`)) {
				t.Errorf("%s: %s", name, body)
			}
		}
	}
}

// TestTurnLimit holds S-41: how often two sides may answer each other.
func TestTurnLimit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		turns int
		from  string
		want  int
	}{{0, "agent:a:main", 5}, {3, "agent:a:main", 3}, {99, "agent:a:main", 20}, {-1, "agent:a:main", 0}, {3, "cron:nightly", 0}, {3, "agent:ops:cron:nightly:run:7", 0}, {3, "agent:cron:main", 3}} {
		if got := NewPost(PostOptions{Turns: test.turns}).turns(Peer{Key: test.from}); got != test.want {
			t.Errorf("%+v: %d turns", test, got)
		}
	}
}

// late is a model that does not answer in time.
type late struct{ Model }

func (late) Stream(context.Context, model.Call, func(model.Event)) (*model.Answer, error) {
	return &model.Answer{Message: []byte(`{"role":"assistant","content":[],"stopReason":"error"}`), StopReason: model.Failed},
		&model.Error{Kind: model.Timeout, Target: "x/y", Text: "nothing came"}
}

// TestTimeout holds S-34 and S-B10: a run that ended for lack of time is told from one
// that failed, and from one that goes on.
func TestTimeout(t *testing.T) {
	t.Parallel()
	w := newTown(t, t.TempDir(), func(_, _ string) *emulator.Answer { return says("NO_REPLY") }, func(o *PostOptions) {
		o.Runner = func(Peer) (*Runner, error) { return New(Options{Target: everyFormat[0], Model: late{}}) }
	})
	r := w.Send(t.Context(), Message{Text: "q", From: "agent:main:main", Agent: "ops", Wait: time.Minute})
	w.Wait()
	if r.Status != TimedOut || r.Stage != AfterDeliver || !r.SentBeforeError || !strings.Contains(r.Error, "nothing came") || r.Delivery != nil {
		t.Errorf("%+v", r)
	}
	if got := w.texts("agent:ops:main"); len(got) == 0 || got[0] != "user*: q" {
		t.Errorf("%q", got)
	}
}
