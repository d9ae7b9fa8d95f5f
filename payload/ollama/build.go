package ollama

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
	User: "W-551", Assistant: "W-551", Thought: "W-551", Bridge: "W-407", ResultName: "tool_name",
}

// Build returns the body of a request to /api/chat. The error is
// payload.ErrNothingToSend when no user or assistant turn is left (W-006).
func Build(in *payload.Input) ([]byte, error) {
	in = chat.Stating(in, stage)
	b := &builder{}
	f := format
	f.ImagesInResults = in.Own(stage) != nil // a request may hold them there
	b.Builder = chat.New(in, f)
	b.think, b.thinks = b.decide()
	b.Reasoning = b.reasoningOf
	b.Result = func(m *transcript.Message) jsonline.Value { return b.Log.ResultText(m, texts.NoOutput) }
	b.Read()
	b.cutPrefill()
	if len(b.Turns) == 0 {
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

// builder makes the body of one input.
type builder struct {
	*chat.Builder
	reasoning reasoning // of the turn that is being read
	think     string    // what the body says about thinking, "" for nothing
	thinks    bool      // the model will think
}

// decide returns what the body says about thinking where a level is asked for, ""
// for nothing, and whether the model will think (D-38).
func (b *builder) decide() (think string, thinks bool) {
	level, m, report := b.In.Options.Thinking, &b.In.Policy.Model, b.In.Report
	thinks = m.Reasoning && (m.ThinkingDefault == policy.ThinksOn || m.ThinkingDefault == policy.ThinksAlways)
	switch {
	case level == payload.ThinkDefault:
		if b.Own != nil && b.Own.Thinking != "" {
			thinks = b.Own.Thinking != string(payload.ThinkOff)
		}
		return "", thinks
	case !m.Reasoning:
		if level != payload.ThinkOff {
			report.Note("the thinking level is left out: the model does not reason")
		}
		return "", false
	case level != payload.ThinkOff:
		return "true", true
	case m.ThinkingDefault == policy.ThinksAlways:
		report.Note("thinking stays on: it cannot be switched off for this model")
		return "", true
	}
	return "false", false
}

// cutPrefill leaves out trailing assistant turns where the target would take
// them for the beginning of its answer (W-541).
func (b *builder) cutPrefill() {
	switch p := b.In.Policy.Wire.Prefill; {
	case p == policy.PrefillNever:
		b.CutPrefill(hygiene.Edit{Rule: "W-541", Reason: "the target takes no trailing assistant turn"})
	case p == policy.PrefillThinking && b.thinks:
		b.CutPrefill(hygiene.Edit{Rule: "W-541", Reason: "the target takes no trailing assistant turn while it thinks"})
	}
}

// reasoning holds back the thinking of one assistant turn (W-551).
type reasoning struct {
	log  payload.Log
	from *transcript.Message
}

func (b *builder) reasoningOf(i int) chat.Reasoning {
	b.reasoning = reasoning{b.Log, b.Messages[i]}
	return &b.reasoning
}

// Thinking records that a thinking block is held back.
func (r *reasoning) Thinking(k *transcript.Block) {
	r.log.Add(hygiene.Drop, r.from, k, nil, hygiene.Edit{
		Rule: "W-551", Reason: "the target takes no thinking of earlier turns", Lossy: !k.TextValue().Blank() || k.Signature().Exists(),
	})
}

// Signature holds back what a call carries besides its arguments.
func (r *reasoning) Signature(k *transcript.Block) jsonline.Value {
	r.log.NoSignature(r.from, k)
	return jsonline.Value{}
}

// Thought returns nothing.
func (r *reasoning) Thought() *chat.Thought { return nil }
