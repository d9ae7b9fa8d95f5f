package anthropic

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/transcript"
)

// Format is what tells the two formats apart before anything is spelled.
type Format struct {
	Stage string // name in the report
	// The rules under which each format records the same.
	User      string // blank text of a user turn
	Assistant string // blank text, empty turns and the order of an assistant turn
	ID        string // an id is made legal
	// Prefill are the rules for a trailing assistant turn while the model
	// thinks, and where it takes none at all.
	Prefill [2]string
	// Bridge names the rule under which text stands between tool results and a
	// user message where the policy asks for it, "" where they stand together.
	Bridge string
	// NoThinking names the rule under which all thinking is held back, "" where
	// thinking can go out.
	NoThinking string
	// Base64Data names the rule under which redacted thinking is held back that
	// is not strict base64, "" where any text can go out.
	Base64Data string

	// What a request of the same format adds; nil for messages from elsewhere.
	// Native reports whether a block of an assistant turn goes out as it is.
	Native func(*transcript.Message, *transcript.Block) bool
	// Alone reports whether a block is half of a call and result of a tool that
	// the service runs: the two go together.
	Alone func(*transcript.Block) bool
	// Waits reports whether a message ends in a call of such a tool that has no
	// result yet.
	Waits func(*transcript.Message) bool
	// Stated returns what the body itself says about thinking.
	Stated func() Request
}

// native reports whether a block of an assistant turn goes out as it is.
func (p *Plan) native(m *transcript.Message, k *transcript.Block) bool {
	return p.format.Native != nil && p.format.Native(m, k)
}

// Plan is a request before it is spelled.
type Plan struct {
	Log      payload.Log
	Messages []*transcript.Message
	Turns    []Turn
	Request  Request
	// Size is about the number of bytes that the texts of the messages take.
	Size int

	in     *payload.Input
	format Format
	names  *payload.Names
	gone   []bool // per message: does not go out
	pairs  pairs
	trim   place // the text that ends the body (W-223)
}

// place is a block, or content that is a string: then the block is nil. The zero
// place is nowhere.
type place struct {
	message *transcript.Message
	block   *transcript.Block
}

// New plans the request for messages that stand for those of the input. The
// error says that the thinking level is unknown.
func New(in *payload.Input, f Format, log payload.Log, names *payload.Names, messages []*transcript.Message) (*Plan, error) {
	p := &Plan{in: in, format: f, Log: log, names: names, Messages: messages}
	p.group()
	if err := p.decide(); err != nil {
		return nil, err
	}
	return p, nil
}

// Start makes the list begin with a user turn (W-181), or with anything at all
// (W-006).
func (p *Plan) Start() {
	switch {
	case len(p.Turns) == 0:
		p.Turns = []Turn{{Made: &Made{Text: "."}}}
		p.Log.Add(hygiene.Insert, nobody(), nil, ".", hygiene.Edit{
			Rule: "W-006", Reason: "no turn is left to send", Synthetic: true,
		})
	case p.Turns[0].Assistant:
		p.Turns = append([]Turn{{Made: &Made{Text: texts.SessionBootstrap}}}, p.Turns...)
		p.Log.Add(hygiene.Insert, nobody(), nil, texts.SessionBootstrap, hygiene.Edit{
			Rule: "W-181", Reason: "the history starts with an assistant turn", Synthetic: true,
		})
	}
}

// nobody stands for the place in front of all messages.
func nobody() *transcript.Message { return transcript.New(transcript.User) }

// Gone reports whether message i does not go out.
func (p *Plan) Gone(i int) bool { return p.gone[i] }

// ResultID returns the id under which a tool result goes out.
func (p *Plan) ResultID(m *transcript.Message) string {
	if id, changed := p.pairs.answeredAs[m]; changed {
		return id
	}
	return m.ToolCallID()
}

// OmitBlock records a block that does not go out.
func (p *Plan) OmitBlock(m *transcript.Message, k *transcript.Block) {
	rule := p.format.Assistant
	if m.Is(transcript.User) {
		rule = p.format.User
	}
	switch {
	case k.IsText():
		p.Log.Add(hygiene.Drop, m, k, nil, hygiene.Edit{Rule: rule, Reason: "text is blank"})
	case m.Is(transcript.Assistant) && k.IsToolCall():
		p.Log.Add(hygiene.Drop, m, k, nil, hygiene.Edit{Rule: "W-109", Reason: "call has no id or no name", Lossy: true})
	case p.format.Alone != nil && p.format.Alone(k):
		p.Log.Add(hygiene.Drop, m, k, nil, hygiene.Edit{
			Rule: "W-124", Reason: "a tool that the service runs has no call or no result here", Lossy: true,
		})
	default:
		p.Log.Unknown(m, k)
	}
}

// Says reports whether a value is text that can go out.
func Says(v jsonline.Value) bool { return v.IsString() && !payload.Blank(v) }
