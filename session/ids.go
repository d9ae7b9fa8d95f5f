package session

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"hygeia/internal/jsonline"
	"hygeia/session/internal/lines"
	"hygeia/transcript"
)

// identify gives every entry an id of its own: version 1 stored none (F-15),
// and a file may hold one twice (F-B12).
func (c *collector) identify() {
	s := c.s
	if s.version() == 1 {
		for _, d := range c.digests {
			s.rename(d.i, d.sum)
			if s.nodes[d.i].kind == loose {
				s.nodes[d.i].kind = opaque
			}
		}
	}
	s.separate(c.repeats)
	// A torn record answers for its id only where no whole one does.
	for i, n := range s.nodes {
		if n.kind != lost {
			continue
		}
		if id := s.entries[i].ID; !s.has(id) {
			s.index[id] = int32(i)
		}
	}
	for _, i := range c.odd {
		s.settle(i)
	}
}

func (s *Session) has(id string) bool {
	_, ok := s.index[id]
	return ok
}

// separate gives the later holders of an id ids of their own (D-27).
func (s *Session) separate(repeats []int32) {
	for _, i := range repeats {
		id := s.entries[i].ID
		if s.holders == nil {
			s.holders = map[string][]int32{}
		}
		if s.holders[id] == nil {
			s.holders[id] = []int32{s.index[id]}
		}
		s.holders[id] = append(s.holders[id], i)
		sum := sha256.Sum256(fmt.Appendf(nil, "%s:%d", id, len(s.holders[id])))
		s.rename(i, hex.EncodeToString(sum[:]))
		s.problem(i, "F-B12", "id %s stands already on line %d; read as %s", id, s.nodes[s.index[id]].line, s.entries[i].ID)
	}
}

// rename gives record i the first digits of sum that are no other's id.
func (s *Session) rename(i int32, sum string) {
	n := 8
	for n < len(sum) && s.has(sum[:n]) {
		n += 4
	}
	s.entries[i].ID = sum[:n]
	s.index[sum[:n]] = i
}

// version is the one whose rules hold for the links. One that this reader does
// not know is read as 3, or as 1 if the first record has no id.
func (s *Session) version() int {
	switch v := s.header.Version; {
	case 1 <= v && v <= 3:
		return v
	case v < 1 && len(s.entries) > 0 && s.entries[0].ID == "":
		return 1
	}
	return 3
}

// hookMessage is what versions 1 and 2 called a custom message (F-16).
const hookMessage transcript.Role = "hookMessage"

// settle finds out whether record i is an entry, and reports it if not.
func (s *Session) settle(i int32) {
	n, e := &s.nodes[i], s.entries[i]
	if e.ID == "" {
		n.kind = loose
	}
	switch {
	case n.typ == header:
		s.note(i, "F-11", "a further header")
	case n.typ == other:
		s.note(i, "F-14", "%s", describe(e))
	case n.typ == message && !lines.HasMessage(e):
		s.problem(i, "F-51", "a message entry without a message that has a role")
	case e.ID == "":
		s.problem(i, "F-14", "an entry of type %s without an id", e.Type)
	case n.typ == message && s.version() < 3 && e.Message.Is(hookMessage):
		e.Message = e.Message.With("role", jsonline.Text(string(transcript.Custom)))
	}
}
