package session

import (
	"fmt"
	"slices"

	"hygeia/transcript"
)

// Branch is one way through the tree, from a root to a leaf (F-24).
type Branch struct {
	s    *Session
	path []int32
}

// Branch returns the branch that ends at the named entry, the active one for
// "". A record that is no entry stands for the entry that it hangs from. The
// error is ErrUnknownEntry, wrapped with file and id.
func (s *Session) Branch(leaf string) (*Branch, error) {
	if leaf == "" {
		return s.active, nil
	}
	i := s.first(keyOf(leaf))
	if i == none || s.nodes[i].kind == lost {
		return nil, failed(s.file, fmt.Errorf("entry %q: %w", clip(leaf), ErrUnknownEntry))
	}
	return s.branch(s.entry(i)), nil
}

func (s *Session) branch(leaf int32) *Branch { return &Branch{s, s.path(leaf)} }

// path returns the canonical entries from the root to leaf.
func (s *Session) path(leaf int32) []int32 {
	n := 0
	for i := leaf; i != none; i = s.entry(s.nodes[i].up) {
		n++
	}
	path := make([]int32, n)
	for i := leaf; i != none; i = s.entry(s.nodes[i].up) {
		n--
		path[n] = i
	}
	return path
}

// Entries returns the entries of the branch in order. The index of an entry is
// the position that messages carry in their origin.
func (b *Branch) Entries() []*transcript.Entry {
	list := make([]*transcript.Entry, len(b.path))
	for p := range b.path {
		list[p] = b.entry(p)
	}
	return list
}

func (b *Branch) entry(p int) *transcript.Entry { return b.s.entries[b.path[p]] }

func (b *Branch) typ(p int) typ { return b.s.nodes[b.path[p]].typ }

// position returns where on the branch record i stands, -1 if it does not.
func (b *Branch) position(i int32) int { return slices.Index(b.path, i) }

// Route returns the route that the branch used last (F-70). A model_change names
// no API.
func (b *Branch) Route() transcript.Route {
	for p := len(b.path) - 1; p >= 0; p-- {
		e := b.entry(p)
		switch {
		case b.typ(p) == modelChange:
			return transcript.Route{Provider: e.Get("provider").String(), Model: e.Get("modelId").String()}
		case b.typ(p) == message && e.Message.Is(transcript.Assistant) && e.Message.Model() != "":
			return transcript.Route{Provider: e.Message.Provider(), API: e.Message.API(), Model: e.Message.Model()}
		}
	}
	return transcript.Route{}
}

// Problems returns what the context of the branch has to say (C-B02, C-B06).
func (b *Branch) Problems() []Problem {
	problems := b.compaction().problems
	sortProblems(problems)
	return problems
}
