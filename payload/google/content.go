package google

import (
	"slices"

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
	carrier bool                  // images of tool results (W-605), open for a user turn
	joined  bool                  // several turns are in it
	from    *transcript.Message   // the first stored turn in it
	list    []*transcript.Message // all turns of a request in it, in order
	same    bool                  // they came from a request, and there is nothing to record about them
	parts   []part
	// thinker is where the parts of the turn start whose thinking is in it, -1
	// if there is none.
	thinker int
}

// part is one part of a content.
type part struct {
	kind      partKind
	failed    bool                // of a response: the call failed
	id, name  string              // of a call or response; of a native part its member
	raw       []byte              // JSON: a text, the data of an image, arguments, a native part
	mime      []byte              // JSON string, of an image
	signature []byte              // JSON string, nil for none (W-611)
	images    []part              // of a response (W-605)
	rest      []byte              // members that the canonical form does not know, each behind a comma
	inside    []byte              // as rest, of the data field
	from      *transcript.Message // of a response: the result, nil for a stand-in
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
	c.thinker = -1
	for i := range c.parts {
		b.size += c.parts[i].size()
		if c.parts[i].kind == thoughtPart {
			c.thinker = 0
		}
	}
	last := b.last()
	switch {
	case last == nil && c.kind == model:
		b.log.Add(hygiene.Insert, nobody, nil, transcript.NewText(transcript.User, texts.SessionBootstrap), hygiene.Edit{
			Rule: "W-181", Reason: "the history starts with a model turn", Synthetic: true,
		})
		b.contents = append(b.contents, content{kind: user, from: nobody, parts: made(texts.SessionBootstrap), thinker: -1}, c)
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
	if next.thinker >= 0 {
		b.dropThoughts(c, hygiene.Edit{Rule: e.Rule, Reason: "the turn is joined with one that has its own thinking", Lossy: true})
		if b.thinking.opens && len(c.parts) > 0 {
			b.dropThoughts(next, hygiene.Edit{Rule: "W-219", Reason: "the turn does not start with its thinking", Lossy: true})
		}
		if next.thinker >= 0 {
			c.thinker = len(c.parts)
		}
	}
	c.parts = append(c.parts, next.parts...)
	c.carrier, c.joined, c.same = false, true, false
	c.list = append(c.list, next.list...)
	b.log.Add(hygiene.Move, next.from, nil, c.from, e)
}

func (b *builder) dropThoughts(c *content, e hygiene.Edit) {
	if c.thinker < 0 {
		return
	}
	rest := slices.DeleteFunc(c.parts[c.thinker:], func(p part) bool { return p.kind == thoughtPart })
	c.parts, c.thinker = c.parts[:c.thinker+len(rest)], -1
	b.log.Add(hygiene.Replace, c.from, nil, nil, e)
}

// said takes placeholders of blank user turns out, unless there is nothing else
// (D-07).
func said(parts []part) []part {
	if all := !slices.ContainsFunc(parts, func(p part) bool { return !isPlaceholder(p) }); all {
		return parts[:1]
	}
	return slices.DeleteFunc(parts, isPlaceholder)
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
