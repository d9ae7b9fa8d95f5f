package transcript

import (
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
)

// What most passes ask of a message is looked at once, while its text is at hand:
// in a long session a second look would fetch it from memory again.

// listen looks once whether the block says something: most passes ask, and the
// text is not at hand any more then.
func (b *Block) listen() {
	v := b.TextValue()
	b.words = v.IsString() && !v.Blank()
	// Nobody escapes any of its characters, so a text with escapes is another one.
	b.failed = b.words && v.Flags&jsonline.FlagEscaped == 0 && v.Is(texts.FailedTurn)
}

// holds says which kinds of block a message has, so that a pass that looks for
// one need not touch the blocks.
type holds uint8

const (
	holdsThinking holds = 1 << iota
	holdsToolCall
	holdsBlankText
	holdsFailedText
)

func (h *holds) add(b *Block) {
	switch {
	case b.IsThinking():
		*h |= holdsThinking
	case b.IsToolCall():
		*h |= holdsToolCall
	case b.typ == TypeText && !b.words:
		*h |= holdsBlankText
	case b.failed:
		*h |= holdsFailedText
	}
}

// Whether a user turn is runtime context is known of those that a [Reader] reads.
const (
	notLooked uint8 = iota
	noContext
	isContext
)

// route is where a turn comes from, as stored. The turns that a [Reader] reads
// share theirs; nil: look it up.
type route struct{ provider, api, model string }

// stopReasons are those that messages know by number.
var stopReasons = [...]StopReason{"", StopStop, StopLength, StopToolUse, StopError, StopAborted}

// turn reads what every pass asks of an assistant turn.
func (r *Reader) turn(m *Message) {
	stop := m.obj.Get("stopReason")
	for i, known := range stopReasons[1:] {
		if stop.Is(string(known)) {
			m.stop = uint8(i + 1)
		}
	}
	if r.last == nil || !m.names(r.last) {
		last := m.from()
		r.last = &last
	}
	m.route = r.last
}

// names reports whether the members of m name that route.
func (m *Message) names(r *route) bool {
	return m.spells("provider", r.provider) && m.spells("api", r.api) && m.spells("model", r.model)
}

func (m *Message) spells(name, text string) bool {
	v := m.obj.Get(name)
	return v.Is(text) || text == "" && v.String() == ""
}

func (m *Message) from() route {
	if m.route != nil {
		return *m.route
	}
	return route{m.obj.Get("provider").String(), m.obj.Get("api").String(), m.obj.Get("model").String()}
}
