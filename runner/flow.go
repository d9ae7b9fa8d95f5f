package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"hygeia/internal/texts"
	"hygeia/internal/wrappers"
	"hygeia/session"
	"hygeia/transcript"
)

// sendTool is the name of the tool, and the sourceTool of what it sends (S-03).
const sendTool = "sessions_send"

// flow is what follows from one message: the first reply, the replies to replies,
// the announcement (file 60 §5). Its exported fields are what is kept of it.
type flow struct {
	Run, From, To, Text string
	Hops                int
	Origin              string // run in which the chain began
	Turns               int
	WaitMs              int64 // how long the sender waits for the first reply
	Child               bool  // nothing is announced (S-34)
	// Turn is the next step: 0 is the first reply, Turns+1 the announcement. First
	// and Last are the first reply and the latest.
	Turn        int
	First, Last string

	first    chan struct{} // closed when the first reply is there, or will not come
	firstErr error
	sent     bool          // the session has the message
	lock     *session.Lock // of the file in which it is kept, nil for none
	resumed  bool          // it was kept, and cut short
	over     bool          // an earlier flow of this run was not cut short

	mu   sync.Mutex
	left bool // nobody waits for the first reply any more
}

// leave says that nobody waits for the first reply any more, unless it is there.
func (f *flow) leave() (left bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case <-f.first:
	default:
		f.left = true
	}
	return f.left
}

// settle says that the first reply is there, or why it will not come, and whether
// somebody waits for it.
func (f *flow) settle(err error) (awaited bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.firstErr = err
	close(f.first)
	return !f.left
}

func (f *flow) key(step string) string { return f.Run + ":" + step }

func (f *flow) origin(from, channel string) *Origin {
	return &Origin{Kind: transcript.InterSession, Session: from, Channel: channel, Tool: sendTool, Run: f.Origin, Hops: f.Hops}
}

// start lets a flow run. It goes on when the caller's context ends.
func (p *Post) start(f *flow) {
	p.count(1)
	go func() {
		defer p.count(-1)
		defer f.unlock()
		err := p.follow(p.ctx, f)
		if p.ctx.Err() != nil {
			return // it is kept
		}
		if err != nil && p.o.Failed != nil {
			p.o.Failed(f.Run, err)
		}
		if err == nil || f.firstErr != nil || errors.Is(err, ErrLate) {
			// A flow that failed later stays, to be taken up again.
			if err := p.forget(f); err != nil && p.o.Failed != nil {
				p.o.Failed(f.Run, err)
			}
		}
	}()
}

// ErrLate says that a first reply came when nobody waited for it any more: it is
// stored in its session, and nothing follows from it (S-40).
var ErrLate = errors.New("the first reply took too long, nothing follows from it")

// patience is how long a flow waits for its first reply: as long as the sender does,
// and then once more as long, up to [PostOptions.Patience] (S-40).
func (p *Post) patience(f *flow) time.Duration {
	wait := time.Duration(f.WaitMs) * time.Millisecond
	return wait + min(cmp.Or(wait, p.o.Patience), p.o.Patience)
}

// Resume takes up the flows that were cut short, and returns their runs. What they
// did is not done again (S-B08).
func (p *Post) Resume() ([]string, error) {
	list, err := p.kept()
	if err != nil {
		return nil, err
	}
	var runs []string
	for _, f := range list {
		runs = append(runs, f.Run)
		f.leave()
		p.start(f)
	}
	return runs, nil
}

// follow takes the steps of a flow from where it stands.
func (p *Post) follow(ctx context.Context, f *flow) error {
	from, to, err := p.sides(f)
	began := time.Now()
	if err == nil && f.Turn == 0 {
		err = p.firstReply(ctx, f, from, to)
	}
	if err != nil {
		if awaited := f.settle(err); f.sent && !awaited && f.From != "" && !errors.Is(err, ErrLate) {
			err = errors.Join(err, p.notice(ctx, f, texts.SendFailed+"\n"+err.Error()))
		}
		return err
	}
	if awaited := f.settle(nil); !awaited && time.Since(began) > p.patience(f) {
		return ErrLate
	}
	if f.over || !deliverable(f.Last) {
		return nil // S-40
	}
	for f.Turn <= f.Turns && f.From != "" && f.From != f.To {
		more, err := p.reply(ctx, f, from, to)
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	return p.announce(ctx, f, from, to)
}

func (p *Post) sides(f *flow) (from, to Peer, err error) {
	var ok bool
	if f.From != "" {
		if from, ok, err = p.o.Sessions.Find(f.From); err != nil || !ok {
			return from, to, errors.Join(err, fmt.Errorf("session %q is gone", f.From))
		}
	}
	if to, ok, err = p.o.Sessions.Find(f.To); err != nil || !ok {
		return from, to, errors.Join(err, fmt.Errorf("session %q is gone", f.To))
	}
	return from, to, nil
}

// firstReply is the first step (S-33, S-40). Where nobody waits for it and the
// session is that of a single run which is active, it becomes a part of that run.
func (p *Post) firstReply(ctx context.Context, f *flow, from, to Peer) error {
	prompt := Prompt{Body: f.Text, System: texts.SendRoles, Key: f.key("0"), Origin: f.origin(from.Key, from.Channel)}
	var l *letter
	if f.WaitMs == 0 && ownRun(to.Key) {
		var err error
		if l, err = offer(to.Path, prompt); err != nil {
			return err
		}
	}
	text, err := p.step(ctx, f, to, prompt)
	if l != nil && ctx.Err() == nil && l.remove() { // else the flow goes on later
		f.sent, f.over = true, false
		if errors.Is(err, session.ErrLocked) {
			err = ErrLate
		}
	}
	if err != nil {
		return err
	}
	f.First, f.Last, f.Turn = text, text, 1
	return p.keep(f)
}

// reply is a step of the reply loop: the requester answers first (S-41). More says
// whether another one may follow.
func (p *Post) reply(ctx context.Context, f *flow, from, to Peer) (more bool, err error) {
	who, other, role := from, to, texts.LoopRequester
	if f.Turn%2 == 0 {
		who, other, role = to, from, texts.LoopTarget
	}
	text, err := p.step(ctx, f, who, Prompt{
		Body: f.Last, System: fmt.Sprintf(role, f.Turn, f.Turns), Key: f.key(strconv.Itoa(f.Turn)), Origin: f.origin(other.Key, other.Channel),
	})
	if err != nil {
		return false, err
	}
	if more = strings.TrimSpace(text) != texts.ReplySkip && deliverable(text); more {
		f.Last = text
		f.Turn++
	} else {
		f.Turn = f.Turns + 1
	}
	return more, p.keep(f)
}

// announce is the last step (S-42).
func (p *Post) announce(ctx context.Context, f *flow, from, to Peer) error {
	text := f.Last
	if f.Child {
		return nil
	}
	if from.Key != to.Key || from.Channel != to.Channel {
		var err error
		text, err = p.step(ctx, f, to, Prompt{
			Hidden: paragraphs(texts.AnnounceTask, texts.AnnounceRequest+"\n"+f.Text, texts.AnnounceFirst+"\n"+f.First,
				texts.AnnounceLatest+"\n"+f.Last),
			Key: f.key("announce"), Origin: f.origin(from.Key, from.Channel),
		})
		if err != nil {
			return err
		}
	}
	if strings.TrimSpace(text) == texts.AnnounceSkip || !deliverable(text) || p.o.Deliver == nil {
		return nil
	}
	return p.o.Deliver(ctx, to, text)
}

// step runs one prompt in a session.
func (p *Post) step(ctx context.Context, f *flow, who Peer, prompt Prompt) (string, error) {
	r, err := p.o.Runner(who)
	if err != nil {
		return "", err
	}
	res, err := r.Run(ctx, who.Path, prompt, func(e Event) {
		if e.Kind == Waiting && p.o.Waiting != nil {
			p.o.Waiting(f.Run, e.Text)
		}
	})
	if f.Turn == 0 {
		f.sent, f.over = res.Requests > 0, res.Repeated && !f.resumed
	}
	if err != nil {
		return "", fmt.Errorf("session %s: %w", who.Key, err)
	}
	return res.Text, nil
}

// deliverable reports whether a reply is passed on (S-43).
func deliverable(text string) bool {
	return strings.TrimSpace(text) != "" && !wrappers.IsNonDeliverable(text)
}
