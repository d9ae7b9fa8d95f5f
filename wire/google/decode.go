package google

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
	"hygeia/wire"
	"hygeia/wire/internal/canon"
	"hygeia/wire/internal/tree"
)

// The formats by their names in P-01: the plain body, and the envelope.
const (
	API         = "google-generative-ai"
	APIEnvelope = "google-gemini-cli"
)

// ErrNoContents says that a body holds no list of contents.
var ErrNoContents = errors.New("the body has no list of contents")

// Decode reads a plain body. The error is [ErrNoContents] or says where the body
// is no JSON.
func Decode(body []byte) (*wire.Request, error) { return decode(body, API) }

// DecodeEnvelope is Decode for the envelope of Cloud Code Assist.
func DecodeEnvelope(body []byte) (*wire.Request, error) { return decode(body, APIEnvelope) }

func decode(body []byte, api string) (*wire.Request, error) {
	root, err := tree.Parse(body)
	if err != nil {
		return nil, fmt.Errorf("request body: %w", err)
	}
	req := &wire.Request{API: api, Body: jsonline.ParseObject(root.Value().Raw), Model: root.Get("model").Text()}
	if api == APIEnvelope {
		root = root.Get("request")
	}
	contents := root.Get("contents")
	if !contents.IsArray() {
		return nil, ErrNoContents
	}
	parameters(req, root)
	d := decoder{List: canon.New(req, len(contents.Value().Raw))}
	for c := range contents.Elements() {
		d.turn(c)
	}
	return req, d.Close()
}

// call is a call that may still get its response.
type call struct{ id, name string }

// decoder writes the canonical messages.
type decoder struct {
	*canon.List
	calls int    // so far
	open  []call // of the last model content
}

func (d *decoder) turn(c tree.Node) {
	d.Turn(c)
	switch role := c.Get("role"); {
	case !c.IsObject():
		d.Odd(c)
	case role.Is("model"):
		d.model(c)
	case role.Is("user"), role.Is("function"), !role.Given():
		d.user(c)
	default:
		d.Begin(transcript.Role(role.Text()), c.Value())
		d.Rest(c, "role")
		d.End()
	}
}

// user writes the responses of a content as tool results, and what else it says
// as a user turn.
func (d *decoder) user(c tree.Node) {
	var rest []tree.Node
	results := 0
	for p := range c.Get("parts").Elements() {
		if r := p.Get("functionResponse"); r.IsObject() {
			results++
			d.result(r)
		} else {
			rest = append(rest, p)
		}
	}
	if len(rest) == 0 && results > 0 {
		return
	}
	d.Begin(transcript.User, c.Value())
	d.Content()
	for _, p := range rest {
		d.part(p)
	}
	d.EndContent()
	d.Rest(c, "role", "parts", "content")
	d.End()
}

// part writes a part that is neither a call nor a response.
func (d *decoder) part(p tree.Node) {
	inline := p.Get("inlineData")
	switch {
	case p.Get("text").IsString():
		d.TextBlock(p.Get("text"))
	case inline.IsObject() && strings.HasPrefix(inline.Get("mimeType").Text(), "image/"):
		d.image(inline)
	default:
		d.native(p)
	}
}

func (d *decoder) image(inline tree.Node) {
	d.Next()
	d.Raw(`{"type":"image"`)
	d.Member("data", inline.Get("data"))
	d.Member("mimeType", inline.Get("mimeType"))
	d.Raw(`}`)
}

// native writes a part of this format: its type is the name of its data.
func (d *decoder) native(p tree.Node) {
	for _, name := range []string{"fileData", "inlineData", "executableCode", "codeExecutionResult"} {
		if v := p.Get(name); v.Exists() {
			d.Next()
			d.Raw(`{"type":`)
			d.Text(name)
			d.Member(name, v)
			d.Raw(`}`)
			return
		}
	}
	d.Block(p)
}

func (d *decoder) model(c tree.Node) {
	d.open = d.open[:0]
	d.Begin(transcript.Assistant, c.Value())
	d.Content()
	for p := range c.Get("parts").Elements() {
		switch {
		case p.Get("functionCall").IsObject():
			d.call(p)
		case p.Get("text").IsString() && p.Get("thought").Value().Bool():
			d.signed("thinking", "thinking", "thinkingSignature", p)
		case p.Get("text").IsString():
			d.signed("text", "text", "textSignature", p)
		default:
			d.part(p)
		}
	}
	d.EndContent()
	d.Rest(c, "role", "parts", "content")
	d.End()
}

// signed writes a text or thinking block with the signature of its part.
func (d *decoder) signed(typ, member, signature string, p tree.Node) {
	d.Next()
	d.Raw(`{"type":`)
	d.Text(typ)
	d.Member(member, p.Get("text"))
	d.signature(signature, p)
	d.Raw(`}`)
}

// signature writes the thought signature of a part, unless it is the literal that
// stands in the place of one (W-613).
func (d *decoder) signature(member string, p tree.Node) {
	sig := p.Get("thoughtSignature")
	if !sig.Exists() {
		sig = p.Get("thought_signature")
	}
	if sig.IsString() && !sig.Is("skip_thought_signature_validator") && !sig.Is("context_engineering_is_the_way_to_go") {
		d.Member(member, sig)
	}
}

func (d *decoder) call(p tree.Node) {
	f := p.Get("functionCall")
	d.calls++
	c := call{f.Get("id").Text(), f.Get("name").Text()}
	if c.id == "" {
		c.id = "call_" + strconv.Itoa(d.calls)
	}
	d.open = append(d.open, c)
	d.Next()
	d.Raw(`{"type":"toolCall"`)
	d.TextMember("id", c.id)
	d.Member("name", f.Get("name"))
	if args := f.Get("args"); args.Given() {
		d.Member("arguments", args)
	} else {
		d.Raw(`,"arguments":{}`) // the format leaves out what is empty
	}
	d.signature("thoughtSignature", p)
	d.Raw(`}`)
}

func (d *decoder) result(r tree.Node) {
	response := r.Get("response")
	failed := response.Get("error").Exists() && !response.Get("output").Exists()
	d.Begin(transcript.ToolResult, jsonline.Value{})
	d.TextMember("toolCallId", d.answered(r))
	d.Member("toolName", r.Get("name"))
	d.Content()
	switch {
	case response.Get("output").IsString():
		d.TextBlock(response.Get("output"))
	case failed && response.Get("error").IsString():
		d.TextBlock(response.Get("error"))
	case response.Exists():
		d.Next()
		d.Raw(`{"type":"text"`)
		d.TextMember("text", string(response.Value().Raw))
		d.Raw(`}`)
	}
	for p := range r.Get("parts").Elements() {
		d.part(p)
	}
	d.EndContent()
	d.Raw(`,"isError":` + strconv.FormatBool(failed))
	d.End()
}

// answered returns the id of the call that a response belongs to: by its id, else
// the first open call of that name. A response without a call gets an id that no
// call has.
func (d *decoder) answered(r tree.Node) string {
	id, name := r.Get("id").Text(), r.Get("name").Text()
	for i, c := range d.open {
		if c.id == id || id == "" && c.name == name {
			d.open = append(d.open[:i:i], d.open[i+1:]...)
			return c.id
		}
	}
	if id != "" {
		return id
	}
	return "response_" + strconv.Itoa(d.calls) + "_" + name
}
