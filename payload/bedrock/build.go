package bedrock

import (
	"fmt"

	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/internal/anthropic"
	"hygeia/transcript"
)

// Build returns the body of a Converse request (file 80 §15). The error says
// that the options cannot be sent: tools that are no JSON array, or an unknown
// thinking level; or it is payload.ErrNothingToSend, for a model other than
// Claude whose list is left without a turn (W-006).
func Build(in *payload.Input) ([]byte, error) {
	if tools := in.Options.Tools; tools.Exists() && tools.Kind != jsonline.Array {
		return nil, fmt.Errorf("tools: want a JSON array, found %s", tools.Kind)
	}
	in = stating(in)
	log := payload.Log{Stage: stage, Report: in.Report}
	messages := in.Messages
	if !offersTools(in) {
		messages = tellTools(messages, log)
	}
	names := payload.NewNames(in, payload.NameForm{Max: in.Policy.Wire.ToolNameMax}, "toolSpec", "name")
	claude := in.Policy.Wire.SignedReasoning
	b := &builder{in: in, names: names, own: anthropic.NewOwn(in.Own(stage))}
	f := format(claude)
	if b.own != nil {
		f.Native, f.Stated = b.isNative, b.stated
		b.limitPoints(messages)
	}
	var err error
	if b.Plan, err = anthropic.New(in, f, log, names, messages); err != nil {
		return nil, err
	}
	if len(b.Turns) == 0 && !claude {
		return nil, payload.ErrNothingToSend
	}
	b.Start()
	body := b.body()
	in.NoteSize(body)
	return body, nil
}

func (b *builder) body() []byte {
	if b.own != nil {
		return b.ownBody()
	}
	b.mark()
	return b.write()
}

// format is how the shared plan records what it does in this format.
func format(claude bool) anthropic.Format {
	f := anthropic.Format{
		Stage: stage, User: "W-702", Assistant: "W-703", ID: "W-706", Prefill: [2]string{"W-710", "W-710"}, Bridge: "W-712",
		Base64Data: "W-704",
	}
	if !claude {
		f.NoThinking = "W-704"
	}
	return f
}

// builder writes one plan.
type builder struct {
	*anthropic.Plan
	in    *payload.Input
	names *payload.Names
	own   *anthropic.Own // nil unless the messages were decoded from a request of this format
	marks marks
	out   []byte

	surplus      map[any]bool // messages and blocks of the request that lose their cache point
	frontSurplus int          // cache points that tools and system prompt lose
}

// marks says where cache points go (W-701, W-711).
type marks struct {
	system  bool
	message *transcript.Message // behind the last block of this one
}

// maxMarks is the number of cache points that a body may hold (BR-19).
const maxMarks = 4

// mark places the cache points: behind the stable part of the system prompt and
// behind the newest user turn. Those of the caller's own tools count. Runtime
// context is never in front of one: it is not there in the next request.
func (b *builder) mark() {
	if !b.in.Policy.Wire.CacheMarkers {
		return
	}
	left := maxMarks
	for def := range b.in.Options.Tools.Elements() {
		if def.Object().Has("cachePoint") {
			left--
		}
	}
	if stable, _ := payload.SplitSystem(b.in.Options.System); stable != "" && left > 0 {
		b.marks.system = true
		left--
	}
	for i := len(b.Messages) - 1; i >= 0 && left > 0; i-- {
		m := b.Messages[i]
		if !b.Gone(i) && !m.Is(transcript.Assistant) && !m.CarriesContext() {
			b.marks.message = m
			return
		}
	}
}
