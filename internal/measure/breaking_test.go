package measure

// breaking does one thing to a body and reports whether there was a place for
// it.
type breaking func(m *mutant) bool

// place says where to break: a path with * for one step, and conditions.
type place struct {
	pattern string
	ifs     []func(*spot) bool
}

func at(pattern string, ifs ...func(*spot) bool) place { return place{pattern, ifs} }

// is asks for an object with a member of that value.
func is(name string, value any) func(*spot) bool {
	return func(s *spot) bool { return s.get(name) == value }
}

// has asks for an object with that member.
func has(name string) func(*spot) bool { return func(s *spot) bool { return s.get(name) != nil } }

// parent asks something of what the value stands in.
func parent(f func(*spot) bool) func(*spot) bool { return func(s *spot) bool { return f(s.up) } }

func isList(s *spot) bool  { _, ok := s.value.([]any); return ok }
func notLast(s *spot) bool { return !s.last() }

func drop(p place) breaking {
	return func(m *mutant) bool {
		s := m.one(p)
		if s != nil {
			s.drop()
		}
		return s != nil
	}
}

func set(p place, v any) breaking {
	return func(m *mutant) bool {
		s := m.one(p)
		if s != nil {
			s.set(v)
		}
		return s != nil
	}
}

// put gives an object a member.
func put(p place, name string, v any) breaking {
	return func(m *mutant) bool {
		s := m.one(p)
		if s == nil {
			return false
		}
		object, ok := s.value.(map[string]any)
		if ok {
			object[name] = v
		}
		return ok
	}
}

// root gives the request a member, inside the envelope where there is one.
func root(name string, v any) breaking {
	return func(m *mutant) bool {
		object := m.root.(map[string]any)
		if inner, ok := object["request"].(map[string]any); ok {
			object = inner
		}
		object[name] = v
		return true
	}
}

// insert puts values into a list, one behind the other.
func insert(p place, i int, values ...any) breaking {
	return func(m *mutant) bool {
		s := m.one(p)
		if s == nil {
			return false
		}
		for k, v := range values {
			s.insert(i+k, v)
		}
		return true
	}
}

// end is an index behind every list.
const end = 1 << 30

// twice repeats an element of a list behind itself.
func twice(p place) breaking {
	return func(m *mutant) bool {
		s := m.one(p)
		if s != nil {
			s.up.insert(s.index()+1, s.value)
		}
		return s != nil
	}
}

// behind puts a value behind an element of a list.
func behind(p place, v any) breaking {
	return func(m *mutant) bool {
		s := m.one(p)
		if s != nil {
			s.up.insert(s.index()+1, v)
		}
		return s != nil
	}
}

// same gives two of the values that fit the same value.
func same(p place) breaking {
	return func(m *mutant) bool {
		list := m.all(p)
		if len(list) < 2 {
			return false
		}
		i := m.rand.IntN(len(list) - 1)
		if list[i].value == list[i+1].value {
			return false
		}
		list[i+1].set(list[i].value)
		return true
	}
}

// both does one thing and then another; it needs a place for both.
func both(list ...breaking) breaking {
	return func(m *mutant) bool {
		for _, do := range list {
			if !do(m) {
				return false
			}
			m.spots = nil
			m.walk(&spot{value: m.root}, "")
		}
		return true
	}
}

// where does nothing, and has a place where something fits.
func where(p place) breaking { return func(m *mutant) bool { return m.one(p) != nil } }

type object = map[string]any
