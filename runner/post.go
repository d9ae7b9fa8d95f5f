package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"hygeia/runner/model"
	"hygeia/session"
	"hygeia/transcript"
)

// Post carries prompts from one session to another (file 60). It is safe for
// concurrent use, and several may share their State: a flow is that of one of them.
type Post struct {
	o PostOptions

	ctx  context.Context // of the flows
	stop context.CancelFunc

	mu    sync.Mutex
	waits map[string]map[string]int // who waits for whom, by key (S-B07)
	flows sync.WaitGroup
}

// PostOptions says how prompts are carried. Sessions and Runner must be there.
type PostOptions struct {
	Sessions Directory
	// Runner returns what runs prompts in a session.
	Runner func(Peer) (*Runner, error)
	Access Access
	// Turns is how often the two sides may answer each other behind the first reply:
	// 0 means 5, at most 20, below 0 never (S-41).
	Turns int
	// MaxHops is how many sessions a chain of prompts may go through, 0 means 8
	// (S-B07).
	MaxHops int
	// State is the folder in which flows are kept until they are over, so that they
	// go on after a crash (S-B08). "" keeps them in memory alone.
	State string
	// Deliver posts what a session announces to its channel, nil for nowhere.
	Deliver func(ctx context.Context, to Peer, text string) error
	// Failed is told what went wrong in a flow that nobody waits for any more. Nil
	// where nobody asks.
	Failed func(run string, err error)
}

// NewPost returns a post.
func NewPost(o PostOptions) *Post {
	switch {
	case o.Turns == 0:
		o.Turns = 5
	case o.Turns < 0:
		o.Turns = 0
	}
	o.Turns, o.MaxHops = min(o.Turns, 20), cmp.Or(o.MaxHops, 8)
	p := &Post{o: o, waits: map[string]map[string]int{}}
	p.ctx, p.stop = context.WithCancel(context.Background())
	return p
}

// Message is a prompt for another session (S-30).
type Message struct {
	Text string
	// From is the key of the session that sends, "" for a person.
	From string
	// SessionKey (a key or an id), Label or Agent say where it goes; the first that
	// is there counts (S-31).
	SessionKey, Label, Agent string
	// Wait is how long to wait for the reply, 0 not at all.
	Wait time.Duration
	// Run is the id of the run, "" for a new one. The same id again goes on with the
	// same run and repeats nothing (S-B08).
	Run string
	// Origin is that of the prompt that is being answered while this one is sent,
	// nil for none (S-B07).
	Origin *Origin
}

// Status is what became of a message (S-34).
type Status string

// The statuses.
const (
	Accepted  Status = "accepted"  // under way
	OK        Status = "ok"        // there is a reply
	TimedOut  Status = "timeout"   // the run there ended for lack of time
	Errored   Status = "error"     // it was not taken, or the run there failed
	Forbidden Status = "forbidden" // S-32, S-B07
)

// The stages of a message that has no reply (S-B10).
const (
	NotStarted   = "not started"
	Running      = "running"
	AfterDeliver = "failed after delivery"
)

// Receipt says what became of a message (S-34), in the form that a model reads.
type Receipt struct {
	RunID      string    `json:"runId"`
	Status     Status    `json:"status"`
	SessionKey string    `json:"sessionKey,omitzero"`
	Reply      string    `json:"reply,omitzero"`
	Delivery   *Delivery `json:"delivery,omitzero"`
	Error      string    `json:"error,omitzero"`
	// SentBeforeError says that the session has the message all the same.
	SentBeforeError bool   `json:"sentBeforeError,omitzero"`
	Stage           string `json:"stage,omitzero"`
}

// Delivery says what becomes of the announcement.
type Delivery struct {
	Status string `json:"status"` // pending or skipped
	Mode   string `json:"mode"`   // announce
}

// Send sends a message and waits for the reply as long as it says. Reply loop and
// announcement go on behind it; [Post.Wait] waits for them. What goes wrong stands
// in the receipt.
func (p *Post) Send(ctx context.Context, m Message) *Receipt {
	r := &Receipt{RunID: cmp.Or(m.Run, newID()), Status: Errored, Stage: NotStarted}
	from, to, err := p.parties(ctx, m)
	if err != nil {
		r.Error = err.Error()
		return r
	}
	r.SessionKey = to.Key
	hops := 1
	origin := r.RunID
	if m.Origin != nil {
		hops, origin = m.Origin.Hops+1, cmp.Or(m.Origin.Run, origin)
	}
	if why := p.refuses(from, to, hops); why != "" {
		r.Status, r.Error = Forbidden, why
		return r
	}
	forget := func() {}
	if m.Wait > 0 {
		var free bool
		if forget, free = p.await(from.Key, to.Key); !free {
			r.Status, r.Error = Forbidden, loop
			return r
		}
	}
	defer forget()
	f, err := p.flow(&flow{
		Run: r.RunID, From: from.Key, To: to.Key, Text: m.Text, Hops: hops, Origin: origin, Turns: p.turns(from),
		Child: to.Parent != "" && to.Parent == from.Key && (to.Background || m.Wait > 0),
	})
	if err != nil {
		r.Error = err.Error()
		return r
	}
	r.Delivery = &Delivery{Status: "pending", Mode: "announce"}
	if f.Child {
		r.Delivery.Status = "skipped"
	}
	p.start(f)
	return p.receive(ctx, f, r, m.Wait)
}

// receive waits for the first reply of a flow.
func (p *Post) receive(ctx context.Context, f *flow, r *Receipt, wait time.Duration) *Receipt {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	if wait > 0 {
		select {
		case <-f.first:
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	if f.leave() {
		r.Status, r.Stage = Accepted, Running
		return r
	}
	var e *model.Error
	switch err := f.firstErr; {
	case err == nil:
		r.Status, r.Stage, r.Reply = OK, "", f.First
		return r
	case errors.As(err, &e) && e.Kind == model.Timeout:
		r.Status, r.Error = TimedOut, err.Error()
	default:
		r.Error = err.Error()
	}
	r.Delivery, r.SentBeforeError = nil, f.sent
	if f.sent {
		r.Stage = AfterDeliver
	}
	return r
}

// turns is how long a reply loop may be (S-41).
func (p *Post) turns(from Peer) int {
	if strings.HasPrefix(from.Key, "cron:") {
		return 0
	}
	return p.o.Turns
}

// Wait waits until all flows are over.
func (p *Post) Wait() { p.flows.Wait() }

// Close ends all flows and waits for that. Those that are kept go on with
// [Post.Resume].
func (p *Post) Close() {
	p.stop()
	p.flows.Wait()
}

// parties finds the two sides of a message (S-31).
func (p *Post) parties(ctx context.Context, m Message) (from, to Peer, err error) {
	if strings.TrimSpace(m.Text) == "" {
		return from, to, ErrNothing
	}
	if m.From != "" {
		var ok bool
		if from, ok, err = p.o.Sessions.Find(m.From); err != nil || !ok {
			return from, to, cmp.Or(err, fmt.Errorf("there is no session %q to send from", m.From))
		}
	}
	var ok bool
	var what string
	switch {
	case m.SessionKey != "":
		what = fmt.Sprintf("session %q", m.SessionKey)
		to, ok, err = p.o.Sessions.Find(m.SessionKey)
	case m.Label != "":
		what = fmt.Sprintf("session with the label %q", m.Label)
		to, ok, err = p.o.Sessions.Labelled(m.Label, m.Agent)
	case m.Agent != "":
		what = fmt.Sprintf("agent %q", m.Agent)
		to, ok, err = p.o.Sessions.Main(ctx, m.Agent)
	default:
		return from, to, errors.New("sessionKey, label or agentId must say where the message goes")
	}
	switch {
	case err != nil:
	case !ok:
		err = fmt.Errorf("there is no %s", what)
	case strings.Contains(to.Key, ":thread:"):
		err = errors.New("a thread of a channel takes no messages of other sessions")
	}
	return from, to, err
}

const loop = "the session waits for this one: its reply would never come"

// refuses says why a message is not taken, "" if it is (S-32, S-B07).
func (p *Post) refuses(from, to Peer, hops int) string {
	if hops > p.o.MaxHops {
		return fmt.Sprintf("the message came through %d sessions already", hops-1)
	}
	if from.Key == "" {
		return "" // a person may
	}
	why := p.o.Access.permits(from, to, func(key string) string {
		peer, _, err := p.o.Sessions.Find(key)
		if err != nil {
			return ""
		}
		return peer.Parent
	})
	if why == "" && p.waitsFor(to.Key, from.Key) {
		why = loop
	}
	return why
}

// waitsFor reports whether a waits for b, at first or at second hand.
func (p *Post) waitsFor(a, b string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reaches(a, b, map[string]bool{})
}

func (p *Post) reaches(a, b string, seen map[string]bool) bool {
	if seen[a] {
		return false
	}
	seen[a] = true
	for next := range p.waits[a] {
		if next == b || p.reaches(next, b, seen) {
			return true
		}
	}
	return false
}

// await notes that from waits for to, unless to waits for from or is it.
func (p *Post) await(from, to string) (forget func(), ok bool) {
	if from == "" {
		return func() {}, true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if from == to || p.reaches(to, from, map[string]bool{}) {
		return func() {}, false
	}
	if p.waits[from] == nil {
		p.waits[from] = map[string]int{}
	}
	p.waits[from][to]++
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.waits[from][to]--; p.waits[from][to] == 0 {
			delete(p.waits[from], to)
		}
	}, true
}

// notice tells the requester that a message which was taken has failed (S-40).
func (p *Post) notice(ctx context.Context, f *flow, text string) error {
	from, ok, err := p.o.Sessions.Find(f.From)
	if err != nil || !ok {
		return err
	}
	prompt := Prompt{Body: text, Key: f.key("notice"), Origin: f.origin(f.To, "")}
	m, _ := prompt.stored()
	_, err = session.NewAppender(from.Path, session.WriteOptions{}).Append(ctx, transcript.NewMessageEntry(m))
	return err
}
