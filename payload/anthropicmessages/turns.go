package anthropicmessages

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/transcript"
)

// turn is one message of the body: a run of stored messages.
type turn struct {
	from, to  int // messages[from:to], those that are gone left out
	assistant bool

	// Of a user turn.
	results bool  // holds tool results
	said    bool  // holds a user message
	made    *made // what no message gave

	// Of an assistant turn.
	visible bool // holds something besides thinking
	thinker int  // index of the one message whose thinking can go out, -1: none
	opens   bool // that thinking is the first thing in the turn
}

// made is what a user turn holds that no message gave it.
type made struct {
	open []*call // calls that nobody answered
	text string
}

// group makes turns of the messages. Roles alternate in them, and every call is
// answered in the turn behind it.
func (b *builder) group() {
	b.gone = make([]bool, len(b.messages))
	b.turns = make([]turn, 0, len(b.messages)+1)
	b.pairs.start(len(b.messages))
	for i, m := range b.messages {
		switch m.Role() {
		case transcript.User:
			b.user(i, m)
		case transcript.ToolResult:
			b.result(i, m)
		case transcript.Assistant:
			b.assistant(i, m)
		default:
			b.gone[i] = true
			b.log.Unknown(m, nil)
		}
	}
	b.closeCalls()
}

// turn returns the turn that message i goes to.
func (b *builder) turn(assistant bool, i int) *turn {
	if n := len(b.turns); n > 0 && b.turns[n-1].assistant == assistant {
		b.turns[n-1].to = i + 1
		return &b.turns[n-1]
	}
	b.turns = append(b.turns, turn{from: i, to: i + 1, assistant: assistant, thinker: -1})
	return &b.turns[len(b.turns)-1]
}

func (b *builder) user(i int, m *transcript.Message) {
	t := b.turn(false, i)
	if t.said {
		b.joined(t, m)
	}
	t.said = true
	b.size += len(m.Text().Raw)
	for _, k := range m.Blocks() {
		b.size += 64 + len(k.TextValue().Raw)
		if k.Is(transcript.TypeImage) {
			b.size += len(k.Get("data").Raw)
		}
	}
}

func (b *builder) result(i int, m *transcript.Message) {
	c := b.pairs.claim(m.ToolCallID())
	if c == nil {
		b.gone[i] = true
		b.log.Add(hygiene.Drop, m, nil, nil, hygiene.Edit{
			Rule: "W-107", Reason: "no open call has the id of the result", Lossy: true,
		})
		return
	}
	b.pairs.answer(m, c)
	b.turn(false, i).results = true
	b.size += 128 + len(m.Text().Raw)
	for _, k := range m.Blocks() {
		b.size += 32 + len(k.TextValue().Raw)
		if k.Is(transcript.TypeImage) {
			b.size += 64 + len(k.Get("data").Raw)
		}
	}
}

func (b *builder) assistant(i int, m *transcript.Message) {
	if n := len(b.turns); n > 0 && !b.turns[n-1].assistant {
		b.closeCalls()
	}
	f := b.look(m)
	if !f.visible && !f.thinking {
		b.gone[i] = true
		b.leaveOut(m)
		return
	}
	t := b.turn(true, i)
	if t.from < i && (t.visible || t.thinker >= 0) {
		b.joined(t, m)
	}
	if f.thinks {
		t.thinker, t.opens = i, f.opens && !t.visible
	}
	t.visible = t.visible || f.visible
}

// leaveOut records that an assistant turn without content does not go out
// (D-05, D-34).
func (b *builder) leaveOut(m *transcript.Message) {
	for _, k := range m.Blocks() {
		b.omitBlock(m, k)
	}
	b.log.Add(hygiene.Drop, m, nil, nil, hygiene.Edit{Rule: "W-203", Reason: "the turn holds nothing that can go out"})
}

func (b *builder) joined(t *turn, m *transcript.Message) {
	b.log.Add(hygiene.Move, m, nil, b.messages[t.from], hygiene.Edit{
		Rule: "W-180", Reason: "two turns of one role stand side by side",
	})
}

// closeCalls gives every call of the newest assistant turn that nobody answered
// to the user turn behind it, which writes a stand-in (D-03).
func (b *builder) closeCalls() {
	open := b.pairs.close()
	if len(open) == 0 {
		return
	}
	n := len(b.turns) - 1
	if b.turns[n].assistant {
		end := b.turns[n].to
		b.turns = append(b.turns, turn{from: end, to: end, thinker: -1})
		n++
	}
	b.turns[n].results = true
	b.turns[n].made = &made{open: open}
	for _, c := range open {
		b.log.Add(hygiene.Insert, c.in, nil, texts.MissingResult, hygiene.Edit{
			Rule: "W-108", Reason: "call " + c.raw + " has no result", Synthetic: true,
		})
	}
}

// facts is what an assistant message gives to its turn.
type facts struct {
	visible  bool // text or a call
	thinking bool // thinking of any kind
	thinks   bool // thinking that can go out
	opens    bool // that thinking comes first
}

// look reads an assistant message and takes its calls up.
func (b *builder) look(m *transcript.Message) facts {
	var f facts
	good, bad := false, false
	if v := m.Text(); says(v) {
		f.visible = true
		b.size += 64 + len(v.Raw)
	}
	for _, k := range m.Blocks() {
		switch {
		case k.Is(transcript.TypeText):
			if v := k.TextValue(); says(v) {
				f.visible = true
				b.size += 32 + len(v.Raw)
			}
		case k.IsThinking():
			f.thinking = true
			switch b.verdict(k) {
			case fine:
				f.opens = f.opens || !f.visible
				good = true
				b.size += 64 + len(k.TextValue().Raw) + len(signature(k).Raw)
			case nothing:
			default:
				bad = true
			}
		case k.IsToolCall():
			if b.pairs.open(m, k) {
				f.visible = true
				b.size += 128 + len(k.Get("arguments").Raw)
			}
		}
	}
	f.thinks = good && !bad
	f.opens = f.opens && f.thinks
	return f
}

// says reports whether a value is text that can go out.
func says(v jsonline.Value) bool { return v.IsString() && !payload.Blank(v) }
