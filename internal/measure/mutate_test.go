package measure

import (
	"math/rand/v2"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
)

// mutant is a decoded body that is about to be broken.
type mutant struct {
	root  any
	spots []*spot
	rand  *rand.Rand
}

// spot is a value in a body and where it stands. The envelope of Cloud Code
// Assist does not count: its paths start at the request.
type spot struct {
	path  string
	name  string // of a member; the index of an element
	value any
	up    *spot
}

// broken returns a copy of a body after a breaking, nil if it has no place for
// it.
func broken(body []byte, do breaking, r *rand.Rand) []byte {
	m := &mutant{rand: r}
	if err := json.Unmarshal(body, &m.root); err != nil {
		panic(err) // bodies are JSON
	}
	m.walk(&spot{value: m.root}, "")
	if !do(m) {
		return nil
	}
	text, err := json.Marshal(m.root)
	if err != nil {
		panic(err) // what was decoded, and strings
	}
	return text
}

func (m *mutant) walk(s *spot, prefix string) {
	s.path = strings.TrimPrefix(prefix+s.name, "request/")
	m.spots = append(m.spots, s)
	if prefix += s.name; prefix != "" {
		prefix += "/"
	}
	switch v := s.value.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			m.walk(&spot{name: name, value: v[name], up: s}, prefix)
		}
	case []any:
		for i := range v {
			m.walk(&spot{name: strconv.Itoa(i), value: v[i], up: s}, prefix)
		}
	}
}

// all returns the spots that fit.
func (m *mutant) all(p place) []*spot {
	var list []*spot
	for _, s := range m.spots {
		if ok, _ := path.Match(p.pattern, s.path); ok && !slices.ContainsFunc(p.ifs, func(f func(*spot) bool) bool { return !f(s) }) {
			list = append(list, s)
		}
	}
	return list
}

// one returns any spot that fits, nil if none does.
func (m *mutant) one(p place) *spot {
	if list := m.all(p); len(list) > 0 {
		return list[m.rand.IntN(len(list))]
	}
	return nil
}

func (s *spot) get(name string) any {
	object, _ := s.value.(map[string]any)
	return object[name]
}

func (s *spot) index() int {
	i, _ := strconv.Atoi(s.name)
	return i
}

// next returns the element behind this one of a list, nil at its end.
func (s *spot) next() *spot {
	if list, ok := s.up.value.([]any); ok && s.index()+1 < len(list) {
		return &spot{name: strconv.Itoa(s.index() + 1), value: list[s.index()+1], up: s.up}
	}
	return nil
}

func (s *spot) last() bool {
	list, ok := s.up.value.([]any)
	return ok && s.index() == len(list)-1
}

// set puts another value in the place.
func (s *spot) set(v any) {
	s.value = v
	switch up := s.up.value.(type) {
	case map[string]any:
		up[s.name] = v
	case []any:
		up[s.index()] = v
	}
}

// drop takes the value out.
func (s *spot) drop() {
	switch up := s.up.value.(type) {
	case map[string]any:
		delete(up, s.name)
	case []any:
		s.up.set(slices.Delete(slices.Clone(up), s.index(), s.index()+1))
	}
}

// insert puts a value into a list.
func (s *spot) insert(i int, v any) {
	list, _ := s.value.([]any)
	s.set(slices.Insert(slices.Clone(list), min(i, len(list)), v))
}
