package runner

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"hygeia/emulator"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// TestQueue holds X-02: what comes while a run is active is one turn of the next
// one, which holds what people wrote and nothing that programs added.
func TestQueue(t *testing.T) {
	t.Parallel()
	begun, release := make(chan struct{}), make(chan struct{})
	b := newBench(t, everyFormat[0], func(r *emulator.Request) *emulator.Answer {
		if r.Prompt == "first" {
			close(begun)
			<-release
		}
		return nil
	}, nil)
	q := NewQueue(b.Runner, b.path, nil)
	var wait sync.WaitGroup
	submit := func(p Queued) {
		wait.Go(func() {
			if _, err := q.Submit(t.Context(), p); err != nil {
				t.Error(err)
			}
		})
	}
	submit(Queued{Prompt: Prompt{Body: "first"}})
	<-begun
	for i, p := range []Queued{
		{Prompt{Body: "second", Before: "NOTE 2"}, "Ada"},
		{Prompt{Body: "third", Hidden: "HIDDEN 3"}, ""},
		{Prompt{Body: "routed", Origin: &Origin{Kind: transcript.InterSession}}, ""},
	} {
		submit(p)
		for { // in this order
			q.mu.Lock()
			n := len(q.waiting)
			q.mu.Unlock()
			if n > i {
				break
			}
		}
	}
	close(release)
	wait.Wait()
	c := b.stored(t)
	if got := roles(c); got != "user assistant user assistant user assistant" {
		t.Fatalf("stored are %s", got)
	}
	want := texts.QueuedTitle + "\n\n---\nQueued #1 (from Ada)\nsecond\n\n---\nQueued #2\nthird"
	if got := textOf(c.Messages[2]); got != want {
		t.Errorf("stored is %q, want %q", got, want)
	}
	if body := string(b.server.Requests()[1].Body); !strings.Contains(body, "NOTE 2") || !strings.Contains(body, "HIDDEN 3") {
		t.Error(body)
	}
	if originOf(c.Messages[2]) != nil || originOf(c.Messages[4]) == nil {
		t.Error("origins are mixed")
	}
}

// TestQueueGivenUp holds that a run ends when nobody waits for it, and that the
// queue goes on.
func TestQueueGivenUp(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	b := newBench(t, everyFormat[0], emulator.Responder(func(r *emulator.Request) *emulator.Answer {
		if r.Prompt == "slow" {
			close(begun)
			return &emulator.Answer{Content: []emulator.Part{{Text: "x"}}, Delay: 1 << 40}
		}
		return nil
	}), nil)
	q := NewQueue(b.Runner, b.path, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-begun; cancel() }()
	if _, err := q.Submit(ctx, Queued{Prompt: Prompt{Body: "slow"}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if r, err := q.Submit(t.Context(), Queued{Prompt: Prompt{Body: "next"}}); err != nil || !strings.HasSuffix(r.Text, "next") {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := q.Submit(t.Context(), Queued{}); !errors.Is(err, ErrNothing) {
		t.Error(err)
	}
}

// TestBodies holds and X-B19: which part of a prompt is the user's.
func TestBodies(t *testing.T) {
	t.Parallel()
	block := texts.InternalBegin + "\nsecret\n" + texts.InternalEnd
	for name, test := range map[string]struct{ got, want Prompt }{
		"around":        {Enriched("[note]\n\nhi\n\n[tail]", "hi"), Prompt{Body: "hi", Before: "[note]", After: "[tail]"}},
		"inside a word": {Enriched("this\n\nis it", "hi"), Prompt{Body: "hi", Hidden: "this\n\nis it"}},
		"last place":    {Enriched("hi\n\nyou wrote:\nhi", "hi"), Prompt{Body: "hi", Before: "hi\n\nyou wrote:"}},
		"blocks":        {Enriched("hi\n\n"+block, "hi"), Prompt{Body: "hi", Hidden: "secret"}},
		"no body":       {Enriched("do it", ""), Prompt{Hidden: "do it"}},
		"changed":       {Enriched("[note]\n\nhello", "hi"), Prompt{Body: "hi", Hidden: "[note]\n\nhello"}},
		"gateway":       {Gateway("  e\u0301\x07 \r\n", nil), Prompt{Body: "é"}},
		"heartbeat":     {Heartbeat("look around"), Prompt{Body: texts.HeartbeatPoll, After: "look around"}},
		"one queued":    {Collect([]Queued{{Prompt{Body: "x"}, "Ada"}}), Prompt{Body: "x"}},
	} {
		g, w := test.got, test.want
		if g.Body != w.Body || g.Before != w.Before || g.After != w.After || g.Hidden != w.Hidden {
			t.Errorf("%s: %+v, want %+v", name, g, w)
		}
	}
	picture := []*transcript.Block{transcript.NewBlock("image")}
	if p := Gateway(" ", picture); p.Body != texts.MediaOnly || len(p.Pictures) != 1 {
		t.Errorf("%+v", p)
	}
}
