package chat

import (
	"cmp"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/transcript"
	"hygeia/wire"
)

// Format is what tells the formats apart before anything is spelled.
type Format struct {
	Stage    string   // name in the report
	NamePath []string // where the name of a tool definition stands
	// The rules under which each format records the same.
	User      string // content of a user turn is left out
	Assistant string // content of an assistant turn, or all of it, is left out
	Thought   string // an assistant turn that held nothing but reasoning is left out
	Bridge    string // text stands between tool results and a user turn
	// ImagesInResults says that tool messages hold images. Elsewhere a user turn
	// carries them behind the results (W-406).
	ImagesInResults bool
	// ResultName is the member in which every tool message names its tool, "" where
	// only some endpoints want one.
	ResultName string
}

// resultName returns the member in which a tool message may name its tool.
func (f *Format) resultName() string { return cmp.Or(f.ResultName, "name") }

// Reasoning takes in what one assistant turn holds of reasoning.
type Reasoning interface {
	// Thinking takes a thinking block in or records that it is held back.
	Thinking(*transcript.Block)
	// Signature returns what goes out with a call besides its arguments, a JSON
	// string, absent for nothing.
	Signature(*transcript.Block) jsonline.Value
	// Thought returns what goes out beside the content, nil for nothing.
	Thought() *Thought
}

// Builder turns the messages of one input into turns of the wire.
type Builder struct {
	In       *payload.Input
	Log      payload.Log
	Names    *payload.Names
	Messages []*transcript.Message // with the images that the target takes
	Turns    []Turn

	// Reasoning starts the reasoning of message i.
	Reasoning func(i int) Reasoning
	// Native reports whether a block of a user turn goes out as it is; nil
	// means none.
	Native func(*transcript.Block) bool
	// Own is the request of the same format that the messages were decoded from,
	// nil if there is none, and Splice its messages.
	Own    *wire.Request
	Splice *payload.Splice
	// NativeSaid is Native for blocks of an assistant turn that stand in its
	// content.
	NativeSaid func(*transcript.Block) bool
	// Beside returns what a block of an assistant turn goes out as beside the
	// content: a member with a comma in front, nil for nothing.
	Beside func(*transcript.Block) []byte
	// Result returns the text of a tool result, which is never blank.
	Result func(*transcript.Message) jsonline.Value

	format Format
	joins  [2]bool // by role: neighbours are joined (D-34)
	parts  slab[Part]
	calls  slab[Call]
	images []Part          // of the tool results that are being read
	seen   map[string]bool // call ids of the turn that is being read
}

// New returns a builder for the messages of an input. Its functions are to be
// set before [Builder.Read].
func New(in *payload.Input, f Format) *Builder {
	p := in.Policy
	b := &Builder{
		In:     in,
		Log:    payload.Log{Stage: f.Stage, Report: in.Report},
		Names:  payload.NewNames(in, payload.NameForm{Max: p.Wire.ToolNameMax}, f.NamePath...),
		format: f,
		joins: [...]bool{
			User:      p.ValidateAnthropicTurns || p.Wire.StrictAlternation,
			Assistant: p.ValidateAnthropicTurns || p.ValidateGeminiTurns || p.Wire.StrictAlternation,
		},
		seen: map[string]bool{},
	}
	b.Messages, b.Own = in.Messages, in.Own(f.Stage)
	b.Splice = payload.NewSplice(b.Own)
	return b
}

// Read turns every message into a turn. A tool result belongs to the assistant
// turn in front of it.
func (b *Builder) Read() {
	b.reserve()
	list := b.Messages
	for i := 0; i < len(list); i++ {
		switch list[i].Role() {
		case transcript.User:
			b.userTurn(list[i])
		case transcript.Assistant:
			end := i + 1
			for end < len(list) && list[end].Is(transcript.ToolResult) {
				end++
			}
			b.assistantTurn(i, list[i+1:end])
			i = end - 1
		case transcript.ToolResult:
			b.Log.Orphan(list[i])
		case transcript.Custom:
			b.systemTurn(list[i])
		default:
			b.Log.Unknown(list[i], nil)
		}
	}
}

// reserve makes room for what the messages become.
func (b *Builder) reserve() {
	parts, calls := 8, 0
	for _, m := range b.Messages {
		parts++
		for _, block := range m.Blocks() {
			if block.IsToolCall() {
				calls++
			} else {
				parts++
			}
		}
	}
	b.Turns = make([]Turn, 0, len(b.Messages)+8)
	b.parts.all = make([]Part, 0, parts)
	b.calls.all = make([]Call, 0, calls)
}

// HasCalls reports whether any call goes out.
func (b *Builder) HasCalls() bool { return len(b.calls.all) > 0 }

// FirstCall reports whether the call that is being read is the first one of its
// turn.
func (b *Builder) FirstCall() bool { return len(b.calls.open()) == 0 }

// Add adds a part to the turn that is being read.
func (b *Builder) Add(p Part) { b.parts.add(p) }

// say adds the text of a block, or of the whole message for nil. Blank text is
// left out under the rule.
func (b *Builder) say(m *transcript.Message, block *transcript.Block, v jsonline.Value, rule string) {
	switch legal := b.Log.Text(m, block, v); {
	case block != nil && !v.IsString():
		b.Log.Unknown(m, block)
	case !legal.Blank():
		b.Add(Part{Raw: legal.Raw, Rest: b.Members(m, block, "type", "text")})
	case block != nil:
		b.Log.Add(hygiene.Drop, m, block, nil, hygiene.Edit{Rule: rule, Reason: "the text is blank"})
	}
}
