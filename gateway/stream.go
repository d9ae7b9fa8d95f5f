package gateway

import (
	"mime"
	"net/http"
	"slices"
	"strings"

	"hygeia/projection"
	"hygeia/runner"
	"hygeia/transcript"
)

// mostMissed is how many changes are told one by one to a stream that comes
// back or fell behind; beyond it the page is sent again (H-B03).
const mostMissed = 500

// streaming is one open stream.
type streaming struct {
	events
	peer  runner.Peer
	o     projection.Options
	limit int
	live  bool
	parts bool
	seen  shown    // what the reader was shown last
	told  int      // how many of the events that made it the reader knows
	count int      // how many messages they made
	has   inFlight // of the running answer
	ended string   // the run whose end the reader knows
}

func acceptsStream(r *http.Request) bool {
	for _, part := range strings.Split(r.Header.Get("Accept"), ",") {
		if t, _, err := mime.ParseMediaType(strings.TrimSpace(part)); err == nil && t == "text/event-stream" {
			return true
		}
	}
	return false
}

// stream tells of a session until the reader leaves (H-42, H-B03, H-B04).
func (g *Gateway) stream(c *call, p runner.Peer, limit int, o projection.Options, live, parts bool) error {
	wake, leave, err := g.feeds.join(p.Path, c.who, g.MaxStreams)
	if err != nil {
		return err
	}
	defer leave()
	s := &streaming{events: g.events(c), peer: p, o: o, limit: limit, live: live, parts: parts, ended: g.runs.last(p.Key)}
	now, err := s.now()
	if err != nil {
		return err
	}
	if err = s.begin(); err == nil {
		err = s.open(now)
	}
	if err == nil {
		err = s.last(wake, s.news)
	}
	_ = err // the reader left, or the right ended: nothing more can be told
	return errStreamed
}

// now returns what is shown.
func (s *streaming) now() (shown, error) { return s.g.view(s.peer, s.c.query.Get("leaf"), s.o) }

// open tells a reader what it does not have.
func (s *streaming) open(now shown) error {
	if back := s.missed(now); back >= 0 {
		s.seen, s.told, s.count = now, back, 0 // what follows is news
		for _, e := range now.events[:back] {
			s.count = max(s.count, e.At+1)
		}
		return nil
	}
	return s.page(now, false)
}

// missed returns where the events go on that a reader who comes back did not see, -1
// where all has to be sent: what it saw is not what there is.
func (s *streaming) missed(now shown) int {
	mark := s.c.r.Header.Get("Last-Event-ID")
	if mark == "" || now.session == nil {
		return -1
	}
	n := now.marks.seen(mark)
	if len(now.events)-n >= mostMissed {
		return -1
	}
	return n
}

// news tells the difference between what the reader has and what there is.
func (s *streaming) news() error {
	last := s.g.runs.last(s.peer.Key) // what it left is in the file
	now, err := s.now()
	if err != nil {
		return err
	}
	if err := s.delta(); err != nil { // in front of the message that it becomes
		return err
	}
	switch {
	case now.made == s.seen.made && len(now.events) == s.told:
	case now.made != s.seen.made && s.seen.session != nil || len(now.events)-s.told > mostMissed:
		if err := s.page(now, now.made == s.seen.made); err != nil {
			return err
		}
	default:
		if err := s.changes(now); err != nil {
			return err
		}
	}
	s.seen = now
	return s.end(last)
}

// changes tells what happened since, each step as it was: the mark of an event names
// the state that its reader has then.
func (s *streaming) changes(now shown) error {
	for _, e := range now.events[s.told:] {
		s.told++
		name := "replace"
		if e.At == s.count {
			name = "message"
			s.count++
		}
		if err := s.message(name, now.marks.behind(s.told), e.Message); err != nil {
			return err
		}
	}
	return nil
}

func (s *streaming) message(event, mark string, m *transcript.Message) error {
	meta := projection.MetaOf(m)
	return s.event(event, mark, struct {
		SessionKey string  `json:"sessionKey"`
		Message    rawJSON `json:"message"`
		MessageID  string  `json:"messageId,omitempty"`
		MessageSeq int     `json:"messageSeq,omitzero"`
	}{s.peer.Key, renderOne(m, s.parts), meta.ID, meta.Seq})
}

// page sends the newest messages anew.
func (s *streaming) page(now shown, gap bool) error {
	p, err := s.g.pageOf(s.peer, now, s.limit, "", s.parts)
	if err != nil {
		return err
	}
	p.Items, p.Gap, p.InFlightRun = nil, gap, nil
	s.seen, s.told, s.count = now, len(now.events), len(now.messages)
	return s.event("history", now.marks.last(), p)
}

// delta tells how the running answer grew (H-30, H-B03): its text, what is thought
// where the reader asked for that, and the calls that are being made, with their
// arguments where it asked for tools.
func (s *streaming) delta() error {
	run := s.g.runs.inFlight(s.peer.Key)
	if !s.live || run == nil {
		return nil
	}
	if !s.o.Thinking {
		run.Thinking = ""
	}
	for i := range run.Calls {
		if !s.o.Tools {
			run.Calls[i].Arguments = ""
		}
	}
	had := s.has
	if run.RunID != had.RunID {
		had = inFlight{}
	}
	same := slices.Equal(run.Calls, had.Calls)
	if run.RunID == s.has.RunID && run.Text == had.Text && run.Thinking == had.Thinking && same {
		return nil
	}
	s.has = *run
	e := struct {
		RunID           string                `json:"runId"`
		DeltaText       string                `json:"deltaText"`
		Replace         bool                  `json:"replace,omitzero"`
		DeltaThinking   string                `json:"deltaThinking,omitempty"`
		ReplaceThinking bool                  `json:"replaceThinking,omitzero"`
		Calls           *[]runner.GrowingCall `json:"calls,omitempty"` // all of them, where they changed
	}{RunID: run.RunID}
	e.DeltaText, e.Replace = grown(had.Text, run.Text)
	e.DeltaThinking, e.ReplaceThinking = grown(had.Thinking, run.Thinking)
	e.Replace = e.Replace || had.RunID == ""
	if !same {
		calls := append([]runner.GrowingCall{}, run.Calls...)
		e.Calls = &calls
	}
	return s.event("delta", "", e)
}

// grown returns what a text has more than before, or all of it where it has changed.
func grown(before, now string) (more string, replaced bool) {
	if more, ok := strings.CutPrefix(now, before); ok {
		return more, false
	}
	return now, true
}

// end tells that a run is over, behind the messages that it left.
func (s *streaming) end(last string) error {
	if !s.live || last == s.ended || last == "" { // of so many runs this one is forgotten
		return nil
	}
	if s.ended = last; s.has.RunID == last {
		s.has = inFlight{}
	}
	return s.event("end", "", struct {
		RunID string `json:"runId"`
	}{last})
}
