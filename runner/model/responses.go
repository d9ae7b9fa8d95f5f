package model

import (
	"bytes"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// responses decodes the events of the Responses family.
type responses struct {
	*turn
	open map[string]*block // by index of the output
}

func decodeResponses(t *turn) decoder {
	r := &responses{turn: t, open: map[string]*block{}}
	return r.event
}

// paragraph stands between the parts of a summary of reasoning.
const paragraph = "\n\n"

func (r *responses) event(_ string, data []byte) error {
	o, err := object(data)
	if err != nil {
		return err
	}
	index := string(o.Get("output_index").Raw)
	b := r.open[index]
	switch o.Get("type").String() {
	case "response.created":
		r.answering(o.Get("response").Object())
	case "response.output_item.added":
		r.start(index, o.Get("item").Object())
	case "response.reasoning_summary_part.added":
		if b != nil && len(b.text) > 0 {
			r.say(b, paragraph)
		}
	case "response.reasoning_summary_text.delta", "response.reasoning_text.delta", "response.output_text.delta",
		"response.refusal.delta", "response.function_call_arguments.delta":
		if b == nil {
			return bad("a piece of the answer belongs to no item")
		}
		r.grow(b, o.Get("delta"))
	case "response.output_item.done":
		delete(r.open, index)
		return r.done(b, o.Get("item"))
	case "response.completed", "response.incomplete", "response.failed", "response.done":
		return r.end(o.Get("response").Object(), data)
	case "error":
		return faultIn(data)
	}
	return nil
}

func (r *responses) answering(o jsonline.Object) {
	if id := o.Get("id").String(); id != "" {
		r.id = id
	}
	if model := o.Get("model").String(); model != "" {
		r.model = model
	}
}

// itemBlocks are the blocks that items of the output become.
var itemBlocks = map[string]transcript.BlockType{
	"reasoning": transcript.TypeThinking, "message": transcript.TypeText, "function_call": transcript.TypeToolCall,
}

// start opens the block of an item, where items of its type become one.
func (r *responses) start(index string, item jsonline.Object) {
	switch kind := itemBlocks[item.Get("type").String()]; kind {
	case "":
	case transcript.TypeToolCall:
		r.open[index] = r.tool(callID(item), item.Get("name").String())
	default:
		r.open[index] = r.turn.open(kind)
	}
}

// callID is the id under which a session knows a call: that of the call and that
// of the item (W-175, W-312).
func callID(item jsonline.Object) string {
	call, id := item.Get("call_id").String(), item.Get("id").String()
	if id == "" {
		return call
	}
	return call + "|" + id
}

// done takes an item in as it is in the end.
func (r *responses) done(b *block, v jsonline.Value) error {
	item := v.Object()
	kind := itemBlocks[item.Get("type").String()]
	switch {
	case !item.Exists():
		return bad("an item of the answer is no JSON object")
	case kind == "":
		r.keep(v.Raw)
		return nil
	case b == nil && kind == transcript.TypeToolCall:
		_, err := r.wholeTool(callID(item), item.Get("name").String(), item.Get("arguments"))
		return err
	case b == nil:
		b = r.turn.open(kind)
	case b.kind != kind:
		return bad("an item of the answer changes its type")
	}
	switch kind {
	case transcript.TypeThinking:
		r.complete(b, joined(item.Get("summary"), paragraph))
		if len(b.text) == 0 {
			r.complete(b, joined(item.Get("content"), ""))
		}
		b.set("thinkingSignature", jsonline.Text(string(oneLine(v.Raw))))
	case transcript.TypeText:
		r.complete(b, joined(item.Get("content"), ""))
		b.set("textSignature", textSignature(item))
	default:
		if arguments := item.Get("arguments"); arguments.IsString() {
			r.complete(b, inner(arguments))
		}
		if item.Get("status").String() == "incomplete" {
			return nil // the limit cut it
		}
		return r.endToolUnlessCut(b)
	}
	return nil
}

// complete makes the text of a block what the whole item says, and passes on what
// was not yet.
func (r *responses) complete(b *block, whole []byte) {
	if rest, ok := bytes.CutPrefix(whole, b.text); ok {
		r.grow(b, jsonline.Value{Raw: quoted(rest), Kind: jsonline.String})
	}
	b.text = whole
}

// joined returns the texts of the parts of an item, as JSON without quotes.
func joined(parts jsonline.Value, between string) []byte {
	var out []byte
	first := true
	for p := range parts.Elements() {
		text := p.Object().Get("text")
		if !text.IsString() {
			text = p.Object().Get("refusal")
		}
		if !first {
			out = append(out, inner(jsonline.Text(between))...)
		}
		out, first = append(out, inner(text)...), false
	}
	return out
}

// textSignature is how a session records id and phase of a message (W-304).
func textSignature(item jsonline.Object) jsonline.Value {
	id, phase := item.Get("id"), item.Get("phase")
	if !id.IsString() && !phase.IsString() {
		return jsonline.Value{}
	}
	o := jsonline.ParseObject([]byte(`{"v":1}`)).With("id", id)
	if phase.IsString() {
		o = o.With("phase", phase)
	}
	return jsonline.Text(string(o.AppendTo(nil)))
}

// incompletes are the reasons of an answer that is not complete.
var incompletes = map[string]string{"max_output_tokens": Length, "max_tokens": Length, "content_filter": ""}

// end takes the response in as it is in the end.
func (r *responses) end(o jsonline.Object, data []byte) error {
	r.answering(o)
	if u := o.Get("usage").Object(); u.Exists() {
		r.counts(u)
	}
	switch status := o.Get("status").String(); status {
	case "completed", "":
		r.stop = Stop // finish looks for calls
	case "incomplete":
		r.ended(under(o, "incomplete_details", "reason").String(), incompletes)
	case "failed":
		return faultIn(data)
	default:
		r.fail(status, "the provider ended the answer: "+quotedName(status))
	}
	return errDone
}

func (r *responses) counts(u jsonline.Object) {
	whole := r.usage.Input + r.usage.CacheRead
	count(&r.usage.CacheRead, under(u, "input_tokens_details", "cached_tokens"))
	count(&whole, u.Get("input_tokens"))
	count(&r.usage.Output, u.Get("output_tokens"))
	r.usage.Input = max(0, whole-r.usage.CacheRead)
	r.used()
}
