package google

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/transcript"
)

// kind is what a content holds.
type kind uint8

const (
	user     kind = iota // what users said
	model                // what the model said and called
	response             // results of calls, of the user's role (W-601)
)

func (k kind) role() string { return [...]string{user: "user", model: "model", response: "user"}[k] }

// content is one element of contents before it is written. It points at the
// stored bytes.
type content struct {
	kind    kind
	carrier bool                // images of tool results (W-605), open for a user turn
	from    *transcript.Message // the first stored turn in it
	parts   []part
}

// part is one part of a content.
type part struct {
	kind      partKind
	failed    bool   // of a response: the call failed
	id, name  string // of a call or response; of a native part its member
	raw       []byte // JSON: a text, the data of an image, arguments, a native part
	mime      []byte // JSON string, of an image
	signature []byte // JSON string, nil for none (W-611)
	images    []part // of a response (W-605)
}

type partKind uint8

const (
	textPart partKind = iota
	thoughtPart
	imagePart
	callPart
	responsePart
	nativePart
)

func isThought(p part) bool { return p.kind == thoughtPart }

// last returns the newest content, nil if there is none.
func (b *builder) last() *content {
	if len(b.contents) == 0 {
		return nil
	}
	return &b.contents[len(b.contents)-1]
}

// add puts a content at the end. The list starts with the user's (W-181), and
// neighbours of one kind are joined, whatever was left out between them (W-603,
// D-34). Results of calls stay apart from what users say (W-605).
func (b *builder) add(c content) {
	for i := range c.parts {
		b.size += c.parts[i].size()
	}
	last := b.last()
	switch {
	case last == nil && c.kind == model:
		b.log.Add(hygiene.Insert, nobody, nil, transcript.NewText(transcript.User, texts.SessionBootstrap), hygiene.Edit{
			Rule: "W-181", Reason: "the history starts with a model turn", Synthetic: true,
		})
		b.contents = append(b.contents, content{kind: user, from: nobody, parts: made(texts.SessionBootstrap)}, c)
	case last == nil || last.kind != c.kind:
		b.contents = append(b.contents, c)
	case last.carrier:
		b.join(last, &c, hygiene.Edit{Rule: "W-605", Reason: "the turn directly follows the images of tool results"})
	default:
		b.join(last, &c, hygiene.Edit{Rule: "W-603", Reason: "two " + c.kind.role() + " turns became neighbours"})
	}
}

// join puts what next says behind what c says. The thinking of two turns is
// never mixed: the later one keeps it (D-20), unless it would have to open the
// turn (W-219).
func (b *builder) join(c, next *content, e hygiene.Edit) {
	if has(next.parts, isThought) {
		b.dropThoughts(c, hygiene.Edit{Rule: e.Rule, Reason: "the turn is joined with one that has its own thinking", Lossy: true})
		if b.thinking.opens && len(c.parts) > 0 {
			b.dropThoughts(next, hygiene.Edit{Rule: "W-219", Reason: "the turn does not start with its thinking", Lossy: true})
		}
	}
	c.parts = append(c.parts[:len(c.parts):len(c.parts)], next.parts...)
	if c.kind == user {
		c.parts = said(c.parts)
	}
	c.carrier = false
	b.log.Add(hygiene.Move, next.from, nil, c.from, e)
}

func (b *builder) dropThoughts(c *content, e hygiene.Edit) {
	if has(c.parts, isThought) {
		c.parts = without(c.parts, isThought)
		b.log.Add(hygiene.Replace, c.from, nil, nil, e)
	}
}

// said takes placeholders of blank user turns out, unless there is nothing else
// (D-07).
func said(parts []part) []part {
	if !has(parts, isPlaceholder) {
		return parts
	}
	if kept := without(parts, isPlaceholder); len(kept) > 0 {
		return kept
	}
	return parts[:1]
}

// isPlaceholder reports whether a part stands for a blank user turn (W-162,
// W-602).
func isPlaceholder(p part) bool {
	if p.kind != textPart || len(p.raw) > 128 {
		return false
	}
	v := jsonline.Parse(p.raw)
	return payload.Blank(v) || texts.IsOmittedContent(v.String())
}

func has(parts []part, is func(part) bool) bool {
	for i := range parts {
		if is(parts[i]) {
			return true
		}
	}
	return false
}

// without returns the parts that are not such; the list itself is not changed.
func without(parts []part, such func(part) bool) []part {
	kept := parts[:0:0]
	for i := range parts {
		if !such(parts[i]) {
			kept = append(kept, parts[i])
		}
	}
	return kept
}
