package runner

import (
	"strconv"

	"hygeia/internal/jsonline"
	"hygeia/session"
	"hygeia/transcript"
)

// live is the context of a session in memory: what a replay of the file would
// start from, kept in step with what is appended to it.
type live struct {
	context *transcript.Context
	reader  transcript.Reader
	entries int  // on the branch, which is the position of the next one
	owned   bool // the list of messages is this one's
}

// load reads the context of the branch that ends at leaf, "" for the active one.
// A nil session is a new one.
func (l *live) load(s *session.Session, leaf string) error {
	l.context, l.entries, l.owned = transcript.NewContext(nil), 0, false
	if s == nil {
		return nil
	}
	b, err := s.Branch(leaf)
	if err != nil {
		return err
	}
	l.context, l.entries = b.Context(), len(b.Entries())
	return nil
}

// added takes an entry over that was appended to the branch (F-71).
func (l *live) added(e *transcript.Entry) {
	switch m := e.Message; {
	case e.Type == transcript.EntryCompaction:
		// what stays is read anew
	case m != nil:
		l.append(m, e.ID)
	case e.Type == transcript.EntryCustomMessage:
		if m := l.customMessage(e); m != nil {
			l.append(m, e.ID)
		}
	}
	l.entries++
}

func (l *live) append(m *transcript.Message, entry string) {
	c := l.context
	m = m.WithOrigin(transcript.Origin{Entry: entry, Index: len(c.Messages), Position: l.entries})
	if !l.owned { // the list of a session that was read is not ours to append to
		c.Messages, l.owned = append(make([]*transcript.Message, 0, 2*len(c.Messages)+8), c.Messages...), true
	}
	c.Messages = append(c.Messages, m)
}

// customMessage returns the message that an entry of that type gives.
func (l *live) customMessage(e *transcript.Entry) *transcript.Message {
	text := []byte(`{"role":"custom"`)
	for _, name := range []string{"customType", "content", "display", "details"} {
		if v := e.Get(name); v.Exists() {
			text = append(append(jsonline.AppendQuoted(append(text, ','), name), ':'), v.Raw...)
		}
	}
	ms, _ := e.Timestamp()
	text = strconv.AppendFloat(append(text, `,"timestamp":`...), ms, 'f', -1, 64)
	m, err := l.reader.Message(append(text, '}'))
	if err != nil {
		return nil // not reached: every member was read from JSON
	}
	return m
}

// cut takes everything from message i on out of the context.
func (l *live) cut(i int) {
	c := l.context
	l.entries = c.Messages[i].Origin.Position
	c.Messages, l.owned = c.Messages[:i], false
}

// last returns the index of the last message, -1 for none.
func (l *live) last() int { return len(l.context.Messages) - 1 }
