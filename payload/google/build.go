package google

import (
	"fmt"
	"slices"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/transcript"
)

// builder turns the messages of one input into contents of the wire format.
type builder struct {
	in    *payload.Input
	log   payload.Log
	names *payload.Names
	// claude is set where thought parts need a signature of Claude, since the
	// service makes Anthropic messages of the contents (W-633, W-634).
	claude   bool
	envelope *envelope // nil where the request goes out alone

	own      *own                  // nil unless the messages were decoded from a request of this format
	messages []*transcript.Message // with the images that the target takes
	thinking thinking
	contents []content
	size     int // about the length of the contents

	ids, called []string // calls of the turn that is being read: ids and wire names
	images      []part   // of the tool results that are being read
}

// names returns the mapping of tool names for the input (W-176). Names for Claude
// are legal for Anthropic as well.
func names(in *payload.Input) *payload.Names {
	form := payload.NameForm{Max: in.Policy.Wire.ToolNameMax, Google: true}
	if in.Policy.SanitizeThinkingSignatures {
		form.Google, form.LetterFirst = false, true
	}
	return payload.NewNames(in, form, toolName...)
}

// toolName is the way to the names in tool definitions.
var toolName = []string{"functionDeclarations", "name"}

// Build returns the body of a generateContent request (file 80 §14), in an
// envelope where the API is that of Cloud Code Assist. The error says that the
// options cannot be sent: tools that are no JSON array, or an unknown thinking
// level. A list without a turn gives a body all the same (W-006).
func Build(in *payload.Input) ([]byte, error) {
	if tools := in.Options.Tools; tools.Exists() && tools.Kind != jsonline.Array {
		return nil, fmt.Errorf("tools: want a JSON array, found %s", tools.Kind)
	}
	b := &builder{
		in:     in,
		log:    payload.Log{Stage: stage, Report: in.Report},
		claude: in.Policy.SanitizeThinkingSignatures, envelope: chooseEnvelope(in.Target),
	}
	if b.own = b.newOwn(); b.own != nil {
		b.in = b.own.stating(in)
	}
	b.names, b.messages = names(b.in), b.in.Messages
	if err := b.decide(); err != nil {
		return nil, err
	}
	b.contents = make([]content, 0, len(b.messages)+1)
	b.read()
	b.end()
	body := b.write()
	in.NoteSize(body)
	return body, nil
}

func (b *builder) write() []byte {
	if b.own != nil {
		return b.ownBody()
	}
	return b.body()
}

// read turns every message into a content. A tool result belongs to the
// assistant turn in front of it.
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
			b.modelTurn(list[i])
			b.results(list[i], list[i+1:end])
			i = end - 1
		case transcript.ToolResult:
			b.log.Orphan(list[i])
		default:
			b.log.Unknown(list[i], nil)
		}
	}
}

// end makes the list end in a content of the user's, so that the model answers
// (W-608, D-48), and hold one at all (W-006).
func (b *builder) end() {
	for i := range b.contents {
		if c := &b.contents[i]; c.joined && c.kind == user {
			c.parts = said(c.parts)
		}
	}
	text, from := " ", nobody
	edit := hygiene.Edit{Rule: "W-006", Reason: "no turn is left to send", Synthetic: true}
	switch last := b.last(); {
	case last == nil && b.claude:
		text = "." // Claude takes no blank text (AN-12)
	case last == nil:
	case last.kind != model:
		return
	default:
		text, from = texts.ContinueTurn, last.from
		edit.Rule, edit.Reason = "W-608", "the list ends in a model turn"
	}
	b.log.Add(hygiene.Insert, from, nil, transcript.NewText(transcript.User, text), edit)
	b.add(content{kind: user, from: from, parts: made(text)})
}

// nobody stands for the place in front of all messages.
var nobody = transcript.New(transcript.User)

// made is a list of one text that no message gave.
func made(text string) []part { return []part{{kind: textPart, raw: jsonline.Text(text).Raw}} }

// takes reports whether an image block has what the format and the target
// demand (GG-16).
func (b *builder) takes(block *transcript.Block) bool {
	data, mime := block.Get("data"), block.Get("mimeType")
	if !data.IsString() || data.Blank() || !mime.IsString() || mime.Blank() {
		return false
	}
	types := b.in.Policy.Wire.ImageTypes
	return len(types) == 0 || slices.Contains(types, mime.String())
}
