package openaichat

import (
	"hygeia/hygiene"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/transcript"
)

// builder turns the messages of one input into turns of the wire format.
type builder struct {
	in    *payload.Input
	log   payload.Log
	names *payload.Names

	joins    [2]bool                // by role: neighbours are joined (D-34)
	messages []*transcript.Message  // with the images that the target takes
	replay   replay                 // how reasoning goes back
	round    struct{ from, to int } // tool round in progress (R-B05)
	params   []byte                 // thinking parameters of the body
	thinks   bool                   // the model will think

	turns  []turn
	parts  slab[part]
	calls  slab[call]
	images []part          // of the tool results that are being read
	seen   map[string]bool // call ids of the turn that is being read
}

// Build returns the body of a Chat Completions request. The error is
// payload.ErrNothingToSend when no user or assistant turn is left (W-414).
func Build(in *payload.Input) ([]byte, error) {
	b := newBuilder(in)
	b.read()
	b.cutPrefill()
	if len(b.turns) == 0 {
		return nil, payload.ErrNothingToSend
	}
	body := b.body()
	in.NoteSize(body)
	return body, nil
}

func newBuilder(in *payload.Input) *builder {
	p := in.Policy
	b := &builder{
		in:    in,
		log:   payload.Log{Stage: stage, Report: in.Report},
		names: payload.NewNames(in, payload.NameForm{Max: p.Wire.ToolNameMax}, "function", "name"),
		joins: [...]bool{
			user:      p.ValidateAnthropicTurns || p.Wire.StrictAlternation,
			assistant: p.ValidateAnthropicTurns || p.ValidateGeminiTurns || p.Wire.StrictAlternation,
		},
		seen: map[string]bool{},
	}
	b.messages = payload.Images(in, b.log)
	if p.Wire.StringContent {
		b.messages = b.log.OmitImages(b.messages, "W-402", "the target takes text only")
	}
	b.params, b.thinks = thinkingParams(in)
	b.replay = chooseReplay(&p.Wire, b.thinks)
	b.round.from, b.round.to = transcript.ChatRound(b.messages)
	b.reserve()
	return b
}

// reserve makes room for what the messages become.
func (b *builder) reserve() {
	parts, calls := 8, 0
	for _, m := range b.messages {
		parts++
		for _, block := range m.Blocks() {
			if block.IsToolCall() {
				calls++
			} else {
				parts++
			}
		}
	}
	b.turns = make([]turn, 0, len(b.messages)+8)
	b.parts.all = make([]part, 0, parts)
	b.calls.all = make([]call, 0, calls)
}

// read turns every message into a turn. A tool result belongs to the assistant
// turn in front of it.
func (b *builder) read() {
	list := b.messages
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
			b.log.Orphan(list[i])
		default:
			b.log.Unknown(list[i], nil)
		}
	}
}

// cutPrefill leaves out trailing assistant turns where the target would take
// them for the beginning of its answer (W-521, W-541, W-807). A turn with calls
// is none: its results follow.
func (b *builder) cutPrefill() {
	rule, reason := "W-807", "the target takes no trailing assistant turn"
	switch b.in.Policy.Wire.Prefill {
	case policy.PrefillNever:
	case policy.PrefillThinking:
		if !b.thinks {
			return
		}
		rule, reason = "W-521", "the target takes no trailing assistant turn while it thinks"
		if len(b.params) == 0 || b.in.Policy.Wire.ReasoningEffort == "chat_template_kwargs" {
			rule = "W-541" // the chat template thinks, not the request
		}
	default:
		return
	}
	for last := b.last(); last != nil && last.role == assistant; last = b.last() {
		b.log.Add(hygiene.Drop, last.from, nil, nil, hygiene.Edit{Rule: rule, Reason: reason, Lossy: true})
		b.turns = b.turns[:len(b.turns)-1]
	}
}
