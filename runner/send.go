package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hygeia/runner/model"
	"hygeia/session"
	"hygeia/transcript"
)

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
	why, err := p.refuses(ctx, from, to, hops)
	if err != nil {
		r.Error = err.Error()
		return r
	}
	if why != "" {
		r.Status, r.Error = Forbidden, why
		return r
	}
	forget := func() {}
	if m.Wait > 0 {
		var free bool
		if forget, free, err = p.waits.await(ctx, from.Key, to.Key, r.RunID); err != nil {
			r.Error = err.Error()
			return r
		}
		if !free {
			r.Status, r.Error = Forbidden, loop
			return r
		}
	}
	defer forget()
	f, err := p.flow(&flow{
		Run: r.RunID, From: from.Key, To: to.Key, Text: m.Text, Hops: hops, Origin: origin, Turns: p.turns(from), WaitMs: m.Wait.Milliseconds(),
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
	if m.Wait == 0 {
		f.leave() // however soon the reply comes
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
		to, ok, err = p.labelled(from, m)
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

// ErrAmbiguous says that several sessions have a label.
var ErrAmbiguous = errors.New("several sessions have the label")

// labelled finds the session with a label, of those that the sender may reach if there
// are any: every session may have started one of that label (S-31).
func (p *Post) labelled(from Peer, m Message) (to Peer, ok bool, err error) {
	list, err := p.o.Sessions.Labelled(m.Label, m.Agent)
	if err != nil || len(list) == 0 {
		return Peer{}, false, err
	}
	if within := slices.DeleteFunc(slices.Clone(list), func(to Peer) bool { return p.outOfReach(from, to) != "" }); len(within) > 0 {
		list = within
	}
	if len(list) > 1 {
		return Peer{}, false, fmt.Errorf("%w %q: agentId or sessionKey has to say which", ErrAmbiguous, m.Label)
	}
	return list[0], true, nil
}

// outOfReach says why a session may not send to another one, "" if it may (S-32).
func (p *Post) outOfReach(from, to Peer) (why string) {
	if from.Key == "" {
		return "" // a person may
	}
	return p.o.Access.permits(from, to, func(key string) string {
		peer, _, err := p.o.Sessions.Find(key)
		if err != nil {
			return ""
		}
		return peer.Parent
	})
}

// refuses says why a message is not taken, "" if it is (S-32, S-B07).
func (p *Post) refuses(ctx context.Context, from, to Peer, hops int) (why string, err error) {
	if hops > p.o.MaxHops {
		return fmt.Sprintf("the message came through %d sessions already", hops-1), nil
	}
	if why = p.outOfReach(from, to); why != "" || from.Key == "" {
		return why, nil
	}
	loops, err := p.waits.reaches(ctx, to.Key, from.Key)
	if loops {
		why = loop
	}
	return why, err
}

// notice tells the requester that a message which was taken has failed (S-40).
func (p *Post) notice(ctx context.Context, f *flow, text string) error {
	from, ok, err := p.o.Sessions.Find(f.From)
	if err != nil || !ok {
		return err
	}
	prompt := Prompt{Body: text, Key: f.key("notice"), Origin: f.origin(f.To, "")}
	r, err := p.o.Runner(from)
	if err != nil {
		return err
	}
	leave, err := Claim(ctx, from.Path, r.o.Wait, nil) // a run under way would not see it
	if err != nil {
		return err
	}
	defer leave()
	m, _ := prompt.stored()
	m, _ = r.sealed(m)
	_, err = session.NewAppender(from.Path, session.WriteOptions{}).Append(ctx, transcript.NewMessageEntry(m))
	return err
}
