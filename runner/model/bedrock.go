package model

import (
	"encoding/base64"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// converse decodes the events of Bedrock's ConverseStream.
type converse struct {
	*turn
	open map[string]*block // by index
}

func decodeConverse(t *turn) decoder {
	c := &converse{turn: t, open: map[string]*block{}}
	return c.event
}

func (c *converse) event(name string, data []byte) error {
	if name == exception {
		return amazonFault(data)
	}
	o, err := object(data)
	if err != nil {
		return err
	}
	index := string(o.Get("contentBlockIndex").Raw)
	switch name {
	case "contentBlockStart":
		if use := under(o, "start", "toolUse").Object(); use.Exists() {
			c.open[index] = c.tool(use.Get("toolUseId").String(), use.Get("name").String())
		}
	case "contentBlockDelta":
		return c.delta(index, o.Get("delta").Object())
	case "contentBlockStop":
		if b := c.open[index]; b != nil {
			delete(c.open, index)
			if b.kind == transcript.TypeToolCall {
				return c.endToolUnlessCut(b)
			}
			b.closed = true
		}
	case "messageStop":
		c.ended(o.Get("stopReason").String(), anthropicStops)
	case "metadata":
		u := o.Get("usage").Object()
		count(&c.usage.Input, u.Get("inputTokens"))
		count(&c.usage.Output, u.Get("outputTokens"))
		count(&c.usage.CacheRead, u.Get("cacheReadInputTokens"))
		count(&c.usage.CacheWrite, u.Get("cacheWriteInputTokens"))
		c.used()
		return errDone
	}
	return nil
}

// delta adds a piece. Blocks other than calls begin with their first one.
func (c *converse) delta(index string, d jsonline.Object) error {
	kind := transcript.TypeText
	reasoning := d.Get("reasoningContent").Object()
	switch {
	case d.Has("toolUse"):
		if b := c.open[index]; b != nil && b.kind == transcript.TypeToolCall {
			c.grow(b, under(d, "toolUse", "input"))
			return nil
		}
		return bad("a piece of the answer belongs to no tool call")
	case reasoning.Has("redactedContent"):
		c.open[index] = c.redacted(reasoning.Get("redactedContent"))
		return nil
	case reasoning.Exists():
		kind = transcript.TypeThinking
	}
	b := c.open[index]
	if b == nil || b.kind != kind {
		b = c.turn.open(kind)
		c.open[index] = b
	}
	c.grow(b, d.Get("text"))
	c.grow(b, reasoning.Get("text"))
	b.set("thinkingSignature", reasoning.Get("signature"))
	return nil
}

// decodeInvokeModel decodes the events of Bedrock's InvokeModel, which hold those of
// Anthropic.
func decodeInvokeModel(t *turn) decoder {
	next := decodeAnthropic(t)
	return func(name string, data []byte) error {
		if name == exception {
			return amazonFault(data)
		}
		o, err := object(data)
		if err != nil {
			return err
		}
		inside, err := base64.StdEncoding.DecodeString(o.Get("bytes").String())
		if err != nil {
			return bad("an event of the answer is no base64")
		}
		return next("", inside)
	}
}

// amazonFault is a fault that the event stream reports.
func amazonFault(data []byte) error {
	o := jsonline.ParseObject(data)
	return &fault{code: o.Get("type").String(), text: o.Get("message").String(), body: data}
}
