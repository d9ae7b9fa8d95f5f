package anthropic

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"hygeia/transcript"
)

// maxID is the longest id that goes out (W-206, W-706).
const maxID = 64

// call is one call that goes out.
type call struct {
	in       *transcript.Message
	raw      string // its id as stored
	id       string // its id on the wire
	answered bool
}

// pairs matches results with the calls of the newest assistant turn, and gives
// ids that are legal and unique over the request (W-206, W-706, W-172). On sanitised
// messages it only finds that all is well.
type pairs struct {
	calls []call
	next  int              // calls[:next] are answered
	byID  map[string][]int // open calls, made when results come in another order

	used    map[string]string // ids of the request so far, and what they were
	repeats map[string]int    // occurrences of ids that were in use already

	nobodys    map[*transcript.Block]bool     // calls that do not go out
	calledAs   map[*transcript.Block]string   // ids of calls that were changed
	answeredAs map[*transcript.Message]string // ids of their results
}

func (p *pairs) start(messages int) {
	p.used = make(map[string]string, messages/2)
}

// open takes a call up. It reports false for one that cannot go out, since it
// has no id or no name (W-109).
func (p *pairs) open(m *transcript.Message, k *transcript.Block) bool {
	raw := k.ID()
	if raw == "" || k.Name() == "" {
		if p.nobodys == nil {
			p.nobodys = map[*transcript.Block]bool{}
		}
		p.nobodys[k] = true
		return false
	}
	id := p.unique(raw)
	if id != raw {
		if p.calledAs == nil {
			p.calledAs = map[*transcript.Block]string{}
		}
		p.calledAs[k] = id
	}
	if p.byID != nil {
		p.byID[raw] = append(p.byID[raw], len(p.calls))
	}
	p.calls = append(p.calls, call{in: m, raw: raw, id: id})
	return true
}

// isCall reports whether a block of a message that was read is a call that goes
// out.
func (p *pairs) isCall(k *transcript.Block) bool { return k.IsToolCall() && !p.nobodys[k] }

// unique returns the id itself if it is legal and new, else a legal form; if
// that is in use, with the hash of id and occurrence behind it.
func (p *pairs) unique(raw string) string {
	legal := legalID(raw)
	id := legal
	for n := p.occurrence(raw, legal); p.has(id); n++ {
		seed := raw
		if n > 1 {
			seed += ":" + strconv.Itoa(n)
		}
		sum := sha256.Sum256([]byte(seed))
		tail := hex.EncodeToString(sum[:4])
		id = legal[:min(len(legal), maxID-len(tail))] + tail
	}
	p.used[id] = raw
	return id
}

// occurrence returns which occurrence of an id this is, as far as that matters:
// ids that are new are not counted.
func (p *pairs) occurrence(raw, legal string) int {
	if !p.has(legal) {
		return 1
	}
	if p.repeats == nil {
		p.repeats = map[string]int{}
	}
	if p.repeats[raw] == 0 && p.used[legal] == raw {
		p.repeats[raw] = 1
	}
	p.repeats[raw]++
	return p.repeats[raw]
}

func (p *pairs) has(id string) bool {
	_, used := p.used[id]
	return used
}

// legalID replaces characters outside [A-Za-z0-9_-] by '_' and cuts (W-206). That
// is the form of this format, so it holds for Kimi's own ids too (AN-08), which
// are left alone elsewhere (W-173).
func legalID(raw string) string {
	id := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, raw)
	return id[:min(len(id), maxID)]
}

// claim returns the first open call with that id, nil if there is none.
func (p *pairs) claim(id string) *call {
	for p.next < len(p.calls) && p.calls[p.next].answered {
		p.next++
	}
	i := p.next
	if i == len(p.calls) {
		return nil
	}
	if p.calls[i].raw != id {
		if i = p.search(id); i < 0 {
			return nil
		}
	}
	p.calls[i].answered = true
	return &p.calls[i]
}

func (p *pairs) search(id string) int {
	if p.byID == nil {
		p.byID = map[string][]int{}
		for i := p.next; i < len(p.calls); i++ {
			p.byID[p.calls[i].raw] = append(p.byID[p.calls[i].raw], i)
		}
	}
	list := p.byID[id]
	for len(list) > 0 && p.calls[list[0]].answered {
		list = list[1:]
	}
	if len(list) == 0 {
		p.byID[id] = nil
		return -1
	}
	p.byID[id] = list[1:]
	return list[0]
}

// answer remembers the id under which a result goes out.
func (p *pairs) answer(m *transcript.Message, c *call) {
	if c.id != c.raw {
		if p.answeredAs == nil {
			p.answeredAs = map[*transcript.Message]string{}
		}
		p.answeredAs[m] = c.id
	}
}

// close ends the turn and returns the calls that nobody answered.
func (p *pairs) close() []*call {
	var open []*call
	for i := range p.calls {
		if !p.calls[i].answered {
			c := p.calls[i]
			open = append(open, &c)
		}
	}
	p.calls, p.next, p.byID = p.calls[:0], 0, nil
	return open
}
