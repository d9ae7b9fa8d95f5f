package google

import (
	"hygeia/internal/jsonline"
	"hygeia/internal/pages"
	"hygeia/payload"
)

// body writes the request. The members have one fixed order, the contents come
// last (W-003).
func (b *builder) body() []byte {
	size := 1024 + b.size + len(b.in.Options.System) + len(b.in.Options.Tools.Raw)
	dst := pages.Room(size + 48*len(b.contents))
	if b.envelope != nil {
		return b.appendEnvelope(dst)
	}
	return b.appendRequest(dst)
}

// appendRequest writes what goes out alone, or in an envelope.
func (b *builder) appendRequest(dst []byte) []byte {
	dst = append(dst, '{')
	if id := b.in.Options.SessionID; id != "" && b.envelope != nil {
		dst = append(jsonline.AppendQuoted(append(dst, `"sessionId":`...), id), ',')
	}
	if system := b.systemInstruction(); system != nil {
		dst = append(append(append(dst, `"systemInstruction":`...), system...), ',')
	}
	dst = b.appendTools(dst)
	dst = jsonline.AppendInt(append(dst, `"generationConfig":{"maxOutputTokens":`...), int64(b.thinking.maxTokens))
	if b.thinking.config != nil {
		dst = append(append(dst, `,"thinkingConfig":`...), b.thinking.config...)
	}
	dst = append(dst, `},"contents":`...)
	return append(b.appendContents(dst), '}')
}

// systemInstruction returns the system instruction, nil for none (W-601, W-632).
func (b *builder) systemInstruction() []byte {
	var e envelope
	if b.envelope != nil {
		e = *b.envelope
	}
	sep := `{"parts":[{"text":`
	if e.userSystem {
		sep = `{"role":"user","parts":[{"text":`
	}
	var dst []byte
	for _, text := range []string{e.preamble, payload.SystemText(b.in.Options.System)} {
		if text != "" {
			dst = append(jsonline.AppendQuoted(append(dst, sep...), text), '}')
			sep = `,{"text":`
		}
	}
	if dst == nil {
		return nil
	}
	return append(dst, `]}`...)
}

func (b *builder) appendContent(dst []byte, c *content) []byte {
	dst = append(append(append(dst, `{"role":"`...), c.kind.role()...), `","parts":[`...)
	for i := range c.parts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = b.appendPart(dst, &c.parts[i])
	}
	return append(append(append(dst, ']'), b.members(c)...), '}')
}

// appendPart writes a part: its one data field, then its signature (W-611).
func (b *builder) appendPart(dst []byte, p *part) []byte {
	switch p.kind {
	case textPart:
		dst = append(append(dst, `{"text":`...), p.raw...)
	case thoughtPart:
		dst = append(append(dst, `{"thought":true,"text":`...), p.raw...)
	case imagePart:
		dst = append(append(dst, `{"inlineData":{"mimeType":`...), p.mime...)
		dst = append(append(append(append(dst, `,"data":`...), p.raw...), p.inside...), '}')
	case callPart:
		dst = b.appendName(append(dst, `{"functionCall":{`...), p)
		dst = append(append(append(append(dst, `,"args":`...), p.raw...), p.inside...), '}')
	case responsePart:
		if native := b.nativeResponse(p); native != nil {
			return append(dst, native...)
		}
		dst = b.appendResponse(dst, p)
	case nativePart:
		dst = append(append(append(dst, `{"`...), p.name...), `":`...)
		dst = append(dst, p.raw...)
	}
	if p.signature != nil {
		dst = append(append(dst, `,"thoughtSignature":`...), p.signature...)
	}
	return append(append(dst, p.rest...), '}')
}

// appendResponse writes the result of a call (W-604, W-605).
func (b *builder) appendResponse(dst []byte, p *part) []byte {
	dst = b.appendName(append(dst, `{"functionResponse":{`...), p)
	if p.failed {
		dst = append(dst, `,"response":{"error":`...)
	} else {
		dst = append(dst, `,"response":{"output":`...)
	}
	dst = append(append(dst, p.raw...), '}')
	for i := range p.images {
		sep := `,`
		if i == 0 {
			sep = `,"parts":[`
		}
		dst = b.appendPart(append(dst, sep...), &p.images[i])
	}
	if len(p.images) > 0 {
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

// appendName writes the name of a call or response, and its id where the target
// takes ids (W-606).
func (b *builder) appendName(dst []byte, p *part) []byte {
	if b.in.Policy.Wire.FunctionCallIDs {
		dst = append(jsonline.AppendQuoted(append(dst, `"id":`...), p.id), ',')
	}
	return jsonline.AppendQuoted(append(dst, `"name":`...), p.name)
}

// size is about the length of a part in the body.
func (p *part) size() int {
	n := 64 + len(p.raw) + len(p.mime) + len(p.signature) + len(p.id) + len(p.name)
	for i := range p.images {
		n += p.images[i].size()
	}
	return n
}
