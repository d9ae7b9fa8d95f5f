package openairesponses

import (
	"errors"
	"fmt"
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
	"hygeia/wire"
	"hygeia/wire/internal/canon"
	"hygeia/wire/internal/tree"
)

// API is the name of the format (P-01).
const API = "openai-responses"

// ErrNoInput says that a body holds no input.
var ErrNoInput = errors.New("the body has no input")

// Decode reads a body. The error is [ErrNoInput] or says where the body is no
// JSON.
func Decode(body []byte) (*wire.Request, error) {
	root, err := tree.Parse(body)
	if err != nil {
		return nil, fmt.Errorf("request body: %w", err)
	}
	input := root.Get("input")
	if !input.IsArray() && !input.IsString() {
		return nil, ErrNoInput
	}
	req := &wire.Request{API: API, Body: jsonline.ParseObject(root.Value().Raw), System: root.Get("instructions").Text()}
	parameters(req, root)
	d := decoder{List: canon.New(req, len(input.Value().Raw)), req: req, calls: map[string]call{}}
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

// decoder writes the canonical messages.
type decoder struct {
	*canon.List
	req       *wire.Request
	calls     map[string]call // so far, by call id
	assistant bool            // an assistant turn is open
	begun     bool            // a turn was seen, so a system message is none of the prompt
}

// call is what a result needs to know of its call.
type call struct {
	id   string // composite where the call has an item id (W-175)
	name tree.Node
}

func (d *decoder) item(item tree.Node) {
	typ, role := item.Get("type"), item.Get("role")
	message := typ.Is("message") || !typ.Exists() && role.IsString()
	fromModel := message && role.Is("assistant") || typ.Is("reasoning") || typ.Is("function_call")
	if !fromModel {
		d.closeAssistant()
	}
	d.Turn(item)
	if message && !d.begun && (role.Is("system") || role.Is("developer")) {
		d.prompt(item.Get("content"))
		return
	}
	d.begun = true
	switch {
	case !item.IsObject():
		d.Odd(item)
	case fromModel:
		d.openAssistant()
		d.ofModel(item, typ)
	case message && role.Is("user"):
		d.Begin(transcript.User, item.Value())
		d.content(item.Get("content"))
		d.Rest(item, "role", "content")
		d.End()
	case typ.Is("function_call_output"):
		d.result(item)
	default:
		d.Begin(transcript.Role(role.Text()+typ.Text()), item.Value())
		d.Rest(item, "role")
		d.End()
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

// ofModel writes the blocks of an item of the model.
func (d *decoder) ofModel(item, typ tree.Node) {
	switch {
	case typ.Is("reasoning"):
		d.reasoning(item)
	case typ.Is("function_call"):
		d.call(item)
	default:
		d.said(item)
	}
}

// reasoning writes a thinking block: the summary as its text, the item as its
// signature.
func (d *decoder) reasoning(item tree.Node) {
	var summary []string
	for s := range item.Get("summary").Elements() {
		summary = append(summary, s.Get("text").Text())
	}
	d.Next()
	d.Raw(`{"type":"thinking"`)
	d.TextMember("thinking", strings.Join(summary, "\n\n"))
	d.TextMember("thinkingSignature", string(item.Value().Raw))
	d.Raw(`}`)
}

// said writes the texts of a message item. A refusal is content of this format.
func (d *decoder) said(item tree.Node) {
	signature := textSignature(item)
	text := func(t tree.Node) {
		d.Next()
		d.Raw(`{"type":"text"`)
		d.Member("text", t)
		if signature != "" {
			d.TextMember("textSignature", signature)
		}
		d.Raw(`}`)
	}
	content := item.Get("content")
	if content.IsString() {
		text(content)
	}
	for p := range content.Elements() {
		if p.Get("type").Is("output_text") {
			text(p.Get("text"))
		} else {
			d.Block(p)
		}
	}
}

// textSignature returns what a message item says besides its text (W-304), ""
// for nothing.
func textSignature(item tree.Node) string {
	id, phase := item.Get("id"), item.Get("phase")
	if !id.IsString() && !phase.IsString() {
		return ""
	}
	o := jsonline.Object{}.With("v", jsonline.Value{Raw: []byte("1"), Kind: jsonline.Number})
	if id.IsString() {
		o = o.With("id", id.Value())
	}
	if phase.IsString() {
		o = o.With("phase", phase.Value())
	}
	return string(o.AppendTo(nil))
}

func (d *decoder) call(item tree.Node) {
	id := item.Get("call_id").Text()
	composite := id
	if fc := item.Get("id").Text(); fc != "" {
		composite += "|" + fc
	}
	d.calls[id] = call{composite, item.Get("name")}
	d.Next()
	d.Raw(`{"type":"toolCall"`)
	d.TextMember("id", composite)
	d.Member("name", item.Get("name"))
	arguments := item.Get("arguments")
	if parsed := jsonline.Parse([]byte(arguments.Text())); parsed.Kind == jsonline.ObjectKind {
		d.Raw(`,"arguments":`)
		d.Raw(string(parsed.Raw))
	} else {
		d.Member("arguments", arguments) // for the passes to judge (W-110)
	}
	d.Raw(`}`)
}

func (d *decoder) result(item tree.Node) {
	d.Begin(transcript.ToolResult, item.Value())
	id := item.Get("call_id").Text()
	if c, ok := d.calls[id]; ok {
		d.TextMember("toolCallId", c.id)
		d.Member("toolName", c.name)
	} else {
		d.TextMember("toolCallId", id)
	}
	output := item.Get("output")
	if output.IsString() {
		d.Content()
		d.TextBlock(output)
		d.EndContent()
	} else {
		d.content(output)
	}
	d.End()
}

// content writes the content of a user turn or a tool result: a string stays
// one, parts become blocks.
func (d *decoder) content(content tree.Node) {
	if !content.IsArray() {
		d.Member("content", content)
		return
	}
	d.Content()
	for p := range content.Elements() {
		d.part(p)
	}
	d.EndContent()
}

func (d *decoder) part(p tree.Node) {
	mime, data, ok := canon.DataURL(p.Get("image_url").Text())
	switch {
	case p.Get("type").Is("input_text"), p.Get("type").Is("output_text"):
		d.TextBlock(p.Get("text"))
	case ok && p.Get("type").Is("input_image"):
		d.Next()
		d.Raw(`{"type":"image"`)
		d.TextMember("data", data)
		d.TextMember("mimeType", mime)
		d.Raw(`}`)
	default:
		d.Block(p)
	}
}
