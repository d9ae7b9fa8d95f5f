package openaichat

import (
	"slices"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/payload/internal/chat"
	"hygeia/policy"
	"hygeia/transcript"
)

// builder makes the body of one input.
type builder struct {
	*chat.Builder
	reasoning reasoning              // of the turn that is being read
	replay    replay                 // how reasoning goes back
	round     struct{ from, to int } // tool round in progress (R-B05)
	params    []byte                 // thinking parameters of the body
	thinks    bool                   // the model will think
}

// format is how turns are read in this format.
var format = chat.Format{
	Stage: stage, NamePath: []string{"function", "name"},
	User: "W-402", Assistant: "W-405", Thought: "W-428", Bridge: "W-407",
}

// Build returns the body of a Chat Completions request. The error is
// payload.ErrNothingToSend when no user or assistant turn is left (W-414).
func Build(in *payload.Input) ([]byte, error) {
	b := newBuilder(in)
	b.Read()
	b.cutPrefill()
	if !slices.ContainsFunc(b.Turns, func(t chat.Turn) bool { return t.Role != chat.System }) {
		return nil, payload.ErrNothingToSend
	}
	body := b.write()
	in.NoteSize(body)
	return body, nil
}

func (b *builder) write() []byte {
	if b.Own != nil {
		return b.ownBody()
	}
	return b.body()
}

func newBuilder(in *payload.Input) *builder {
	in = chat.Stating(in, stage)
	b := &builder{Builder: chat.New(in, format)}
	if b.Own != nil {
		b.Beside = beside
	}
	if in.Policy.Wire.StringContent {
		b.Messages = b.Log.OmitImages(b.Messages, "W-402", "the target takes text only")
	}
	b.params, b.thinks = thinkingParams(in)
	if level := payload.LevelOf(b.stated()); level != payload.ThinkDefault {
		b.thinks = level != payload.ThinkOff
	}
	b.replay = chooseReplay(&in.Policy.Wire, b.thinks)
	b.round.from, b.round.to = transcript.ChatRound(b.Messages)
	b.Reasoning = b.reasoningOf
	b.Native = b.isNative
	b.Result = func(m *transcript.Message) jsonline.Value { return b.Log.ResultText(m, texts.NoOutput) }
	return b
}

// native are the types of content parts of this format that stored turns have
// no type of their own for. A block of such a type was decoded from a request
// and goes back as it was (W-124). The value says whether it is an image.
var native = map[transcript.BlockType]bool{"image_url": true, "input_audio": false, "file": false}

// isNative reports whether a block of a user turn goes out as it is: one that a
// request of this format held also where the type is not known.
func (b *builder) isNative(block *transcript.Block) bool {
	p := b.In.Policy
	picture, known := native[block.Type()]
	if b.Own != nil && !known {
		return !p.Wire.StringContent && block.IsObject() && block.Type() != "" && !block.IsToolCall() && !block.IsThinking()
	}
	return known && !p.Wire.StringContent && (p.Model.Images || !picture) && block.Get(string(block.Type())).Kind == jsonline.ObjectKind
}

// cutPrefill leaves out trailing assistant turns where the target would take
// them for the beginning of its answer (W-521, W-541, W-807).
// One that a request marks as a prefix is meant.
func (b *builder) cutPrefill() {
	if last := b.Last(); b.Own != nil && last != nil && last.From.Get("prefix").Bool() {
		return
	}
	e := hygiene.Edit{Rule: "W-807", Reason: "the target takes no trailing assistant turn"}
	switch b.In.Policy.Wire.Prefill {
	case policy.PrefillNever:
	case policy.PrefillThinking:
		if !b.thinks {
			return
		}
		e = hygiene.Edit{Rule: "W-521", Reason: "the target takes no trailing assistant turn while it thinks"}
		if b.Own == nil && len(b.params) == 0 || b.In.Policy.Wire.ReasoningEffort == "chat_template_kwargs" {
			e.Rule = "W-541" // the chat template thinks, not the request
		}
	default:
		return
	}
	b.CutPrefill(e)
}
