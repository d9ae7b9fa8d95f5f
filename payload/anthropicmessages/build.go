package anthropicmessages

import (
	"fmt"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/transcript"
)

// NameForm returns the form of tool names for the input (W-176), and with it
// what [payload.NewNames] needs to map names of the answer back.
func NameForm(in *payload.Input) payload.NameForm {
	return payload.NameForm{Max: in.Policy.Wire.ToolNameMax}
}

// Build returns the body of an Anthropic Messages request (file 80 §5). The
// error says that the options cannot be sent: tools that are no JSON array, or
// an unknown thinking level. A list without a turn gives a body all the same
// (W-006).
func Build(in *payload.Input) ([]byte, error) {
	if tools := in.Options.Tools; tools.Exists() && tools.Kind != jsonline.Array {
		return nil, fmt.Errorf("tools: want a JSON array, found %s", tools.Kind)
	}
	b := &builder{
		in:    in,
		log:   payload.Log{Stage: stage, Report: in.Report},
		names: payload.NewNames(in, NameForm(in), "name"),
	}
	b.messages = payload.Images(in, b.log)
	b.group()
	if err := b.decide(); err != nil {
		return nil, err
	}
	b.start()
	b.mark()
	body := b.write()
	in.NoteSize(body)
	return body, nil
}

// builder is the state of one conversion.
type builder struct {
	in       *payload.Input
	log      payload.Log
	names    *payload.Names
	messages []*transcript.Message

	turns []turn
	gone  []bool // per message: does not go out
	pairs pairs
	size  int // bytes that the texts of the messages take, about

	request request
	trim    place // the text that ends the body (W-223)
	marks   marks

	out []byte
}

// place is a block, or content that is a string: then the block is nil. The zero
// place is nowhere.
type place struct {
	message *transcript.Message
	block   *transcript.Block
}

// start makes the list begin with a user turn (W-181), or with anything at all
// (W-006).
func (b *builder) start() {
	switch {
	case len(b.turns) == 0:
		b.turns = []turn{{made: &made{text: "."}}}
		b.log.Add(hygiene.Insert, b.nobody(), nil, ".", hygiene.Edit{
			Rule: "W-006", Reason: "no turn is left to send", Synthetic: true,
		})
	case b.turns[0].assistant:
		b.turns = append([]turn{{made: &made{text: texts.SessionBootstrap}}}, b.turns...)
		b.log.Add(hygiene.Insert, b.nobody(), nil, texts.SessionBootstrap, hygiene.Edit{
			Rule: "W-181", Reason: "the history starts with an assistant turn", Synthetic: true,
		})
	}
}

// nobody stands for the place in front of all messages.
func (b *builder) nobody() *transcript.Message { return transcript.New(transcript.User) }
