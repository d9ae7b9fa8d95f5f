package session

import (
	"hygeia/internal/jsonline"
	"hygeia/session/internal/lines"
	"hygeia/transcript"
)

// renamed implements witness.
func (s *Session) renamed(i int32, id string, first int32) {
	old := s.entries[i].ID
	s.entries[i].ID = id
	if first != none {
		s.problem(i, "F-B12", "id %s stands already on line %d; read as %s", old, s.places[first].line, id)
	}
}

// hookMessage is what versions 1 and 2 called a custom message (F-16).
const hookMessage transcript.Role = "hookMessage"

// settle reports record i if it is no entry, and brings it to version 3.
func (s *Session) settle(i int32) {
	n, e := s.nodes[i], s.entries[i]
	switch {
	case n.typ == header:
		s.note(i, "F-11", "a further header")
	case n.typ == other:
		s.note(i, "F-14", "%s", describe(e))
	case n.typ == message && !lines.HasMessage(e):
		s.problem(i, "F-51", noMessage)
	case e.ID == "":
		s.problem(i, "F-14", "an entry of type %s without an id", e.Type)
	case n.typ == message && s.version < 3 && e.Message.Is(hookMessage):
		e.Message = e.Message.With("role", jsonline.Text(string(transcript.Custom)))
	}
}

const noMessage = "a message entry without a message that has a role"
