package anthropicmessages

import (
	"fmt"

	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/internal/anthropic"
	"hygeia/transcript"
)

// nameForm returns the form of tool names for the input (W-176).
func nameForm(in *payload.Input) payload.NameForm {
	return payload.NameForm{Max: in.Policy.Wire.ToolNameMax, Identity: in.Options.Identity}
}

// format is how the shared plan records what it does in this format.
var format = anthropic.Format{
	Stage: stage, User: "W-202", Assistant: "W-203", ID: "W-206", Prefill: [2]string{"W-220", "W-222"},
}

// Build returns the body of an Anthropic Messages request (file 80 §5). The
// error says that the options cannot be sent: tools that are no JSON array, or
// an unknown thinking level. A list without a turn gives a body all the same
// (W-006).
func Build(in *payload.Input) ([]byte, error) {
	if tools := in.Options.Tools; tools.Exists() && tools.Kind != jsonline.Array {
		return nil, fmt.Errorf("tools: want a JSON array, found %s", tools.Kind)
	}
	in = stating(in)
	log := payload.Log{Stage: stage, Report: in.Report}
	messages := in.Messages
	b := &builder{in: in, names: payload.NewNames(in, nameForm(in), "name"), own: newOwn(in, messages)}
	f := format
	if b.own != nil {
		f.Native, f.Stated, f.Waits = b.isNative, b.stated, b.waits
		f.Alone = func(k *transcript.Block) bool { return b.own.halves[k] == goes }
	}
	var err error
	if b.Plan, err = anthropic.New(in, f, log, b.names, messages); err != nil {
		return nil, err
	}
	b.Start()
	body := b.body()
	in.NoteSize(body)
	return body, nil
}

// builder writes one plan.
type builder struct {
	*anthropic.Plan
	in    *payload.Input
	names *payload.Names
	own   *own // nil unless the messages were decoded from a request of this format
	marks marks
	out   []byte
}

func (b *builder) body() []byte {
	if b.own != nil {
		return b.ownBody()
	}
	b.mark()
	return b.write()
}
