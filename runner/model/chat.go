package model

import (
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// chatStops are the finish reasons of Chat Completions and of Mistral.
var chatStops = map[string]string{
	"stop": Stop, "end": Stop, "eos": Stop, "length": Length, "model_length": Length, "max_tokens": Length,
	"tool_calls": ToolUse, "function_call": ToolUse, "content_filter": "", "error": "", "insufficient_system_resource": "",
}

// reasoningFields are the members of a delta that hold thinking as text. A
// thinking block says which it was (W-115).
var reasoningFields = []string{"reasoning_content", "reasoning", "reasoning_text"}

// chat decodes the chunks of Chat Completions.
type chat struct {
	*turn
	calls   map[string]*block  // by index
	details []*detail          // entries of reasoning_details
	known   map[string]*detail // those with an index, by that and the type
	thought *block             // the block that they belong to
}

func decodeChat(t *turn) decoder {
	c := &chat{turn: t, calls: map[string]*block{}, known: map[string]*detail{}}
	t.settle = c.keepDetails
	return c.event
}

func (c *chat) event(_ string, data []byte) error {
	if string(data) == "[DONE]" {
		return errDone
	}
	o, err := object(data)
	if err != nil {
		return err
	}
	if e := o.Get("error"); e.Exists() && e.Kind != jsonline.Null {
		return faultIn(data)
	}
	if c.id == "" {
		c.id = o.Get("id").String()
	}
	if c.model == "" {
		c.model = o.Get("model").String()
	}
	for choice := range o.Get("choices").Elements() {
		if err := c.choice(choice.Object()); err != nil {
			return err
		}
		break // one answer is asked for
	}
	if u := o.Get("usage").Object(); u.Exists() {
		c.counts(u)
	}
	return nil
}

func (c *chat) choice(o jsonline.Object) error {
	d := o.Get("delta").Object()
	for _, field := range reasoningFields {
		if v := d.Get(field); v.IsString() && len(v.Raw) > 2 {
			c.think(field, v)
			break // some say the same twice
		}
	}
	for e := range d.Get("reasoning_details").Elements() {
		c.detail(e.Object())
	}
	content := d.Get("content")
	if content.IsString() && len(content.Raw) > 2 {
		c.grow(c.at(transcript.TypeText), content)
	}
	for part := range content.Elements() {
		if err := c.part(part); err != nil {
			return err
		}
	}
	if refusal := d.Get("refusal"); refusal.IsString() && len(refusal.Raw) > 2 {
		c.grow(c.at(transcript.TypeText), refusal)
	}
	for call := range d.Get("tool_calls").Elements() {
		if err := c.toolCall(call.Object()); err != nil {
			return err
		}
	}
	if u := o.Get("usage").Object(); u.Exists() {
		c.counts(u) // where some put it
	}
	if reason := o.Get("finish_reason"); reason.IsString() {
		c.ended(reason.String(), chatStops)
	}
	return nil
}

// think adds thinking that came in a member of that name.
func (c *chat) think(field string, v jsonline.Value) {
	b := c.at(transcript.TypeThinking)
	if len(b.members) == 0 {
		b.set("thinkingSignature", jsonline.Text(field))
	}
	c.grow(b, v)
}

// part adds an element of a content that is a list, as Mistral's models write
// theirs when they think.
func (c *chat) part(v jsonline.Value) error {
	o := v.Object()
	if !o.Exists() {
		return bad("a part of the answer is no JSON object")
	}
	switch o.Get("type").String() {
	case "text":
		c.grow(c.at(transcript.TypeText), o.Get("text"))
	case "thinking":
		thought := o.Get("thinking")
		if thought.IsString() {
			c.grow(c.at(transcript.TypeThinking), thought)
		}
		for e := range thought.Elements() {
			c.grow(c.at(transcript.TypeThinking), e.Object().Get("text"))
		}
	default:
		c.keep(v.Raw)
	}
	return nil
}

// toolCall adds a piece of a call. Some services number all calls alike, so
// another id is another call.
func (c *chat) toolCall(o jsonline.Object) error {
	index, id, f := string(o.Get("index").Raw), o.Get("id").String(), o.Get("function").Object()
	b := c.calls[index]
	if b == nil || id != "" && id != b.id {
		name := f.Get("name").String()
		if b == nil && name == "" && id == "" {
			return bad("a piece of the answer belongs to no tool call")
		}
		b = c.tool(id, name)
		c.calls[index] = b
	}
	b.set("thoughtSignature", under(o, "extra_content", "google", "thought_signature"))
	if arguments := f.Get("arguments"); arguments.Kind == jsonline.ObjectKind {
		c.say(b, string(arguments.Raw))
	} else {
		c.grow(b, arguments)
	}
	return nil
}

// counts reads the usage. Services that count cached tokens count them as input
// too.
func (c *chat) counts(u jsonline.Object) {
	whole := c.usage.Input + c.usage.CacheRead
	count(&c.usage.CacheRead, under(u, "prompt_tokens_details", "cached_tokens"))
	count(&c.usage.CacheRead, u.Get("prompt_cache_hit_tokens"))
	count(&whole, u.Get("prompt_tokens"))
	count(&c.usage.Output, u.Get("completion_tokens"))
	c.usage.Input = max(0, whole-c.usage.CacheRead)
	c.used()
}
