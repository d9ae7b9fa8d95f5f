package anthropic

import (
	"hygeia/hygiene"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// Turn is one message of the body: a run of stored messages.
type Turn struct {
	From, To  int // Messages[From:To], those that are gone left out
	Assistant bool
	System    bool  // a system message between the others (AN-10)
	Results   bool  // of a user turn: holds tool results
	Made      *Made // what no message gave, nil for nothing

	said    bool // holds a user message
	visible bool // holds something besides thinking
	thinker int  // index of the one message whose thinking can go out, -1: none
	opens   bool // that thinking is the first thing in the turn
}

// Made is what a turn holds that no message gave it.
type Made struct {
	Open []string // ids of calls that nobody answered
	Text string
}

// group makes turns of the messages. Roles alternate in them, and every call is
// answered in the turn behind it.
func (p *Plan) group() {
	p.gone = make([]bool, len(p.Messages))
	p.Turns = make([]Turn, 0, len(p.Messages)+1)
	p.pairs.start(len(p.Messages))
	for i, m := range p.Messages {
		switch m.Role() {
		case transcript.User:
			p.user(i, m)
		case transcript.ToolResult:
			p.result(i, m)
		case transcript.Assistant:
			p.assistant(i, m)
		case transcript.Custom:
			p.custom(i, m)
		default:
			p.gone[i] = true
			p.Log.Unknown(m, nil)
		}
	}
	p.closeCalls()
}

// custom gives a system message a turn of its own where the target takes one.
func (p *Plan) custom(i int, m *transcript.Message) {
	if !m.IsSystem() || !p.in.Policy.SystemTurns || len(p.Turns) == 0 {
		p.gone[i] = true
		p.Log.Unknown(m, nil)
		return
	}
	p.closeCalls()
	p.Turns = append(p.Turns, Turn{From: i, To: i + 1, System: true, thinker: -1})
}

// turn returns the turn that message i goes to.
func (p *Plan) turn(assistant bool, i int) *Turn {
	if n := len(p.Turns); n > 0 && p.Turns[n-1].Assistant == assistant && !p.Turns[n-1].System {
		p.Turns[n-1].To = i + 1
		return &p.Turns[n-1]
	}
	p.Turns = append(p.Turns, Turn{From: i, To: i + 1, Assistant: assistant, thinker: -1})
	return &p.Turns[len(p.Turns)-1]
}

func (p *Plan) user(i int, m *transcript.Message) {
	if p.format.Bridge != "" && p.in.Policy.BridgeToolResults {
		p.bridge(i, m)
	}
	t := p.turn(false, i)
	if t.said {
		p.joined(t, m)
	}
	t.said = true
	p.Size += len(m.Text().Raw)
	for _, k := range m.Blocks() {
		p.Size += 64 + len(k.TextValue().Raw)
		if k.Is(transcript.TypeImage) {
			p.Size += len(k.Get("data").Raw)
		}
	}
}

// bridge puts assistant text between tool results and the user message behind
// them, where the model refuses the two in one turn (W-712, D-33).
func (p *Plan) bridge(i int, m *transcript.Message) {
	p.closeCalls()
	n := len(p.Turns)
	if n == 0 || !p.Turns[n-1].Results {
		return
	}
	p.Turns = append(p.Turns, Turn{
		From: i, To: i, Assistant: true, visible: true, thinker: -1, Made: &Made{Text: texts.BridgeAfterToolResults},
	})
	p.Log.Add(hygiene.Insert, m, nil, transcript.NewText(transcript.Assistant, texts.BridgeAfterToolResults), hygiene.Edit{
		Rule: p.format.Bridge, Reason: "the model takes no user text beside tool results", Synthetic: true,
	})
}

func (p *Plan) result(i int, m *transcript.Message) {
	c := p.pairs.claim(m.ToolCallID())
	if c == nil {
		p.gone[i] = true
		p.Log.Add(hygiene.Drop, m, nil, nil, hygiene.Edit{
			Rule: "W-107", Reason: "no open call has the id of the result", Lossy: true,
		})
		return
	}
	p.pairs.answer(m, c)
	p.turn(false, i).Results = true
	p.Size += 128 + len(m.Text().Raw)
	for _, k := range m.Blocks() {
		p.Size += 32 + len(k.TextValue().Raw)
		if k.Is(transcript.TypeImage) {
			p.Size += 64 + len(k.Get("data").Raw)
		}
	}
}

func (p *Plan) assistant(i int, m *transcript.Message) {
	if n := len(p.Turns); n > 0 && !p.Turns[n-1].Assistant {
		p.closeCalls()
	}
	f := p.look(m)
	if !f.visible && !f.thinking {
		p.gone[i] = true
		p.leaveOut(m)
		return
	}
	t := p.turn(true, i)
	if t.From < i && (t.visible || t.thinker >= 0) {
		p.joined(t, m)
	}
	if f.thinks {
		t.thinker, t.opens = i, f.opens && !t.visible
	}
	t.visible = t.visible || f.visible
}

// leaveOut records that an assistant turn without content does not go out
// (D-05, D-34).
func (p *Plan) leaveOut(m *transcript.Message) {
	for _, k := range m.Blocks() {
		p.OmitBlock(m, k)
	}
	p.Log.Add(hygiene.Drop, m, nil, nil, hygiene.Edit{Rule: p.format.Assistant, Reason: "the turn holds nothing that can go out"})
}

func (p *Plan) joined(t *Turn, m *transcript.Message) {
	p.Log.Add(hygiene.Move, m, nil, p.Messages[t.From], hygiene.Edit{
		Rule: "W-180", Reason: "two turns of one role stand side by side",
	})
}

// closeCalls gives every call of the newest assistant turn that nobody answered
// to the user turn behind it, which writes a stand-in (D-03).
func (p *Plan) closeCalls() {
	open := p.pairs.close()
	if len(open) == 0 {
		return
	}
	n := len(p.Turns) - 1
	if p.Turns[n].Assistant {
		end := p.Turns[n].To
		p.Turns = append(p.Turns, Turn{From: end, To: end, thinker: -1})
		n++
	}
	p.Turns[n].Results, p.Turns[n].Made = true, &Made{}
	for _, c := range open {
		p.Turns[n].Made.Open = append(p.Turns[n].Made.Open, c.id)
		p.Log.Add(hygiene.Insert, c.in, nil, texts.MissingResult, hygiene.Edit{
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
func (p *Plan) look(m *transcript.Message) facts {
	var f facts
	good, bad := false, false
	if v := m.Text(); Says(v) {
		f.visible = true
		p.Size += 64 + len(v.Raw)
	}
	for _, k := range m.Blocks() {
		switch {
		case k.Is(transcript.TypeText):
			if v := k.TextValue(); Says(v) {
				f.visible = true
				p.Size += 32 + len(v.Raw)
			}
		case k.IsThinking():
			f.thinking = true
			switch p.verdict(k) {
			case fine:
				f.opens = f.opens || !f.visible
				good = true
				p.Size += 64 + len(k.TextValue().Raw) + len(signature(k).Raw)
			case nothing:
			default:
				bad = true
			}
		case k.IsToolCall():
			if p.pairs.open(m, k) {
				f.visible = true
				p.Size += 128 + len(k.Get("arguments").Raw)
			}
		case p.native(m, k):
			f.visible = true
			p.Size += k.Members().Size()
		}
	}
	f.thinks = good && !bad
	f.opens = f.opens && f.thinks
	return f
}
