package runner

import (
	"cmp"
	"context"
	"strings"
	"sync"
	"time"
)

// Post carries prompts from one session to another (file 60). It is safe for
// concurrent use, and several may share their State: a flow is that of one of them.
type Post struct {
	o PostOptions

	ctx  context.Context // of the flows
	stop context.CancelFunc

	waits waits

	mu    sync.Mutex
	flows int       // under way
	idle  sync.Cond // told when there are none; a WaitGroup panics if one begins while somebody waits
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
	// Patience is how long at most a flow goes on waiting for the first reply when
	// the sender does not any more, 0 means 60 s (S-40).
	Patience time.Duration
	// State is the folder in which flows are kept until they are over, so that they
	// go on after a crash (S-B08), and in which posts of all processes see who waits
	// for whom (S-B07). "" keeps them in memory alone.
	State string
	// Deliver posts what a session announces to its channel, nil for nowhere.
	Deliver func(ctx context.Context, to Peer, text string) error
	// Failed is told what went wrong in a flow that nobody waits for any more, and
	// Waiting which process a flow waits for. Nil where nobody asks.
	Failed  func(run string, err error)
	Waiting func(run, what string)
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
	o.Patience = cmp.Or(o.Patience, time.Minute)
	p := &Post{o: o}
	p.idle.L = &p.mu
	p.waits.folder = o.State
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

// turns is how long a reply loop may be (S-41).
func (p *Post) turns(from Peer) int {
	if strings.HasPrefix(atAgent(from.Key), "cron:") {
		return 0
	}
	return p.o.Turns
}

// Wait waits until all flows are over.
func (p *Post) Wait() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.flows > 0 {
		p.idle.Wait()
	}
}

// count notes that a flow begins, or with -1 that one is over.
func (p *Post) count(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.flows += n; p.flows == 0 {
		p.idle.Broadcast()
	}
}

// Close ends all flows and waits for that. Those that are kept go on with
// [Post.Resume].
func (p *Post) Close() {
	p.stop()
	p.Wait()
}
