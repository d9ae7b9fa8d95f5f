package mistral

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/payload/internal/chat"
	"hygeia/policy"
	"hygeia/transcript"
)

// format is how turns are read in this format.
var format = chat.Format{
	Stage: stage, NamePath: []string{"function", "name"},
	User: "W-801", Assistant: "W-802", Thought: "W-802", Bridge: "W-805", ImagesInResults: true, ResultName: "name",
}

// Build returns the body of a request to Mistral's chat API. The error is
// payload.ErrNothingToSend when no user or assistant turn is left (W-006).
func Build(in *payload.Input) ([]byte, error) {
	in = chat.Stating(in, stage)
	b := &builder{Builder: chat.New(in, format)}
	b.Reasoning = b.reasoningOf
	b.Result = b.resultText
	if b.Own != nil {
		b.Native, b.NativeSaid = b.isNative, isSaid
	}
	b.Read()
	if in.Policy.Wire.Prefill == policy.PrefillNever && !b.begun() {
		b.CutPrefill(hygiene.Edit{Rule: "W-807", Reason: "the target takes no trailing assistant turn"})
	}
	if len(b.Turns) == 0 {
		return nil, payload.ErrNothingToSend
	}
	if level := in.Options.Thinking; level != payload.ThinkDefault && level != payload.ThinkOff {
		in.Report.Note("the thinking level is left out: the endpoint has no parameter for it")
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

// builder makes the body of one input.
type builder struct {
	*chat.Builder
	reasoning reasoning // of the turn that is being read
}

// reasoning takes the thinking of one assistant turn into its content (W-802).
type reasoning struct {
	b      *builder
	from   *transcript.Message
	closed string // why none of it goes out, "" if it may
}

// reasoningOf starts the reasoning of message i. Thinking goes back to the model
// that wrote it. A turn that does not say who wrote it is trusted if the model
// thinks at all (D-10).
func (b *builder) reasoningOf(i int) chat.Reasoning {
	m := b.Messages[i]
	b.reasoning = reasoning{b: b, from: m}
	switch {
	case b.Own != nil && b.Own.TurnOf(m) >= 0: // whoever built the request sends it back
	case !b.In.OwnTurn(m):
		b.reasoning.closed = "another model wrote it"
	case m.Model() == "" && !b.In.Policy.Model.Reasoning:
		b.reasoning.closed = "the model does not reason"
	}
	return &b.reasoning
}

// Thinking takes a thinking block in or records that it is held back.
func (r *reasoning) Thinking(k *transcript.Block) {
	text, why := k.TextValue(), r.closed
	switch {
	case k.Is(transcript.TypeRedactedThinking) || k.Get("redacted").Bool():
		why = "redacted thinking has no form in this format"
	case !text.IsString() || payload.Blank(text):
		why = "the thinking is blank"
	case why == "" && r.from.Model() == "" && k.Signature().Exists():
		why = "its signature belongs to another format"
	}
	if why == "" {
		r.b.Add(chat.Part{Kind: chat.Thinking, Raw: r.b.Log.Text(r.from, k, text).Raw, Rest: r.b.Members(r.from, k, "type", "thinking", "thinkingSignature")})
		return
	}
	r.b.Log.Add(hygiene.Drop, r.from, k, nil, hygiene.Edit{
		Rule: "W-802", Reason: why, Lossy: !text.Blank() || k.Signature().Exists(),
	})
}

// Signature holds back what a call carries besides its arguments.
func (r *reasoning) Signature(k *transcript.Block) jsonline.Value {
	r.b.Log.NoSignature(r.from, k)
	return jsonline.Value{}
}

// Thought returns nothing: thinking stands in the content.
func (r *reasoning) Thought() *chat.Thought { return nil }

// resultText returns the text of a tool result; a failed one says so (W-803). A
// stand-in says neither that it failed nor that it did not.
func (b *builder) resultText(m *transcript.Message) jsonline.Value {
	v := b.Log.ResultText(m, texts.NoToolOutput)
	if !m.IsError() || len(v.Raw) < 256 && texts.IsSyntheticResultText(v.String()) {
		return v
	}
	raw := jsonline.AppendQuoted(make([]byte, 0, len(texts.MistralToolErrorPrefix)+len(v.Raw)+2), texts.MistralToolErrorPrefix)
	raw = append(raw[:len(raw)-1], v.Raw[1:]...)
	return jsonline.Value{Raw: raw, Kind: jsonline.String, Flags: v.Flags}
}
