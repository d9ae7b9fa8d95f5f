package acp

import (
	"cmp"
	"context"
	"strings"

	"hygeia"
	"hygeia/projection"
	"hygeia/runner"
	"hygeia/session"
	"hygeia/transcript"
)

// load binds a session and tells what was said in it (H-73, H-B09).
func (s *server) load(ctx context.Context, p opening) (any, error) {
	peer, err := s.rebind(p)
	if err != nil {
		return nil, err
	}
	return later(func() (any, error) {
		shown, err := s.history(peer)
		if err != nil {
			return nil, err
		}
		t := s.teller(p.SessionID)
		for _, m := range shown {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			t.message(m)
		}
		t.finish()
		info := s.infoOf(peer)
		s.tell(p.SessionID, update{Kind: infoUpdate, Title: info.Title, UpdatedAt: info.UpdatedAt})
		s.tell(p.SessionID, update{Kind: commandUpdate, Commands: &[]string{}})
		return opened{}, nil
	}), nil
}

// history returns what is shown of a session as it is stored, nothing for one without
// a file.
func (s *server) history(p runner.Peer) ([]*transcript.Message, error) {
	t, err := hygeia.Open(p.Path, hygeia.OpenOptions{Format: hygeia.FormatSession, Session: session.OpenOptions{AsIs: true}})
	if session.IsMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return t.History(projection.Options{Thinking: true, Tools: true, Started: p.Started, Redact: s.redactor.Text})
}

// message tells a message that is shown.
func (t *teller) message(m *transcript.Message) {
	told := projection.MetaOf(m)
	about := &meta{Entry: told.ID, Kind: told.Kind, Sender: projection.OneLine(told.Sender)}
	kind := ""
	switch {
	case m.Is(transcript.ToolResult):
		t.result(m.ToolCallID(), m.ToolName(), words(m), m.IsError())
		return
	case m.Is(transcript.User):
		kind = userChunk
	case m.Is(transcript.Assistant):
		kind = messageChunk
	default: // nobody's words: a compaction, a note
		kind, about.Kind = thoughtChunk, cmp.Or(told.Kind, projection.KindNote)
	}
	if text, ok := plainText(m); ok {
		t.say(kind, text, about)
		return
	}
	for _, b := range m.Blocks() {
		switch {
		case b.IsThinking():
			t.say(thoughtChunk, t.redact(b.Text()), about)
		case b.IsToolCall():
			known := t.call(b.ID(), b.Name(), about)
			arguments := b.Get("arguments")
			if input := t.input(arguments.Raw); input != nil {
				t.tell(update{Kind: toolUpdate, CallID: known, Status: inProgress, Input: input})
			}
		case b.Get("text").IsString():
			t.say(kind, b.Get("text").String(), about)
		}
	}
}

// plainText returns the text of a message that has no blocks, also in the older form
//
func plainText(m *transcript.Message) (string, bool) {
	if text := m.Text(); text.Exists() {
		return text.String(), true
	}
	old := m.Get("text")
	return old.String(), old.IsString() && len(m.Blocks()) == 0
}

// words returns the texts of a message.
func words(m *transcript.Message) string {
	if text, ok := plainText(m); ok {
		return text
	}
	var list []string
	for _, b := range m.Blocks() {
		if text := b.Get("text"); text.IsString() {
			list = append(list, text.String())
		}
	}
	return strings.Join(list, "\n")
}

// plain is a text for a title: without secrets, on one line.
func (s *server) plain(text string) string { return projection.OneLine(s.redactor.Text(text)) }
