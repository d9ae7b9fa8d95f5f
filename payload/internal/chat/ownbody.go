package chat

import (
	"bytes"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/transcript"
	"hygeia/wire"
)

// Stating returns the input with the tools and the output limit of the request
// of the same format that it was decoded from, where the caller names none.
func Stating(in *payload.Input, stage string) *payload.Input {
	req := in.Own(stage)
	if req == nil {
		return in
	}
	stated := *in
	if tools := req.Body.Get("tools"); !in.Options.Tools.Exists() && tools.Kind == jsonline.Array {
		stated.Options.Tools = payload.Log{Stage: stage, Report: in.Report}.Distinct(in.Target.API, tools)
	}
	if in.Options.MaxTokens == 0 {
		stated.Options.MaxTokens = req.MaxTokens
	}
	return &stated
}

// OwnForm is what the formats do in ways of their own with a request that came in
// the same format.
type OwnForm struct {
	// System appends the system messages in front of the turns; nil:
	// [Builder.OwnSystem] with the system message of the caller.
	System func(dst []byte) []byte
	// Misfit returns why a message cannot go back as it came in although there is
	// nothing to record about it, no rule if it can.
	Misfit func(t *Turn, native jsonline.Object) hygiene.Edit
	// Append appends one message that is written anew.
	Append func(dst []byte, t *Turn) []byte
	// Edit edits the members of the body.
	Edit func(p *Params)
}

// appendSystem appends the system message of the caller, if there is one (W-541,
// W-801).
func (b *Builder) appendSystem(dst []byte) []byte {
	if system := payload.SystemText(b.In.Options.System); system != "" {
		dst = append(jsonline.AppendQuoted(append(dst, `{"role":"system","content":`...), system), '}')
	}
	return dst
}

// AppendMessages appends the list of messages: the system prompt of the caller, and
// each turn as the format writes it.
func (b *Builder) AppendMessages(dst []byte, turn func(dst []byte, t *Turn) []byte) []byte {
	dst = append(dst, '[')
	n := len(dst)
	dst = b.appendSystem(dst)
	for i := range b.Turns {
		if len(dst) > n {
			dst = append(dst, ',')
		}
		dst = turn(dst, &b.Turns[i])
	}
	return append(dst, ']')
}

// OwnBody writes the body of a request that came in this format: its members in
// their order, those that a rule forbids with what the rule says instead (D-38).
func (b *Builder) OwnBody(f OwnForm) []byte {
	list := append(make([]byte, 0, b.Size()), '[')
	if f.System != nil {
		list = f.System(list)
	} else {
		list = b.OwnSystem(list, b.appendSystem, b.unbounded)
	}
	for i := range b.Turns {
		if len(list) > 1 {
			list = append(list, ',')
		}
		list = b.appendOwn(list, &b.Turns[i], &f)
	}
	p := Params{B: b, O: b.Own.Body}
	f.Edit(&p)
	p.legal()
	if !b.Splice.Same() {
		p.O = p.O.With("messages", jsonline.Value{Raw: append(list, ']'), Kind: jsonline.Array})
	}
	return b.Log.Body(p.O)
}

// appendOwn writes one message: as it came in if there is nothing to record
// about it.
func (b *Builder) appendOwn(dst []byte, t *Turn, f *OwnForm) []byte {
	native := b.Own.Native(t.From)
	fits := t.Same && native.Exists()
	if fits {
		e := b.misnamed(t, native.Object())
		if e.Rule == "" {
			e = f.Misfit(t, native.Object())
		}
		if e.Rule != "" {
			b.Log.Add(hygiene.Replace, t.From, nil, nil, e)
			fits = false
		}
	}
	if raw := b.Splice.Whole(b.Log, []*transcript.Message{t.From}, fits); raw.Exists() {
		return append(dst, raw.Raw...)
	}
	return f.Append(dst, t)
}

// misnamed says that a result names its tool in a way that is not legal (W-176).
func (b *Builder) misnamed(t *Turn, native jsonline.Object) hygiene.Edit {
	name := native.Get(b.format.resultName())
	if t.Role != Tool || !name.IsString() || b.Names.Wire(name.String()) == name.String() {
		return hygiene.Edit{}
	}
	return hygiene.Edit{Rule: "W-176", Reason: "tool name is not legal in this format"}
}

// OwnSystem writes the system messages in front of the turns as they came in, but
// for what form makes of them, unless the caller gives a system prompt.
func (b *Builder) OwnSystem(list []byte, caller func([]byte) []byte, form func(jsonline.Object) jsonline.Object) []byte {
	if b.In.Options.System != "" {
		b.Splice.Cut()
		return caller(list)
	}
	for n, i := range Front(b.Own) {
		if n > 0 {
			list = append(list, ',')
		}
		raw := b.Splice.Element(b.Log, i)
		if m := form(raw.Object()); m.Edited() {
			b.Splice.Cut()
			raw = m.Value()
		}
		list = append(list, raw.Raw...)
	}
	return list
}

// Front returns which elements of the list became no message: those are the
// system messages in front of the turns.
func Front(req *wire.Request) []int {
	var list []int
	for i := range req.Turns {
		if t := &req.Turns[i]; t.From == t.To {
			list = append(list, i)
		}
	}
	return list
}

// unbounded returns a system message without marks of a cache boundary (W-123).
func (b *Builder) unbounded(m jsonline.Object) jsonline.Object {
	content := m.Get("content")
	if out := payload.Unbounded(content); !bytes.Equal(out.Raw, content.Raw) {
		edited := m.With("content", out)
		b.Log.Parameter("messages", m.Value(), edited.Value(), hygiene.Edit{Rule: "W-123", Reason: "the text holds a cache boundary"})
		return edited
	}
	return m
}
