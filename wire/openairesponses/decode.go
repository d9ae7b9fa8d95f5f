package openairesponses

import (
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
	"hygeia/wire"
	"hygeia/wire/internal/canon"
	"hygeia/wire/internal/tree"
)

// API is the name of the format (P-01).
const API = "openai-responses"

// Decode reads a body. The error wraps [wire.ErrNoTurns] or says where the body
// is no JSON.
func Decode(body []byte) (*wire.Request, error) {
	req, root, err := canon.Parse(body, API)
	if err != nil {
		return nil, err
	}
	input := root.Get("input")
	if !input.IsArray() && !input.IsString() {
		return nil, canon.NoTurns("input")
	}
	req.System = root.Get("instructions").Text()
	parameters(req, root)
	d := decoder{List: canon.New(req, len(input.Value().Raw)), req: req, calls: map[string]call{}, stateful: stateful(root)}
	if input.IsString() {
		d.Turn(input)
		d.Begin(transcript.User, input.Value())
		d.Member("content", input)
		d.End()
	}
	for item := range input.Elements() {
		d.item(item)
	}
	d.closeAssistant()
	return req, d.Close()
}

// stateful reports whether the input is only what follows on turns that the
// service knows.
func stateful(root tree.Node) bool {
	if root.Get("previous_response_id").Given() || root.Get("conversation").Given() {
		return true
	}
	for item := range root.Get("input").Elements() {
		if item.Get("type").Is("item_reference") {
			return true
		}
	}
	return false
}

// decoder writes the canonical messages.
type decoder struct {
	*canon.List
	req       *wire.Request
	calls     map[string]call // so far, by call id
	assistant bool            // an assistant turn is open
	begun     bool            // a turn was seen, so a system message is none of the prompt
	stateful  bool            // the service knows more turns than the input holds (W-335)
}

// maxCallID is the longest id that the service gives a call (OR-11).
const maxCallID = 64

// call is what a result needs to know of its call.
type call struct {
	id   string // composite where the call has an item id (W-175)
	name tree.Node
}

func (d *decoder) item(item tree.Node) {
	typ, role := item.Get("type"), item.Get("role")
	message := typ.Is("message") || !typ.Exists()
	instructs := message && (role.Is("system") || role.Is("developer"))
	ofModel := d.ofModel(item, message)
	if !ofModel {
		d.closeAssistant()
	}
	d.Turn(item)
	if instructs && !d.begun {
		d.prompt(item.Get("content"))
		return
	}
	d.begun = true
	switch {
	case !item.IsObject():
		d.Odd(item)
	case ofModel:
		d.openAssistant()
		d.blocks(item, typ)
	case instructs:
		d.Begin(transcript.Custom, item.Value())
		d.TextMember("customType", transcript.SystemRow)
		d.content(item.Get("content"))
		d.End()
	case message && role.Is("user"):
		d.Begin(transcript.User, item.Value())
		d.content(item.Get("content"))
		d.Rest(item, "type", "role", "content")
		d.End()
	case typ.Is("function_call_output"), typ.Is("custom_tool_call_output"):
		d.result(item)
	default:
		d.Begin(transcript.Role(role.Text()+typ.Text()), item.Value())
		d.Rest(item, "role")
		d.End()
	}
}

// ofModel reports whether an item is part of a turn of the model. So is every
// item that is neither a message nor a result: a tool of the service with what
// it returned, a reference, a compaction, and the result of a call that only the
// service knows (W-335).
func (d *decoder) ofModel(item tree.Node, message bool) bool {
	switch typ := item.Get("type"); {
	case message:
		return item.Get("role").Is("assistant")
	case typ.Is("function_call_output"), typ.Is("custom_tool_call_output"):
		id := item.Get("call_id").Text()
		_, known := d.calls[id]
		return d.stateful && !known && id != "" && len(id) <= maxCallID
	default:
		return typ.IsString()
	}
}

// prompt adds a leading system message to the system prompt.
func (d *decoder) prompt(content tree.Node) {
	texts := []string{}
	if d.req.System != "" {
		texts = append(texts, d.req.System)
	}
	if content.IsString() {
		texts = append(texts, content.Text())
	}
	for p := range content.Elements() {
		texts = append(texts, p.Get("text").Text())
	}
	d.req.System = strings.Join(texts, "\n")
}

func (d *decoder) openAssistant() {
	if !d.assistant {
		d.assistant = true
		d.Begin(transcript.Assistant, jsonline.Value{})
		d.Content()
	}
}

func (d *decoder) closeAssistant() {
	if d.assistant {
		d.assistant = false
		d.EndContent()
		d.End()
	}
}
