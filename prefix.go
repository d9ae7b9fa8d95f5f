package hygeia

import (
	"bytes"
	"hash/maphash"
	"slices"
	"sync"

	"hygeia/check"
	"hygeia/internal/jsonline"
	"hygeia/policy"
)

// prefix is what is remembered of a body in which the rulebook finds nothing, so
// that the next body of the conversation, which holds all of its turns and more,
// need not be held against the rulebook from the beginning. Then only a window is:
// the rounds at the end of what is known and all that is new, in the frame of the
// whole body. What rules ask of all turns together, ids that are unique, cache
// markers and pictures that are few, is asked here. Nothing of the content is
// kept.
type prefix struct {
	until int             // bytes up to the end of the last turn
	sum   uint64          // of these
	last  [tailSize]byte  // the newest of these
	lead  int             // where the first turn that is no system prompt begins
	from  int             // where the window begins: a user turn that opens a round
	ids   map[uint64]bool // of the turns in front of the window
	marks int             // cache markers in front of the window
	rest  uint64          // sum of what stands behind the turns
}

const (
	tailSize     = 64       // bytes that are compared before sums are
	minPrefix    = 8 << 10  // bytes of a body that is worth remembering
	maxMarks     = 4        // cache markers that every service takes
	maxIDs       = 1 << 15  // of one conversation that is remembered
	maxTurnDepth = 12       // of the ids in a turn
	maxFollowed  = 16 << 20 // bytes of a body, below the limits of all services
	keptNodes    = 1 << 18  // values of a body whose memory is used again, 7 MB
)

var seed = maphash.MakeSeed()

// span is a turn in the list of turns of a body.
type span struct {
	start, end int
	opens      bool // it opens a round: a user turn behind an answer, no results in it
	system     bool
	ids        []uint64
	marks      int // cache markers
}

// spans are the turns of a body and where they end.
type spans struct {
	list []span
	end  int // of the last one
}

var (
	turnLists = []string{"messages", "contents", "input"}
	// media are the beginnings of names and types that stand for pictures and
	// files, of which a request takes only so many.
	media = [][]byte{[]byte(`"image`), []byte(`"input_image`), []byte(`"input_file`), []byte(`"input_audio`), []byte(`"inline`), []byte(`"document`), []byte(`"file`), []byte(`"video`), []byte(`"audio`), []byte(`"source"`), []byte(`"media`)}
	marks = [][]byte{[]byte(`"cache_control"`), []byte(`"cachePoint"`)}
)

// scanners are those of earlier bodies, for their memory.
var scanners = sync.Pool{New: func() any { return new(jsonline.Scanner) }}

// spansOf reads the turns of a body, none where its shape is another one.
func spansOf(body []byte) (out spans) {
	s := scanners.Get().(*jsonline.Scanner)
	defer func() {
		if cap(s.Nodes) <= keptNodes {
			scanners.Put(s)
		}
	}()
	if s.ScanAll(body, jsonline.Options{Depth: maxTurnDepth, InvalidUTF8: true}) != nil || s.Nodes[0].Kind != jsonline.ObjectKind {
		return out
	}
	list := uint32(0)
	for i := uint32(1); int(i) < len(s.Nodes); i = s.Nodes[i].Next {
		n := &s.Nodes[i]
		if n.Kind == jsonline.Array && slices.Contains(turnLists, string(body[n.NameStart:n.NameEnd])) {
			if list != 0 {
				return out // two lists
			}
			list = i
		}
	}
	if list == 0 {
		return out
	}
	answered := false
	for i := list + 1; i < s.Nodes[list].Next; i = s.Nodes[i].Next {
		t := span{start: int(s.Nodes[i].Start), end: int(s.Nodes[i].End)}
		role, answers := "", false
		for j := i + 1; j < s.Nodes[i].Next; j++ {
			n := &s.Nodes[j]
			switch string(body[n.NameStart:n.NameEnd]) {
			case "role":
				if role == "" {
					role = s.Value(int(j), body).String()
				}
			case "id", "call_id", "toolUseId":
				t.ids = append(t.ids, maphash.Bytes(seed, body[n.Start:n.End]))
			case "cache_control", "cachePoint":
				t.marks++
			case "tool_use_id", "tool_call_id", "toolResult", "functionResponse", "function_response":
				answers = true
			}
		}
		t.system = role == "system" || role == "developer"
		t.opens = role == "user" && !answers && answered
		answered = role == "assistant" || role == "model"
		out.list, out.end = append(out.list, t), t.end
	}
	return out
}

// newPrefix returns what is to be remembered of a body without findings, nil if
// it is not worth it.
func newPrefix(body []byte) *prefix {
	t := spansOf(body)
	first := slices.IndexFunc(t.list, func(t span) bool { return !t.system })
	if t.end < minPrefix || first < 0 {
		return nil
	}
	p := &prefix{lead: t.list[first].start, ids: map[uint64]bool{}}
	p.from = p.lead
	p.rest = maphash.Bytes(seed, body[t.end:])
	return p.extend(body, t, 0)
}

// extend returns the prefix that a body is, whose turns from p.from on are t. shift
// is how far they stand in front of where they are in the body.
func (p *prefix) extend(body []byte, t spans, shift int) *prefix {
	next := *p
	next.ids = make(map[uint64]bool, len(p.ids)+8)
	for id := range p.ids {
		next.ids[id] = true
	}
	next.until = t.end + shift
	next.sum = maphash.Bytes(seed, body[:next.until])
	copy(next.last[:], body[next.until-tailSize:next.until])
	// The window keeps the newest two rounds: a turn of the last one changes what
	// it is when another round begins.
	var opens []int
	for _, t := range t.list {
		if t.opens && t.start+shift > p.from {
			opens = append(opens, t.start+shift)
		}
	}
	if len(opens) >= 2 {
		next.from = opens[len(opens)-2]
	}
	for _, t := range t.list {
		if t.start+shift >= p.from && t.start+shift < next.from {
			next.marks += t.marks
			for _, id := range t.ids {
				next.ids[id] = true
			}
		}
	}
	if len(next.ids) > maxIDs {
		return nil
	}
	return &next
}

// begins reports whether a body begins with the prefix.
func (p *prefix) begins(body []byte) bool {
	return len(body) > p.until && bytes.Equal(body[p.until-tailSize:p.until], p.last[:]) && maphash.Bytes(seed, body[:p.until]) == p.sum
}

// follow returns the prefix that a body is which begins with p, nil unless it is
// certain that the rulebook finds nothing in it.
func (p *prefix) follow(body []byte, target policy.Target) *prefix {
	window := append(slices.Clone(body[:p.lead]), body[p.from:]...)
	fresh := body[p.until:]
	has := func(what []byte) bool { return bytes.Contains(fresh, what) }
	if len(body) > maxFollowed || slices.ContainsFunc(media, has) || p.marks+countMarks(window) > maxMarks {
		return nil
	}
	t, shift := spansOf(window), p.from-p.lead
	if t.end == 0 || maphash.Bytes(seed, window[t.end:]) != p.rest {
		return nil
	}
	for _, turn := range t.list {
		if turn.start < p.lead {
			continue
		}
		for _, id := range turn.ids {
			if p.ids[id] {
				return nil
			}
		}
	}
	if findings, err := check.Payload(window, target, check.Options{}); err != nil || len(findings) > 0 {
		return nil
	}
	return p.extend(body, t, shift)
}

func countMarks(b []byte) int {
	n := 0
	for _, m := range marks {
		n += bytes.Count(b, m)
	}
	return n
}
