package google

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/transcript"
	"hygeia/wire"
)

// own is the request of the same format that the messages were decoded from.
type own struct {
	*wire.Request
	splice *payload.Splice
	body   jsonline.Object // the request without its envelope
	sent   []*transcript.Message
}

// newOwn returns what the converter needs of a request, nil for none. Its format
// is another one in an envelope.
func (b *builder) newOwn() *own {
	api := "google-generative-ai"
	if b.envelope != nil {
		api = "google-gemini-cli"
	}
	req := b.in.Own(api)
	if req == nil {
		return nil
	}
	o := &own{Request: req, splice: payload.NewSplice(req), body: req.Body}
	if b.envelope != nil {
		o.body = req.Body.Get("request").Object()
	}
	return o
}

// snakes are the members of a request that the services also read in snake case.
var snakes = map[string]string{
	"systemInstruction": "system_instruction", "toolConfig": "tool_config", "cachedContent": "cached_content", "generationConfig": "generation_config",
	"functionCallingConfig": "function_calling_config", "allowedFunctionNames": "allowed_function_names", "maxOutputTokens": "max_output_tokens",
	"thinkingConfig": "thinking_config", "thinkingBudget": "thinking_budget", "thinkingLevel": "thinking_level", "includeThoughts": "include_thoughts",
}

// spelled returns the name of a member as an object spells it.
func spelled(o jsonline.Object, name string) string {
	if snake := snakes[name]; snake != "" && o.Has(snake) && !o.Has(name) {
		return snake
	}
	return name
}

// thinking returns what the request says about thinking.
func (o *own) thinking() jsonline.Value {
	config := o.body.Get(spelled(o.body, "generationConfig")).Object()
	return config.Get(spelled(config, thinkingConfig))
}

// stating returns the input with the tools and the output limit of the request,
// where the caller names none.
func (o *own) stating(in *payload.Input) *payload.Input {
	stated := *in
	if tools := o.body.Get("tools"); !in.Options.Tools.Exists() && tools.Kind == jsonline.Array {
		stated.Options.Tools = payload.Log{Stage: stage, Report: in.Report}.Distinct(in.Target.API, tools)
	}
	if in.Options.MaxTokens == 0 {
		stated.Options.MaxTokens = o.MaxTokens
	}
	return &stated
}

// mark returns a function that tells whether nothing was recorded since.
func (b *builder) mark() func() bool {
	n := len(b.in.Report.Changes)
	return func() bool { return b.own != nil && len(b.in.Report.Changes) == n }
}

// list returns a list of one message where the messages come from a request of
// the same format, nil elsewhere.
func (b *builder) list(m *transcript.Message) []*transcript.Message {
	if b.own == nil {
		return nil
	}
	return []*transcript.Message{m}
}

// appendContents writes the list of contents: elements of the request as they
// came in where there is nothing to record about them, the others anew.
func (b *builder) appendContents(dst []byte) []byte {
	dst = append(dst, '[')
	for i := 0; i < len(b.contents); {
		if i > 0 {
			dst = append(dst, ',')
		}
		if n := b.element(i); n > 0 {
			dst = append(dst, b.own.splice.Whole(b.log, b.own.sent, true).Raw...)
			i += n
			continue
		}
		dst = b.appendContent(dst, &b.contents[i])
		i++
	}
	return append(dst, ']')
}

// element returns how many contents from i on are one element of the request
// that goes back as it came in, 0 for none. An element may hold results and, behind
// them, what a user says.
func (b *builder) element(i int) int {
	if b.own == nil {
		return 0
	}
	c := &b.contents[i]
	b.own.sent = append(b.own.sent[:0], c.list...)
	if next := i + 1; c.same && c.kind == response && next < len(b.contents) && b.contents[next].kind == user && b.sameElement(c, &b.contents[next]) {
		if n := &b.contents[next]; n.same {
			b.own.sent = append(b.own.sent, n.list...)
			if b.own.Whole(b.own.sent) >= 0 {
				return 2
			}
		}
	}
	if c.same && b.own.Whole(b.own.sent) >= 0 {
		return 1
	}
	b.own.splice.Cut()
	return 0
}

func (b *builder) sameElement(a, c *content) bool {
	return len(a.list) > 0 && len(c.list) > 0 && b.own.TurnOf(a.list[0]) == b.own.TurnOf(c.list[0])
}

// rest returns the members of a part of the request that the canonical form does
// not know, each with a comma in front.
func (b *builder) rest(m *transcript.Message, block *transcript.Block, but ...string) []byte {
	if b.own == nil || block == nil || b.own.TurnOf(m) < 0 {
		return nil
	}
	return b.log.Rest(nil, m, block, append(but, "type", "unnamed", "thoughtSignature", "thought_signature", "skipSignature")...)
}

// inside returns the members of the data field of a part that the canonical form
// does not know, each with a comma in front.
func (b *builder) inside(m *transcript.Message, block *transcript.Block, name string) (rest []byte) {
	if b.own == nil || b.own.TurnOf(m) < 0 {
		return nil
	}
	for name, v := range block.Get(name).Object().Members() {
		rest = append(jsonline.AppendQuoted(append(rest, ','), name), ':')
		rest = append(rest, b.log.Text(m, block, v).Raw...)
	}
	return rest
}

// members returns the members of the element of the request that a content is
// made of besides its role and parts.
func (b *builder) members(c *content) []byte {
	if b.own == nil || len(c.list) == 0 || b.own.TurnOf(c.list[0]) < 0 {
		return nil
	}
	var rest []byte
	turn := &b.own.Turns[b.own.TurnOf(c.list[0])]
	for name, v := range turn.Raw.Object().Without("role", "parts").Members() {
		rest = append(jsonline.AppendQuoted(append(rest, ','), name), ':')
		rest = payload.AppendText(rest, v)
	}
	return rest
}

// skips reports whether the request itself has a literal in the place of the
// signature, and returns it where the target takes one (W-613).
func (b *builder) skips(block *transcript.Block) (jsonline.Value, bool) {
	v := block.Get("skipSignature")
	if b.own == nil || !v.IsString() {
		return jsonline.Value{}, false
	}
	if !b.in.Policy.Wire.SkipSignatureAllowed {
		return jsonline.Value{}, true
	}
	return v, true
}

// misnamed reports whether the ids of a call or result stand in the request in
// another way than the target takes them (W-606), and records that.
func (b *builder) misnamed(m *transcript.Message, block *transcript.Block) {
	unnamed, e := m.Get("unnamed"), hygiene.Edit{Rule: "W-606", Reason: "the target takes no ids of calls"}
	if block != nil {
		unnamed = block.Get("unnamed")
	}
	if b.own == nil || b.own.TurnOf(m) < 0 || unnamed.Bool() != b.in.Policy.Wire.FunctionCallIDs {
		return
	}
	if unnamed.Bool() {
		e.Reason = "the target wants ids of calls"
	}
	b.log.Add(hygiene.Replace, m, block, nil, e)
}

// nativeResponse returns the part that a result of the request was, under the id
// and name of its call, nil where it has to be written anew.
func (b *builder) nativeResponse(p *part) []byte {
	if b.own == nil || p.from == nil {
		return nil
	}
	v := b.own.Renamed(p.from)
	r := v.Object().Get("functionResponse").Object()
	if !r.Exists() || !fits(r, b.in.Policy.Wire.FunctionResponseImages) {
		return nil
	}
	if b.in.Policy.Wire.FunctionCallIDs {
		r = set(r, "id", p.id)
	} else {
		r = r.Without("id")
	}
	r = set(r, "name", p.name)
	if !r.Edited() {
		return payload.Legal(v).Raw
	}
	return payload.Legal(v.Object().With("functionResponse", r.Value()).Value()).Raw
}

func set(o jsonline.Object, name, text string) jsonline.Object {
	if v := o.Get(name); v.IsString() && v.String() == text {
		return o
	}
	return o.With(name, jsonline.Text(text))
}

// fits reports whether a response is an object (GG-20) and holds no parts where
// the model takes none (GG-22).
func fits(r jsonline.Object, parts bool) bool {
	return r.Get("response").Kind == jsonline.ObjectKind && (parts || !r.Has("parts"))
}

// misfit records that the response of the request that became a result cannot go
// back as it came in (W-604, W-605).
func (b *builder) misfit(m *transcript.Message, called string) {
	if b.own == nil {
		return
	}
	r := b.own.Native(m).Object().Get("functionResponse").Object()
	e := hygiene.Edit{Rule: "W-604"}
	switch {
	case !r.Exists():
		return
	case r.Get("response").Kind != jsonline.ObjectKind:
		e.Reason = "the response is no object"
	case r.Get("name").String() != called:
		e.Reason = "the response names another function than its call"
	case !fits(r, b.in.Policy.Wire.FunctionResponseImages):
		e.Rule, e.Reason = "W-605", "the model takes no parts in a function response"
	default:
		return
	}
	b.log.Add(hygiene.Replace, m, nil, nil, e)
}
