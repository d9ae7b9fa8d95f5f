package openairesponses

import (
	"bytes"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/transcript"
	"hygeia/wire"
)

// Stored reports whether the service stores the items of a request that came in
// this format, so that their ids go out (W-310): where the body says so, and at
// OpenAI itself where it says nothing.
func Stored(req *wire.Request, target policy.Target, p *policy.Policy) bool {
	store := req.Body.Get("store")
	switch {
	case isCodex(target, p), isCopilot(target):
		return false
	case !store.Exists() || store.Kind == jsonline.Null:
		return policy.Fold(target.Provider) == "openai"
	}
	return store.Bool()
}

// stating returns the input with the tools of the request that it was decoded
// from, where the caller names none.
func stating(in *payload.Input) *payload.Input {
	req := in.Own(stage)
	if req == nil {
		return in
	}
	stated := *in
	if tools := req.Body.Get("tools"); !in.Options.Tools.Exists() && tools.Kind == jsonline.Array {
		stated.Options.Tools = payload.Log{Stage: stage, Report: in.Report}.Distinct(in.Target.API, tools)
	}
	return &stated
}

// ownBody writes the body of a request that came in this format: its members in
// their order, those that a rule forbids with what the rule says instead (D-38).
func (b *builder) ownBody() []byte {
	list := b.front()
	for i := range b.items {
		list = append(list, b.ownItem(&b.items[i]))
	}
	b.tellEmpty()
	p := params{b: b, o: b.own.Body}
	p.edit()
	if !b.unchanged(list) {
		raw := append(append([]byte{'['}, bytes.Join(list, []byte{','})...), ']')
		items := jsonline.Value{Raw: raw, Kind: jsonline.Array}
		if text := b.own.Body.Get("input"); b.codex && text.IsString() {
			b.log.Parameter("input", text, items, hygiene.Edit{Rule: "W-344", Reason: "the endpoint takes a list of items"})
		}
		p.o = p.o.With("input", items)
	}
	return b.log.Body(p.o)
}

// tellEmpty records the messages of the model without content that were read into
// one turn with other items: of that turn something goes out, of them nothing.
func (b *builder) tellEmpty() {
	went, came := map[int]bool{}, map[int]bool{}
	for i := range b.items {
		if it := &b.items[i]; it.turn != nil {
			went[it.turn.Origin.Index], came[it.from] = true, true
		}
	}
	for i, t := range b.own.Turns {
		o, turn := t.Raw.Object(), t.From
		if t.From == t.To {
			turn-- // it goes on with the turn in front
		}
		if came[i+1] || !went[turn] || o.Get("role").String() != "assistant" {
			continue
		}
		if isHollow(o.Get("content")) {
			b.log.Add(hygiene.Drop, b.own.Messages[turn], nil, nil, hygiene.Edit{Rule: "W-303", Reason: "a message of the model holds nothing"})
		}
	}
}

func isHollow(content jsonline.Value) bool {
	for range content.Elements() {
		return false
	}
	return !content.IsString()
}

// isText reports whether the input is a text that can go out as one.
func (b *builder) isText() bool {
	return !b.codex && b.own.Body.Get("input").IsString() && len(b.items) == 1 && b.items[0].same
}

// unchanged reports whether the items are those that came in.
func (b *builder) unchanged(list [][]byte) bool {
	if b.own.Body.Get("input").IsString() {
		return b.isText()
	}
	if len(list) != len(b.own.Turns) {
		return false
	}
	for i, raw := range list {
		if !bytes.Equal(raw, b.own.Turns[i].Raw.Raw) {
			return false
		}
	}
	return true
}

// ownItem returns an item of the request: as it came in, but for what has to be
// another value.
func (b *builder) ownItem(it *item) []byte {
	o := jsonline.Object{}
	if it.from > 0 {
		o = b.own.Turns[it.from-1].Raw.Object()
	}
	if !o.Exists() {
		return b.item(nil, it)
	}
	status := o.Has("status")
	switch it.kind {
	case userMessage, systemMessage:
		if !it.same {
			o = o.With("content", list(appendParts(nil, it.parts, `{"type":"input_text","text":`, `}`)))
		}
		if b.codex && o.Get("role").String() == "system" {
			b.log.Add(hygiene.Replace, it.turn, nil, nil, hygiene.Edit{Rule: "W-342", Reason: "the endpoint knows no role system"})
			o = o.With("role", jsonline.Text("developer"))
		}
	case assistantMessage:
		if content := o.Get("content"); !it.same || b.misspelled(it, content) || !sameParts(content, it.parts) {
			o = o.With("content", list(appendParts(nil, it.parts, `{"type":"output_text","text":`, `,"annotations":[]}`)))
		}
	case call:
		o = b.called(o, it)
	case output:
		o = b.returned(o, it)
	case reasoning:
		o = it.thought.object
	case nativeOutput:
		o = b.kept(o, it)
	}
	if o = b.identify(o, it); status && b.in.Policy.Wire.NoItemStatus && it.kind != nativeItem {
		b.log.Add(hygiene.Replace, it.turn, nil, nil, hygiene.Edit{Rule: "W-333", Reason: "the endpoint knows no status of items"})
		o = o.Without("status")
	}
	return b.log.Text(it.turn, nil, o.Value()).Raw
}

func list(raw []byte) jsonline.Value { return jsonline.Value{Raw: raw, Kind: jsonline.Array} }

// sameParts reports whether the content of a message of the model holds these
// texts and as much besides.
func sameParts(content jsonline.Value, parts []part) bool {
	if content.IsString() {
		return len(parts) == 1 && bytes.Equal(parts[0].raw, content.Raw)
	}
	i := 0
	for v := range content.Elements() {
		if i == len(parts) || parts[i].kind == textPart && !bytes.Equal(v.Object().Get("text").Raw, parts[i].raw) {
			return false
		}
		i++
	}
	return i == len(parts)
}

// misspelled reports whether a message of the model holds texts as parts of a
// user turn, which the service refuses (OR-14).
func (b *builder) misspelled(it *item, content jsonline.Value) bool {
	for v := range content.Elements() {
		if o := v.Object(); o.Get("text").IsString() && o.Get("type").String() != "output_text" {
			b.log.Add(hygiene.Replace, it.turn, nil, nil, hygiene.Edit{Rule: "W-303", Reason: "a text of the model is spelled as one of a user"})
			return true
		}
	}
	return false
}

// called returns a call with its id, name and arguments.
func (b *builder) called(o jsonline.Object, it *item) jsonline.Object {
	o = withText(withText(o, "call_id", it.callID), "name", it.name)
	if it.custom {
		return withText(o, "input", it.input())
	}
	v := o.Get("arguments")
	if v.Kind == jsonline.ObjectKind {
		b.log.Add(hygiene.Replace, it.turn, nil, nil, hygiene.Edit{Rule: "W-305", Reason: "the arguments of a call are no text"})
	}
	if !v.IsString() || !bytes.Equal(jsonline.Parse([]byte(v.String())).Raw, it.raw) {
		return o.With("arguments", jsonline.Text(string(it.raw)))
	}
	return o
}

// returned returns the output of a call with its content and the id of the call.
func (b *builder) returned(o jsonline.Object, it *item) jsonline.Object {
	o = withText(o, "call_id", it.callID)
	if typ := it.calls() + "_output"; o.Get("type").String() != typ {
		b.log.Add(hygiene.Replace, it.turn, nil, nil, hygiene.Edit{Rule: "W-306", Reason: "the call is a " + it.calls()})
		o = o.With("type", jsonline.Text(typ))
	}
	switch {
	case it.same:
		return o
	case it.parts == nil:
		return o.With("output", jsonline.Value{Raw: it.raw, Kind: jsonline.String})
	}
	return o.With("output", list(appendParts(nil, it.parts, `{"type":"input_text","text":`, `}`)))
}

// kept returns the output of a call that only the service knows (W-335): it says
// something (OR-17).
func (b *builder) kept(o jsonline.Object, it *item) jsonline.Object {
	v := o.Get("output")
	says := v.IsString()
	for part := range v.Elements() {
		if says = part.Object().Get("type").IsString(); !says {
			break
		}
	}
	if says {
		return o
	}
	b.log.Add(hygiene.Replace, it.turn, nil, texts.NoOutput, hygiene.Edit{Rule: "W-306", Reason: "the output is empty", Synthetic: true})
	return o.With("output", jsonline.Text(texts.NoOutput))
}

// withText returns an object whose member is that text.
func withText(o jsonline.Object, name, text string) jsonline.Object {
	if v := o.Get(name); v.IsString() && v.String() == text {
		return o
	}
	return o.With(name, jsonline.Text(text))
}

// identify keeps the id of an item where it goes out, and takes it off otherwise
// (W-310, W-343). Items of other kinds than the format's own turns are nothing
// without theirs.
func (b *builder) identify(o jsonline.Object, it *item) jsonline.Object {
	id := o.Get("id")
	if it.kind == nativeItem || !id.Exists() || id.Kind == jsonline.Null {
		return o
	}
	e := hygiene.Edit{Rule: "W-310", Reason: "the service stores no items, so the id of one says nothing"}
	paired := it.kind == assistantMessage || it.kind == reasoning || it.kind == call
	switch {
	case b.codex:
		e = hygiene.Edit{Rule: "W-343", Reason: "the endpoint takes items without ids"}
	case b.ids && paired && id.IsString() && id.String() == it.id:
		return o
	case b.ids && !paired:
		if s := id.String(); legalID(s, it.prefix()) && !b.used[s] {
			b.used[s] = true
			return o
		}
		e = hygiene.Edit{Rule: "W-311", Reason: "the id is not legal or goes out with another item"}
	case b.ids:
		e = hygiene.Edit{Rule: "W-311", Reason: "an id goes out beside that of the reasoning in front of the item, or not at all"}
	}
	if !paired || it.dropped || b.decoded(it.turn) { // else a pass took it off and said so
		b.log.Add(hygiene.Replace, it.turn, nil, nil, e)
	}
	return o.Without("id")
}

// decoded reports whether a message is as it was decoded.
func (b *builder) decoded(m *transcript.Message) bool {
	i := m.Origin.Index
	return i >= 0 && i < len(b.own.Messages) && b.own.Messages[i] == m
}
