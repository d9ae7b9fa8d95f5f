package projection

import (
	"hygeia/transcript"
)

// DefaultMaxText is the length limit of a shown text in characters as people
// count them (X-53, X-B15).
const DefaultMaxText = 8000

// Options says what people want to see. The zero value shows words only:
// without thinking, and without the calls of turns that also speak.
type Options struct {
	// MaxText is the greatest length of a text or thinking, in characters as
	// people count them; 0 means no limit.
	MaxText int
	// Thinking shows thinking blocks (X-B10).
	Thinking bool
	// Tools shows the calls of turns that also have text (X-56, X-B10).
	Tools bool
	// Raw leaves control text that models write as prose (X-B02).
	Raw bool
	// Heartbeat is the heartbeat prompt of the configuration, or "".
	Heartbeat string
	// Started is when the session began, in epoch milliseconds, 0 if unknown.
	// Announcements from before do not belong to it.
	Started float64
	// Redact takes secrets out of a shown text (X-B17). It must be pure and
	// idempotent; nil leaves texts as they are.
	Redact func(text string) string
}

// Project returns the messages that are shown for a stored list, oldest first.
// The list and its messages are not changed.
func Project(messages []*transcript.Message, o Options) []*transcript.Message {
	p := NewProjector(o)
	var shown []*transcript.Message
	for _, m := range messages {
		for _, e := range p.Push(m) {
			shown = e.Apply(shown)
		}
	}
	return shown
}

// Event is one change of the shown list.
type Event struct {
	// At is the position in the shown list that the message takes: its length
	// for a message that is added, less for one that is replaced.
	At      int
	Message *transcript.Message
}

// Apply returns the list after the event.
func (e Event) Apply(shown []*transcript.Message) []*transcript.Message {
	if e.At == len(shown) {
		return append(shown, e.Message)
	}
	shown[e.At] = e.Message
	return shown
}

// Window is how many shown messages back a later one may reach: only those can be
// replaced (X-B11).
const Window = 64

// Projector shows stored messages one after the other. It remembers a bounded
// number of them, so that a view of any length can stay open. It is not safe
// for concurrent use.
type Projector struct {
	o         Options
	count     int                   // messages shown
	recent    []*transcript.Message // the last of them, before the length limit
	mirrors   []mirror
	heartbeat bool // the turn at hand answers a heartbeat
	old       bool // the message before was an announcement from before the session
}

// NewProjector returns a projector at the beginning of a list.
func NewProjector(o Options) *Projector { return &Projector{o: o} }

// Push takes the next stored message and returns what changes in the shown
// list: nothing if the message is hidden.
func (p *Projector) Push(m *transcript.Message) []Event {
	if !m.IsObject() {
		return nil // F-B13: no message
	}
	old := p.old
	p.old = p.isOld(m) && announced(m)
	if old && m.Is(transcript.Assistant) && p.isOld(m) {
		return nil
	}
	s := p.strip(m)
	if s.kind == userTurn {
		p.heartbeat = s.heartbeat
	}
	if events, done := p.mirror(m, s); done {
		return events
	}
	if p.hides(s) {
		return nil
	}
	shown := p.show(s)
	if at, merged := p.supplement(shown); merged != nil {
		return p.replace(at, merged)
	}
	if p.doubles(shown) {
		return nil
	}
	return p.add(shown)
}

func (p *Projector) isOld(m *transcript.Message) bool {
	at, ok := m.Timestamp()
	return ok && at < p.o.Started
}

func (p *Projector) add(m *transcript.Message) []Event {
	e := Event{At: p.count, Message: p.limit(m)}
	p.count++
	if len(p.recent) == Window {
		copy(p.recent, p.recent[1:])
		p.recent = p.recent[:Window-1]
	}
	p.recent = append(p.recent, m)
	return []Event{e}
}

// replace shows m in the place of the message at that index of recent.
func (p *Projector) replace(at int, m *transcript.Message) []Event {
	p.recent[at] = m
	return []Event{{At: p.count - len(p.recent) + at, Message: p.limit(m)}}
}

// last returns the message shown last, nil at the beginning.
func (p *Projector) last() *transcript.Message {
	if len(p.recent) == 0 {
		return nil
	}
	return p.recent[len(p.recent)-1]
}
