package anthropicmessages

import (
	"hygeia/internal/jsonline"
)

// limitMarks finds the cache markers of a request that are too many (AN-28,
// AN-29). Those on thinking go. Of the others the oldest in the messages go,
// never the newest; then those in front of the messages, from the front.
func (b *builder) limitMarks() {
	b.own.unmarked = map[any]bool{}
	var marks []any
	see := func(at any, v jsonline.Value) {
		if v.Exists() && v.Kind != jsonline.Null {
			marks = append(marks, at)
		}
	}
	for i, m := range b.Messages {
		if b.Gone(i) {
			continue
		}
		for _, k := range m.Blocks() {
			switch mark := k.Get("cache_control"); {
			case k.IsThinking() && mark.Exists():
				b.own.unmarked[k] = true
			default:
				see(k, mark)
			}
		}
		see(m, m.Get("cache_control"))
	}
	front := b.frontMarks()
	surplus := len(marks) + front - maxMarks
	for i := 0; i < len(marks)-1 && surplus > 0; i++ {
		b.own.unmarked[marks[i]] = true
		surplus--
	}
	b.own.frontSurplus = max(surplus, 0)
}

// frontMembers are the members in front of the messages whose blocks carry cache
// markers, in the order in which the service caches them.
var frontMembers = []string{"tools", "system"}

func (b *builder) frontMarks() int {
	n := 0
	for _, name := range frontMembers {
		for v := range b.own.Body.Get(name).Elements() {
			if v.Object().Has("cache_control") {
				n++
			}
		}
	}
	return n
}

// marks takes the markers that are too many off tools and system prompt.
func (p *params) marks() {
	for _, name := range frontMembers {
		p.each(name, "W-230", func(v jsonline.Value) (jsonline.Value, string) {
			if p.b.own.frontSurplus == 0 || !v.Object().Has("cache_control") {
				return v, ""
			}
			p.b.own.frontSurplus--
			return v.Object().Without("cache_control").Value(), tooManyMarks
		})
	}
}

// tooManyMarks is why a cache marker goes (W-230).
const tooManyMarks = "the request holds more than four cache markers"
