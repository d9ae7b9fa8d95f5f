package check

import "fmt"

func anthropicOrder(r *request) {
	before := ""
	for i, m := range r.memo.messages {
		role := m.role
		if i == 0 && role == "assistant" {
			r.report("AN-02", "/messages/0")
		}
		if role == before {
			r.report("AN-01", pointer("messages", i), `multiple "user"`, `multiple "`+role+`"`)
		}
		before = role
	}
}

func anthropicPairing(r *request) {
	messages := r.memo.messages
	seen := make(map[string]bool, r.count("tool_use"))
	var calls, made callSet // of the message in front, and of this one
	for i := range messages {
		other := false
		for j := range messages[i].blocks {
			b := &messages[i].blocks[j]
			if b.typ == "tool_use" {
				id := b.member(inID).text()
				if seen[id] {
					r.report("AN-06", b.path()+"/id", b.where()...)
				}
				seen[id] = true
				made.add(id)
			}
			if b.typ != "tool_result" {
				other = true
				continue
			}
			id := b.member(inUse).text()
			if id == "" {
				continue // AN-47
			}
			switch k := calls.find(id); {
			case k < 0:
				r.report("AN-05", b.path()+"/tool_use_id", b.where("ID", id)...)
			case calls.answers[k] > 0:
				r.report("AN-07", b.path(), b.where("ID", id)...)
			case other:
				r.report("AN-04", b.path(), b.where("ID", id)...)
			}
			calls.answer(id)
		}
		for k, id := range calls.ids {
			if calls.answers[k] == 0 {
				r.report("AN-03", pointer("messages", i-1), "messages.N", fmt.Sprintf("messages.%d", i-1), "ID", id)
			}
		}
		calls, made = made, calls
		made.reset()
	}
	if n := len(messages); n > 0 {
		for j := range messages[n-1].blocks {
			if b := &messages[n-1].blocks[j]; b.typ == "tool_use" {
				r.report("AN-03", b.path(), "messages.N", fmt.Sprintf("messages.%d", n-1), "ID", b.member(inID).text())
			}
		}
	}
}

// count returns how many blocks of a type there are.
func (r *request) count(typ string) int {
	n := 0
	for i := range r.memo.blocks {
		if r.memo.blocks[i].typ == typ {
			n++
		}
	}
	return n
}

func anthropicCache(r *request) {
	markers, short := 0, false
	count := func(b *block, path string) {
		marker := b.member(inCache)
		if !marker.given() {
			return
		}
		markers++
		hour := marker.get("ttl").is("1h")
		if short = short || !hour; short && hour {
			r.report("AN-36", path+"/cache_control")
		}
		if b.isThinking() {
			r.report("AN-29", path+"/cache_control")
		}
	}
	for _, list := range []string{"tools", "system"} {
		for i, n := range r.root.get(list).elements() {
			b := anthropicBlockOf(n)
			count(&b, pointer(list, i))
		}
	}
	for i := range r.memo.messages {
		for j := range r.memo.messages[i].blocks {
			b := &r.memo.messages[i].blocks[j]
			if b.has(inCache) {
				count(b, b.path())
			}
			for k := range b.inner {
				if b.inner[k].has(inCache) {
					count(&b.inner[k], b.path()+pointer("content", k))
				}
			}
		}
	}
	if markers > 4 {
		r.report("AN-28", "", "Found N", fmt.Sprintf("Found %d", markers))
	}
}
