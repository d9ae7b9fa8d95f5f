package runner

const loop = "the session waits for this one: its reply would never come"

// waitsFor reports whether a waits for b, at first or at second hand.
func (p *Post) waitsFor(a, b string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.reaches(a, b, map[string]bool{})
}

func (p *Post) reaches(a, b string, seen map[string]bool) bool {
	if seen[a] {
		return false
	}
	seen[a] = true
	for next := range p.waits[a] {
		if next == b || p.reaches(next, b, seen) {
			return true
		}
	}
	return false
}

// await notes that from waits for to, unless to waits for from or is it.
func (p *Post) await(from, to string) (forget func(), ok bool) {
	if from == "" {
		return func() {}, true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if from == to || p.reaches(to, from, map[string]bool{}) {
		return func() {}, false
	}
	if p.waits[from] == nil {
		p.waits[from] = map[string]int{}
	}
	p.waits[from][to]++
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.waits[from][to]--; p.waits[from][to] == 0 {
			delete(p.waits[from], to)
		}
	}, true
}
