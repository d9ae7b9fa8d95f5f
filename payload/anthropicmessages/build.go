package anthropicmessages

import (
	"fmt"

	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/internal/anthropic"
)

// NameForm returns the form of tool names for the input (W-176), and with it
// what [payload.NewNames] needs to map names of the answer back.
func NameForm(in *payload.Input) payload.NameForm {
	return payload.NameForm{Max: in.Policy.Wire.ToolNameMax}
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
	log := payload.Log{Stage: stage, Report: in.Report}
	names := payload.NewNames(in, NameForm(in), "name")
	plan, err := anthropic.New(in, format, log, names, payload.Images(in, log))
	if err != nil {
		return nil, err
	}
	plan.Start()
	b := &builder{Plan: plan, in: in, names: names}
	b.mark()
	body := b.write()
	in.NoteSize(body)
	return body, nil
}

// builder writes one plan.
type builder struct {
	*anthropic.Plan
	in    *payload.Input
	names *payload.Names
	marks marks
	out   []byte
}
