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

// mostMissed is how many messages are told one by one to a stream that comes
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
	seen  shown    // what the reader has
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
func (s *streaming) now() (shown, error) { return s.g.view(s.peer.Path, s.c.query.Get("leaf"), s.o) }

// open tells a reader what it does not have.
func (s *streaming) open(now shown) error {
	if back := s.missed(now); back >= 0 {
		return s.resume(now, back)
	}
	return s.page(now, false)
}

// missed returns where the messages go on that a reader who comes back did not see,
// -1 where all have to be sent: what it saw is not what there is, or the view was made
// again since.
func (s *streaming) missed(now shown) int {
	mark := s.c.r.Header.Get("Last-Event-ID")
	if mark == "" || now.session == nil || now.again {
		return -1
	}
	n := now.seen(mark)
	if len(now.messages)-n >= mostMissed {
		return -1
	}
	return n
}

// resume tells a reader who has the messages up to a place which of them changed
// behind it. Those that follow are news.
func (s *streaming) resume(now shown, from int) error {
	s.seen = now
	s.seen.messages = now.messages[:from]
	told := map[int]bool{}
	for i := len(now.late) - 1; i >= 0 && now.late[i].shown >= from; i-- {
		at := now.late[i].at
		if at >= from || told[at] {
			continue
		}
		told[at] = true
		if err := s.message("replace", "", now.messages[at]); err != nil {
			return err
		}
	}
	return nil
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
	case now.session == s.seen.session && now.made == s.seen.made && len(now.messages) == len(s.seen.messages):
	case now.made != s.seen.made && s.seen.session != nil || len(now.messages)-len(s.seen.messages) > mostMissed:
		if err := s.page(now, now.made == s.seen.made); err != nil {
			return err
		}
	default:
		if err := s.messages(now); err != nil {
			return err
		}
	}
	s.seen = now
	return s.end(last)
}

// messages tells of messages that came, and of those that changed since: only
// the last ones do. Each says what its reader has then, so the changes come last.
func (s *streaming) messages(now shown) error {
	had := len(s.seen.messages)
	for _, m := range now.messages[had:] {
		if err := s.message("message", now.marks.of(m), m); err != nil {
			return err
		}
	}
	var changed []*transcript.Message
	for i := max(0, had-projection.Window); i < had; i++ {
		if now.messages[i] != s.seen.messages[i] {
			changed = append(changed, now.messages[i])
		}
	}
	for i, m := range changed {
		mark := ""
		if i == len(changed)-1 {
			mark = now.marks.last()
		}
		if err := s.message("replace", mark, m); err != nil {
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
	s.seen = now
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
	if !s.live || last == s.ended {
		return nil
	}
	if s.ended = last; s.has.RunID == last {
		s.has = inFlight{}
	}
	return s.event("end", "", struct {
		RunID string `json:"runId"`
	}{last})
}
