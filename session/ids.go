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
func (s *Session) identify(digests []digest) {
	s.index = make(map[string]int32, len(s.entries))
	var repeats []int32
	for i, e := range s.entries {
		if e.ID == "" || s.nodes[i].kind == lost || e.Type == transcript.EntrySession {
			continue
		}
		if _, ok := s.index[e.ID]; ok {
			repeats = append(repeats, int32(i))
			continue
		}
		s.index[e.ID] = int32(i)
	}
	if s.version() == 1 {
		for _, d := range digests {
			s.rename(d.i, d.sum)
			if s.nodes[d.i].kind == loose {
				s.nodes[d.i].kind = opaque
			}
		}
	}
	s.separate(repeats)
	// A torn record answers for its id only where no whole one does.
	for i, e := range s.entries {
		if s.nodes[i].kind != lost {
			continue
		}
		if _, ok := s.index[e.ID]; !ok {
			s.index[e.ID] = int32(i)
		}
	}
	s.sort()
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
	for n < len(sum) {
		if _, ok := s.index[sum[:n]]; !ok {
			break
		}
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

// sort settles what is an entry, and reports what is not.
func (s *Session) sort() {
	for i := range s.nodes {
		n, e, at := &s.nodes[i], s.entries[i], int32(i)
		if n.kind == lost {
			continue
		}
		if e.ID == "" {
			n.kind = loose
		}
		switch {
		case e.Type == transcript.EntrySession:
			s.note(at, "F-11", "a further header")
		case !lines.Known(e.Type):
			s.note(at, "F-14", "%s", describe(e))
		case e.Type == transcript.EntryMessage && !lines.HasMessage(e):
			s.problem(at, "F-51", "a message entry without a message that has a role")
		case e.ID == "":
			s.problem(at, "F-14", "an entry of type %s without an id", e.Type)
		case s.version() < 3 && e.Message != nil && e.Message.Is("hookMessage"):
			e.Message = e.Message.With("role", jsonline.Text(string(transcript.Custom))) // F-16
		}
	}
}
