package check

import "slices"

// callSet is the calls of a turn, and how often each was answered. Turns have few
// calls, so that a look at each is cheaper than a table; more than that get one.
type callSet struct {
	ids     []string
	answers []int
	index   map[string]int
}

const fewCalls = 8

// find returns the place of a call, -1 for none.
func (s *callSet) find(id string) int {
	if s.index != nil {
		if k, ok := s.index[id]; ok {
			return k
		}
		return -1
	}
	for k := range s.ids {
		if s.ids[k] == id {
			return k
		}
	}
	return -1
}

// add adds a call that is not there yet.
func (s *callSet) add(id string) {
	if s.find(id) >= 0 {
		return
	}
	s.ids, s.answers = append(s.ids, id), append(s.answers, 0)
	switch {
	case s.index != nil:
		s.index[id] = len(s.ids) - 1
	case len(s.ids) > fewCalls:
		s.index = make(map[string]int, 4*fewCalls)
		for k, id := range s.ids {
			s.index[id] = k
		}
	}
}

// answer counts a result of the call.
func (s *callSet) answer(id string) {
	if k := s.find(id); k >= 0 {
		s.answers[k]++
	}
}

// waits reports whether a call has no result.
func (s *callSet) waits() bool { return slices.Contains(s.answers, 0) }

// reset empties the set and keeps its memory.
func (s *callSet) reset() { s.ids, s.answers, s.index = s.ids[:0], s.answers[:0], nil }
