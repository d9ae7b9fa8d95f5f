package openairesponses

import (
	"strconv"
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
	"hygeia/wire/internal/canon"
	"hygeia/wire/internal/tree"
)

// blocks writes what an item gives to a turn of the model. Every block names the
// item that it comes from.
func (d *decoder) blocks(item, typ tree.Node) {
	switch {
	case typ.Is("reasoning"):
		d.reasoning(item)
	case typ.Is("function_call"), typ.Is("custom_tool_call"):
		d.call(item, typ.Is("custom_tool_call"))
	case typ.Is("message"), !typ.Exists():
		d.said(item)
	default:
		d.Next()
		d.Raw(`{"type":`)
		d.Copy(typ)
		d.from()
		d.Rest(item, "type", "item")
		d.Raw(`}`)
	}
}

// from names the item that a block comes from by its index.
func (d *decoder) from() { d.Raw(`,"item":` + strconv.Itoa(len(d.req.Turns)-1)) }

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
	d.from()
	d.Raw(`}`)
}

// said writes the texts of a message item. A refusal is content of this format.
func (d *decoder) said(item tree.Node) {
	signature := textSignature(item)
	text := func(t, part tree.Node) {
		d.Next()
		d.Raw(`{"type":"text"`)
		d.Member("text", t)
		if signature != "" {
			d.TextMember("textSignature", signature)
		}
		d.from()
		d.Rest(part, "type", "text", "textSignature", "item")
		d.Raw(`}`)
	}
	content := item.Get("content")
	if content.IsString() {
		text(content, tree.Node{})
	}
	for p := range content.Elements() {
		if typ := p.Get("type"); p.Get("text").IsString() && (typ.Is("output_text") || typ.Is("input_text") || typ.Is("text")) {
			text(p.Get("text"), p)
			continue
		}
		d.Next()
		if !p.IsObject() {
			d.Copy(p)
			continue
		}
		d.Raw(`{"type":`)
		d.Text(p.Get("type").Text())
		d.from()
		d.Rest(p, "type", "item")
		d.Raw(`}`)
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

func (d *decoder) call(item tree.Node, custom bool) {
	id := item.Get("call_id").Text()
	composite := id
	if fc := item.Get("id").Text(); fc != "" && !custom {
		composite += "|" + fc
	}
	d.calls[id] = call{composite, item.Get("name")}
	d.Next()
	d.Raw(`{"type":"toolCall"`)
	d.TextMember("id", composite)
	d.Member("name", item.Get("name"))
	arguments, input := item.Get("arguments"), item.Get("input")
	if custom && input.Exists() {
		d.Raw(`,"arguments":{"input":`)
		d.Copy(input)
		d.Raw(`},"custom":true`)
	} else if parsed := jsonline.Parse([]byte(arguments.Text())); parsed.Kind == jsonline.ObjectKind {
		d.Raw(`,"arguments":`)
		d.Raw(string(parsed.Raw))
	} else {
		d.Member("arguments", arguments) // for the passes to judge (W-110)
	}
	d.from()
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
	case p.Get("type").Is("input_text") && p.Get("text").Exists():
		d.Next()
		d.Raw(`{"type":"text"`)
		d.Member("text", p.Get("text"))
		d.Rest(p, "type", "text")
		d.Raw(`}`)
	case ok && p.Get("type").Is("input_image"):
		d.Next()
		d.Raw(`{"type":"image"`)
		d.TextMember("data", data)
		d.TextMember("mimeType", mime)
		d.Rest(p, "type", "image_url", "data", "mimeType")
		d.Raw(`}`)
	default:
		d.Block(p)
	}
}
