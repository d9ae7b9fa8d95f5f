package model

import (
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// geminiStops are the finish reasons of generateContent.
var geminiStops = map[string]string{
	"STOP": Stop, "MAX_TOKENS": Length, "FINISH_REASON_UNSPECIFIED": "", "SAFETY": "", "RECITATION": "", "LANGUAGE": "", "OTHER": "",
	"BLOCKLIST": "", "PROHIBITED_CONTENT": "", "SPII": "", "MALFORMED_FUNCTION_CALL": "", "IMAGE_SAFETY": "", "UNEXPECTED_TOOL_CALL": "",
	"TOO_MANY_TOOL_CALLS": "", "MISSING_THOUGHT_SIGNATURE": "", "MALFORMED_RESPONSE": "",
}

// gemini decodes the chunks of generateContent.
type gemini struct{ *turn }

func decodeGemini(t *turn) decoder {
	g := &gemini{t}
	return g.event
}

// decodeCodeAssist is decodeGemini for chunks in the envelope of Cloud Code
// Assist (W-631).
func decodeCodeAssist(t *turn) decoder {
	g := &gemini{t}
	return func(name string, data []byte) error {
		if inside := jsonline.ParseObject(data).Get("response").Object(); inside.Exists() {
			return g.chunk(inside)
		}
		return g.event(name, data)
	}
}

func (g *gemini) event(_ string, data []byte) error {
	o, err := object(data)
	if err != nil {
		return err
	}
	if o.Has("error") {
		return faultIn(data)
	}
	return g.chunk(o)
}

func (g *gemini) chunk(o jsonline.Object) error {
	if id := o.Get("responseId").String(); id != "" {
		g.id = id
	}
	if model := o.Get("modelVersion").String(); model != "" {
		g.model = model
	}
	if reason := under(o, "promptFeedback", "blockReason"); reason.IsString() {
		g.fail(reason.String(), "the provider blocked the request: "+quotedName(reason.String()))
	}
	for candidate := range o.Get("candidates").Elements() {
		c := candidate.Object()
		for p := range under(c, "content", "parts").Elements() {
			if err := g.part(p); err != nil {
				return err
			}
		}
		if reason := c.Get("finishReason"); reason.IsString() {
			g.ended(reason.String(), geminiStops)
		}
		break // one answer is asked for
	}
	if u := o.Get("usageMetadata").Object(); u.Exists() {
		g.counts(u)
	}
	return nil
}

func (g *gemini) part(v jsonline.Value) error {
	p := v.Object()
	signature := p.Get("thoughtSignature")
	call, text := p.Get("functionCall").Object(), p.Get("text")
	switch {
	case call.Exists():
		b, err := g.wholeTool(call.Get("id").String(), call.Get("name").String(), call.Get("args"))
		b.set("thoughtSignature", signature)
		return err
	case text.IsString() && p.Get("thought").Bool():
		g.piece(transcript.TypeThinking, "thinkingSignature", text, signature)
	case text.IsString():
		g.piece(transcript.TypeText, "textSignature", text, signature)
	default:
		return g.other(p)
	}
	return nil
}

// other keeps a part of another kind, such as a picture or code that ran, under
// the name of the member that holds it.
func (g *gemini) other(p jsonline.Object) error {
	for name, v := range p.Members() {
		if v.Kind == jsonline.ObjectKind {
			g.keep(p.With("type", jsonline.Text(name)).AppendTo(nil))
			return nil
		}
	}
	return bad("a part of the answer holds nothing")
}

// piece adds text. A signature belongs to all that came since the last one, and
// nothing is joined across it (W-611).
func (g *gemini) piece(kind transcript.BlockType, member string, text, signature jsonline.Value) {
	if len(text.Raw) == 2 && !signature.Exists() {
		return
	}
	b := g.at(kind)
	g.grow(b, text)
	if signature.IsString() && len(signature.Raw) > 2 {
		b.set(member, signature)
		b.closed = true
	}
}

// counts reads the usage. Google counts thinking apart, and cached tokens as
// input too.
func (g *gemini) counts(u jsonline.Object) {
	whole := g.usage.Input + g.usage.CacheRead
	var said, thought int64
	count(&g.usage.CacheRead, u.Get("cachedContentTokenCount"))
	count(&whole, u.Get("promptTokenCount"))
	count(&said, u.Get("candidatesTokenCount"))
	count(&thought, u.Get("thoughtsTokenCount"))
	g.usage.Input, g.usage.Output = max(0, whole-g.usage.CacheRead), said+thought
	g.used()
}
