package anthropicmessages

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"hygeia/transcript"
)

// maxID is the longest id that goes out (W-206).
const maxID = 64

// call is one call that goes out.
type call struct {
	in       *transcript.Message
	raw      string // its id as stored
	id       string // its id on the wire
	answered bool
}

// pairs matches results with the calls of the newest assistant turn, and gives
// ids that are legal and unique over the request (W-206, W-172). On sanitised
// messages it only finds that all is well.
type pairs struct {
	calls []call
	next  int              // calls[:next] are answered
	byID  map[string][]int // open calls, made when results come in another order

	used    map[string]struct{} // ids of the request so far
	repeats map[string]int      // occurrences of ids that were in use already

	calledAs   map[*transcript.Block]string   // ids of calls that were changed
	answeredAs map[*transcript.Message]string // ids of their results
}

func (p *pairs) start(messages int) {
	p.used = make(map[string]struct{}, messages/2)
}

// open takes a call up.
func (p *pairs) open(m *transcript.Message, k *transcript.Block) {
	raw := k.ID()
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
}

// unique returns the id itself if it is legal and new, else a legal form, with
// the hash of id and occurrence behind it if that is in use.
func (p *pairs) unique(raw string) string {
	legal := legalID(raw)
	id := legal
	for p.has(id) {
		if p.repeats == nil {
			p.repeats = map[string]int{}
		}
		p.repeats[raw]++
		sum := sha256.Sum256([]byte(raw + ":" + strconv.Itoa(p.repeats[raw]+1)))
		tail := hex.EncodeToString(sum[:4])
		id = legal[:min(len(legal), maxID-len(tail))] + tail
	}
	p.used[id] = struct{}{}
	return id
}

func (p *pairs) has(id string) bool {
	_, used := p.used[id]
	return used
}

// legalID replaces characters outside [A-Za-z0-9_-] by '_' and cuts (W-206).
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
