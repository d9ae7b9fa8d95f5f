package google

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/transcript"
)

// nativeParts are the data fields of parts that stored turns have no type of their
// own for. A block of such a type was decoded from a request and goes back as
// it was (W-124).
var nativeParts = map[transcript.BlockType]bool{
	"inlineData": true, "fileData": true, "executableCode": true, "codeExecutionResult": true,
}

// native returns the part that a block of this format's own goes back as.
func (b *builder) native(m *transcript.Message, block *transcript.Block) (part, bool) {
	name := string(block.Type())
	if !nativeParts[block.Type()] || block.Get(name).Kind != jsonline.ObjectKind {
		return part{}, false
	}
	return part{kind: nativePart, name: name, raw: b.log.Text(m, block, block.Get(name)).Raw, rest: b.rest(m, block, name)}, true
}

// userTurn adds a user turn (W-602).
func (b *builder) userTurn(m *transcript.Message) {
	u := userTurn{b: b, m: m, parts: make([]part, 0, 1+len(m.Blocks()))}
	same := b.mark()
	if v := m.Text(); v.Exists() {
		u.text(nil, v)
	}
	for _, block := range m.Blocks() {
		u.block(block)
	}
	if len(u.parts) == 0 && !u.empty() {
		return
	}
	b.add(content{kind: user, from: m, list: b.list(m), same: same(), parts: u.parts})
}

// blankTurn is the text of a blank user turn (W-602).
const blankTurn = " "

// userTurn collects the parts of a user turn.
type userTurn struct {
	b     *builder
	m     *transcript.Message
	parts []part
	blank bool // held blank text
	space bool // held the text that a blank turn goes out with
	lost  bool // held what has no form in this format
}

func (u *userTurn) block(block *transcript.Block) {
	if v := block.TextValue(); block.Is(transcript.TypeText) && v.IsString() {
		u.text(block, v)
		return
	}
	if block.Is(transcript.TypeImage) && u.b.takes(block) {
		p := image(block)
		p.rest, p.inside = u.b.rest(u.m, block, "data", "mimeType", "inlineData"), u.b.inside(u.m, block, "inlineData")
		u.parts = append(u.parts, p)
		return
	}
	if p, ok := u.b.native(u.m, block); ok {
		u.parts = append(u.parts, p)
		return
	}
	u.lost = true
	u.b.log.Unknown(u.m, block)
}

func (u *userTurn) text(block *transcript.Block, v jsonline.Value) {
	legal := u.b.log.Text(u.m, block, v)
	if !legal.Blank() {
		u.parts = append(u.parts, part{kind: textPart, raw: legal.Raw, rest: u.b.rest(u.m, block, "text", "textSignature")})
		return
	}
	u.blank, u.space = true, u.space || legal.String() == blankTurn
	if block != nil && len(u.m.Blocks()) > 1 {
		u.b.log.Add(hygiene.Drop, u.m, block, nil, hygiene.Edit{Rule: "W-602", Reason: "the text is blank"})
	}
}

// empty gives a turn that has no part the text that it goes out with. It reports
// false for a turn without content, which does not go out.
func (u *userTurn) empty() bool {
	var text string
	switch {
	case u.lost, u.blank && u.b.claude: // Claude takes no blank text (AN-12)
		text = texts.OmittedContent
		u.b.log.Add(hygiene.Replace, u.m, nil, text, hygiene.Edit{Rule: "W-162", Reason: "nothing of the user turn is left", Synthetic: true})
	case u.blank:
		if text = blankTurn; u.space {
			break
		}
		u.b.log.Add(hygiene.Replace, u.m, nil, text, hygiene.Edit{Rule: "W-602", Reason: "the user turn is blank"})
	default:
		u.b.log.Add(hygiene.Drop, u.m, nil, nil, hygiene.Edit{Rule: "W-602", Reason: "the user turn is empty"})
		return false
	}
	u.parts = made(text)
	return true
}

func image(block *transcript.Block) part {
	return part{kind: imagePart, raw: payload.Legal(block.Get("data")).Raw, mime: payload.Legal(block.Get("mimeType")).Raw}
}
