package model

import (
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// decoder takes the events of a stream, one after the other. It returns errDone
// behind the last one.
type decoder func(name string, data []byte) error

// object reads the data of an event.
func object(data []byte) (jsonline.Object, error) {
	o := jsonline.ParseObject(data)
	if !o.Exists() {
		return o, bad("an event of the answer is no JSON object")
	}
	return o, nil
}

// under returns the value that lies under the names.
func under(o jsonline.Object, names ...string) jsonline.Value {
	v := o.Get(names[0])
	for _, name := range names[1:] {
		v = v.Object().Get(name)
	}
	return v
}

// anthropicStops are the stop reasons of Anthropic Messages and of Bedrock; an
// empty one is an answer that was cut off.
var anthropicStops = map[string]string{
	"end_turn": Stop, "stop_sequence": Stop, "pause_turn": Stop, "max_tokens": Length, "model_context_window_exceeded": Length,
	"tool_use": ToolUse, "refusal": "", "sensitive": "", "guardrail_intervened": "", "content_filtered": "",
	"malformed_model_output": "", "malformed_tool_use": "",
}

// anthropic decodes the events of Anthropic Messages.
type anthropic struct {
	*turn
	open map[string]*block // by index
}

func decodeAnthropic(t *turn) decoder {
	a := &anthropic{turn: t, open: map[string]*block{}}
	return a.event
}

func (a *anthropic) event(name string, data []byte) error {
	o, err := object(data)
	if err != nil {
		return err
	}
	index := string(o.Get("index").Raw)
	switch o.Get("type").String() {
	case "message_start":
		m := o.Get("message").Object()
		a.id, a.model = m.Get("id").String(), m.Get("model").String()
		a.usage(m.Get("usage").Object())
	case "content_block_start":
		return a.start(index, o.Get("content_block"))
	case "content_block_delta":
		b := a.open[index]
		if b == nil {
			return bad("a piece of the answer belongs to no content block")
		}
		a.delta(b, o.Get("delta").Object())
	case "content_block_stop":
		if b := a.open[index]; b != nil {
			delete(a.open, index)
			return a.close(b)
		}
	case "message_delta":
		if stop := under(o, "delta", "stop_reason"); stop.IsString() {
			a.ended(stop.String(), anthropicStops)
		}
		a.usage(o.Get("usage").Object())
	case "message_stop":
		return errDone
	case "error":
		return &fault{code: under(o, "error", "type").String(), text: under(o, "error", "message").String(), body: data}
	}
	return nil
}

func (a *anthropic) usage(u jsonline.Object) {
	if !u.Exists() {
		return
	}
	count(&a.turn.usage.Input, u.Get("input_tokens"))
	count(&a.turn.usage.Output, u.Get("output_tokens"))
	count(&a.turn.usage.CacheRead, u.Get("cache_read_input_tokens"))
	count(&a.turn.usage.CacheWrite, u.Get("cache_creation_input_tokens"))
	a.used()
}

func (a *anthropic) start(index string, v jsonline.Value) error {
	o := v.Object()
	if !o.Exists() {
		return bad("a content block of the answer is no JSON object")
	}
	var b *block
	switch o.Get("type").String() {
	case "text":
		b = a.turn.open(transcript.TypeText)
		a.grow(b, o.Get("text"))
	case "thinking":
		b = a.turn.open(transcript.TypeThinking)
		a.grow(b, o.Get("thinking"))
		b.set("thinkingSignature", o.Get("signature"))
	case "redacted_thinking":
		b = a.redacted(o.Get("data"))
	case "tool_use":
		b = a.tool(o.Get("id").String(), o.Get("name").String())
	default:
		b = a.keep(v.Raw)
	}
	a.open[index] = b
	return nil
}

// redacted adds thinking that nobody may read (W-210).
func (t *turn) redacted(data jsonline.Value) *block {
	b := t.open(transcript.TypeThinking)
	b.set("thinkingSignature", data)
	b.set("redacted", jsonline.Bool(true))
	b.closed = true
	return b
}

func (a *anthropic) delta(b *block, d jsonline.Object) {
	switch d.Get("type").String() {
	case "text_delta":
		a.grow(b, d.Get("text"))
	case "thinking_delta":
		a.grow(b, d.Get("thinking"))
	case "input_json_delta":
		if b.kind == "" {
			b.text = append(b.text, inner(d.Get("partial_json"))...)
			return
		}
		a.grow(b, d.Get("partial_json"))
	case "signature_delta":
		b.set("thinkingSignature", d.Get("signature"))
	}
}

// inner is a JSON string without its quotes.
func inner(v jsonline.Value) []byte {
	if !v.IsString() {
		return nil
	}
	return v.Raw[1 : len(v.Raw)-1]
}

// close ends a block. One that stays as it came gets the input that came in
// pieces.
func (a *anthropic) close(b *block) error {
	switch {
	case b.kind == transcript.TypeToolCall:
		return a.endToolUnlessCut(b)
	case b.kind == "" && len(b.text) > 0:
		if v := jsonline.Parse([]byte(decoded(b.text))); v.Kind == jsonline.ObjectKind {
			b.raw = jsonline.ParseObject(b.raw).With("input", jsonline.Value{Raw: oneLine(v.Raw), Kind: v.Kind}).AppendTo(nil)
		}
	}
	b.closed = true
	return nil
}
