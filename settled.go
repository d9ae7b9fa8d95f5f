package hygeia

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"hygeia/check"
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/policy"
)

// settled is what is remembered of a body with faults: what the engine made of
// it. The next body of the conversation is the same with turns behind it; where
// the faults lie in front of the window, what goes out is the same too, with those
// turns behind it, if the engine has nothing to change in the window.
type settled struct {
	in     *prefix // of the body that came in
	out    *prefix // of the one that went out, whose window is that of the other
	body   []byte  // the one that went out up to the end of its last turn
	tail   []byte  // and what stands behind
	inTail int     // bytes behind the turns of the one that came in
	report *hygiene.Report
	names  map[string]string // of tools by those under which they go out
}

// newSettled returns what is to be remembered of a body and what became of it, nil
// if its last rounds were changed or the rulebook still finds something.
func newSettled(in []byte, s *Sanitized) *settled {
	out := newPrefix(s.Body)
	if out == nil || !sameFrame(in, s.Body) {
		return nil
	}
	if left, err := check.Payload(s.Body, s.Target, check.Options{}); err != nil || len(left) > 0 {
		return nil
	}
	t := spansOf(in)
	window := s.Body[out.from:out.until]
	start := t.end - len(window)
	at := slices.IndexFunc(t.list, func(t span) bool { return t.start == start })
	if at <= 0 || !bytes.Equal(in[start:t.end], window) || !faultBefore(s.Findings, at) {
		return nil
	}
	p := &prefix{until: t.end, sum: maphash.Bytes(seed, in[:t.end]), from: start, ids: map[uint64]bool{}, rest: maphash.Bytes(seed, in[t.end:])}
	copy(p.last[:], in[t.end-tailSize:t.end])
	for _, turn := range t.list[:at] {
		for _, id := range turn.ids {
			p.ids[id] = true
		}
	}
	return &settled{
		in: p, out: out, body: bytes.Clone(s.Body[:out.until]), tail: bytes.Clone(s.Body[out.until:]), inTail: len(in) - t.end,
		report: withoutContent(s.Report), names: s.names,
	}
}

// sameFrame reports whether two bodies differ in their turns alone. What the engine
// changes in the frame it may not change in the next body: thinking is switched off
// for one request (D-21).
func sameFrame(a, b []byte) bool {
	frame := func(body []byte) (members []string) {
		for name, v := range jsonline.ParseObject(body).Members() {
			if !slices.Contains(turnLists, name) {
				members = append(members, name, string(v.Raw))
			}
		}
		return members
	}
	return slices.Equal(frame(a), frame(b))
}

// faultBefore reports whether there is a finding in a turn in front of the one with
// that index. It stays when the conversation grows; one in the last rounds may not,
// and then the body is clean (D-39).
func faultBefore(findings []Finding, turn int) bool {
	for _, f := range findings {
		if parts := strings.Split(f.Path, "/"); len(parts) > 2 && slices.Contains(turnLists, parts[1]) {
			if i, err := strconv.Atoi(parts[2]); err == nil && i < turn && !keyRules[f.Rule] {
				return true
			}
		}
	}
	return false
}

// withoutContent returns a report that keeps no transcript alive.
func withoutContent(r *hygiene.Report) *hygiene.Report {
	light := *r
	light.Changes = slices.Clone(r.Changes)
	for i := range light.Changes {
		light.Changes[i].Before, light.Changes[i].After = nil, nil
	}
	return &light
}

// follow returns what becomes of a body that begins with s, and what is to be
// remembered of it then; nil unless both are certain.
func (s *settled) follow(body []byte, res *policy.Resolution, o ReplayOptions) (*settled, []byte) {
	end := len(body) - s.inTail
	if end < s.in.until || maphash.Bytes(seed, body[end:]) != s.in.rest {
		return nil, nil
	}
	fresh := body[s.in.until:end]
	for wire := range s.names {
		if bytes.Contains(fresh, []byte(wire)) {
			return nil, nil // a tool that is called so takes the name from the other
		}
	}
	whole := slices.Concat(s.body, fresh, s.tail)
	out := s.out.follow(whole, res.Target)
	if out == nil {
		return nil, nil
	}
	window := slices.Concat(whole[:s.out.lead], whole[s.out.from:])
	made, err := sanitizeBody(window, res, SanitizeOptions{Replay: o, Remedy: &Remedy{}})
	if err != nil || made.Changed() {
		return nil, nil
	}
	next := *s
	next.in = s.in.moved(body[:end], spansOf(window), s.in.from-s.out.lead, out.from-s.out.from)
	if next.in == nil {
		return nil, nil
	}
	next.out, next.body = out, whole[:out.until:out.until]
	return &next, whole
}

// moved returns the prefix that a body is, its window moved by some bytes. t are
// the turns of the window, which stand shift bytes further in the body. It is nil
// where a turn of the window has an id of a turn in front of it.
func (p *prefix) moved(body []byte, t spans, shift, by int) *prefix {
	next := *p
	next.ids = make(map[uint64]bool, len(p.ids)+8)
	for id := range p.ids {
		next.ids[id] = true
	}
	next.until, next.sum, next.from = len(body), maphash.Bytes(seed, body), p.from+by
	copy(next.last[:], body[len(body)-tailSize:])
	for _, turn := range t.list {
		at := turn.start + shift
		for _, id := range turn.ids {
			if at >= p.from && p.ids[id] {
				return nil
			}
			if at >= p.from && at < next.from {
				next.ids[id] = true
			}
		}
	}
	return &next
}
