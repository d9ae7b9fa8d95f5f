package bedrock

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/internal/anthropic"
	"hygeia/transcript"
)

// stating returns the input with the tools and the output limit of the request
// that it was decoded from, where the caller names none.
func stating(in *payload.Input) *payload.Input {
	req := in.Own(stage)
	if req == nil {
		return in
	}
	stated := *in
	if tools := at(req.Body, "toolConfig", "tools"); !in.Options.Tools.Exists() && tools.Kind == jsonline.Array {
		stated.Options.Tools = payload.Log{Stage: stage, Report: in.Report}.Distinct(in.Target.API, tools)
	}
	if n, ok := at(req.Body, "inferenceConfig", "maxTokens").Number(); in.Options.MaxTokens == 0 && ok && n >= 1 {
		stated.Options.MaxTokens = int(min(n, 1<<31))
	}
	return &stated
}

// at returns the value at a path of member names.
func at(o jsonline.Object, path ...string) jsonline.Value {
	for _, name := range path[:len(path)-1] {
		o = o.Get(name).Object()
	}
	return o.Get(path[len(path)-1])
}

// turn writes one message of the body. One of the request's own messages goes
// back as it was if there is nothing to record about it.
func (b *builder) turn(t *anthropic.Turn) {
	start, changes := len(b.out), len(b.in.Report.Changes)
	if t.Assistant {
		b.assistantTurn(t)
	} else {
		b.userTurn(t)
	}
	if b.own == nil {
		return
	}
	raw, rest := b.own.Back(b.Plan, t, len(b.in.Report.Changes) > changes)
	switch {
	case raw.Exists():
		b.out = append(b.out[:start], raw.Raw...)
	case rest != nil:
		b.out = append(append(b.out[:len(b.out)-1], rest...), '}')
	}
}

// rest writes what a block of the request holds besides the named members.
func (b *builder) rest(m *transcript.Message, k *transcript.Block, but ...string) {
	if b.own != nil && m != nil && k != nil {
		b.out = b.Log.Rest(b.out, m, k, but...)
	}
}

// native writes a block as it came in: its type is only the name of its member.
func (b *builder) native(m *transcript.Message, k *transcript.Block) {
	v := k.Members().Without("type").Value()
	if point, had := typed(v); !had {
		b.Log.Add(hygiene.Replace, m, k, string(point.Raw), hygiene.Edit{Rule: "W-711", Reason: noType})
		v = point
	}
	b.out = append(b.out, b.Log.Text(m, k, v).Raw...)
}

// noType is why a cache point goes out otherwise than it came.
const noType = "the cache point has no type"

// typed returns a cache point with the type that it must have, and whether it had
// one (W-711). Any other block is returned as it is.
func typed(v jsonline.Value) (point jsonline.Value, had bool) {
	at := v.Object().Get("cachePoint")
	if !at.Exists() || at.Object().Get("type").IsString() {
		return v, true
	}
	return v.Object().With("cachePoint", at.Object().With("type", jsonline.Text("default")).Value()).Value(), false
}

// Types of blocks that go out in messages of one role only, and those that the
// converter writes itself.
var (
	userOnly = map[transcript.BlockType]bool{
		"": true, transcript.TypeText: true, transcript.TypeImage: true, "imageLocation": true, "document": true, "video": true, "toolResult": true,
		"reasoningContent": true, // one that is neither text nor redacted: no model's
	}
	assistantOnly = map[transcript.BlockType]bool{
		"": true, transcript.TypeText: true, transcript.TypeImage: true, "toolResult": true, "reasoningContent": true, "citationsContent": true,
	}
)

// isNative reports whether a block goes out as it is: the request held it, and
// it is none of those that the converter writes itself (W-124). A picture that
// lies elsewhere goes where the model takes pictures.
func (b *builder) isNative(m *transcript.Message, k *transcript.Block) bool {
	switch {
	case b.own == nil, !k.IsObject(), k.IsToolCall(), k.IsThinking():
		return false
	case k.Is("cachePoint") && (!b.in.Policy.Wire.CacheMarkers || b.surplus[k]):
		return false
	case m.Is(transcript.Assistant):
		return !userOnly[k.Type()]
	case k.Is("imageLocation"):
		return b.in.Policy.Model.Images
	}
	return !assistantOnly[k.Type()]
}

// ownResult writes a tool result of the request as it was, with another id if
// need be. It reports false if the result has to be written anew.
func (b *builder) ownResult(start int, m *transcript.Message) bool {
	if b.own == nil {
		return false
	}
	v := b.own.Native(m)
	if !v.Exists() {
		return false
	}
	if id := b.ResultID(m); id != m.ToolCallID() {
		o := v.Object()
		v = o.With("toolResult", o.Get("toolResult").Object().With("toolUseId", jsonline.Text(id)).Value()).Value()
	}
	b.next(start)
	b.out = append(b.out, b.Log.Text(m, nil, v).Raw...)
	return true
}

// resultPoint writes the cache point that stood behind a result of the request,
// nil for none.
func (b *builder) resultPoint(start int, m *transcript.Message) {
	if m != nil {
		point, had := typed(jsonline.Object{}.With("cachePoint", m.Get("cachePoint")).Value())
		if !had {
			b.Log.Add(hygiene.Replace, m, nil, string(point.Raw), hygiene.Edit{Rule: "W-711", Reason: noType})
		}
		b.next(start)
		b.out = append(b.out, b.Log.Text(m, nil, point).Raw...)
	}
}
