package buildtest

import (
	"bytes"
	"strings"

	"pgregory.net/rapid"

	"hygeia/hygiene"
	"hygeia/internal/casetest"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// accounted proves G-4: what a block says stands in the body, unless a change of
// the block or its message says that it takes content away; and in the spelling
// that it has (G-7), unless any change touched it. So do signatures.
func (f *Format) accounted(t *rapid.T, e Endpoint) {
	in := f.sane(t, e)
	body := f.buildSane(t, in)
	words := strings.Join(values(jsonline.Parse(body)), "\x00")
	log := read(in.Report)
	for i, m := range in.Messages {
		for _, b := range append(m.Blocks(), transcript.NewTextBlockValue(m.Text())) {
			changed, shortened := log.of(i, b)
			lost := func(v jsonline.Value) bool { return v.Exists() && !v.Blank() && !spelled(body, words, v) }
			for _, v := range []jsonline.Value{b.TextValue(), b.Get("arguments"), b.Get("data")} {
				respelled := changed && strings.Contains(words, strings.TrimSpace(v.String()))
				if lost(v) && !shortened && !respelled && string(v.Raw) != omitted {
					t.Fatalf("message %d lost %s without a change:\n%s\n%s", i, v.Raw, casetest.Changes(in.Report), pretty(body))
				}
			}
			if v := f.proof(b); lost(v) && !changed {
				t.Fatalf("message %d lost the signature %s without a change:\n%s\n%s", i, v.Raw, casetest.Changes(in.Report), pretty(body))
			}
		}
	}
}

// proof returns what of a signature goes out.
func (f *Format) proof(b *transcript.Block) jsonline.Value {
	if f.Proof == nil {
		return jsonline.Value{}
	}
	return f.Proof(b)
}

// place is a block of a message, or the whole of it where block is negative.
type place struct{ message, block int }

// log tells of each place that a change touched whether one took content away,
// and which message a message was joined with.
type log struct {
	lossy  map[place]bool
	joined map[int]int
}

func read(r *hygiene.Report) log {
	l := log{lossy: map[place]bool{}, joined: map[int]int{}}
	for i := range r.Changes {
		switch c := &r.Changes[i]; c.Op {
		case hygiene.Drop, hygiene.Replace:
			p := place{c.Message, c.Block}
			l.lossy[p] = l.lossy[p] || c.Lossy
		case hygiene.Move:
			if to, ok := c.After.(*transcript.Message); ok {
				l.joined[c.Message] = to.Origin.Index
			}
		}
	}
	return l
}

// of tells whether a change touched a block and whether one took content away: a
// change of the block, of its message, or of the message with which that was
// joined.
func (l log) of(message int, b *transcript.Block) (changed, shortened bool) {
	places := []place{{message, b.Index()}, {message, -1}}
	if to, ok := l.joined[message]; ok {
		places = append(places, place{to, -1})
	}
	for _, p := range places {
		if lossy, ok := l.lossy[p]; ok {
			changed, shortened = true, shortened || lossy
		}
	}
	return changed, shortened
}

// Signature is [Format.Proof] of formats that take the signature of any block.
func Signature(b *transcript.Block) jsonline.Value {
	for _, name := range []string{"thinkingSignature", "textSignature", "thoughtSignature"} {
		if v := b.Get(name); v.Exists() {
			return v
		}
	}
	return jsonline.Value{}
}

// spelled reports whether a body holds a value as it is spelled. Arguments may
// stand in a string.
func spelled(body []byte, words string, v jsonline.Value) bool {
	if v.IsString() {
		return bytes.Contains(body, v.Raw[1:len(v.Raw)-1])
	}
	return bytes.Contains(body, v.Raw) || strings.Contains(words, string(v.Raw))
}

// values returns all strings in a value.
func values(v jsonline.Value) []string {
	var list []string
	for e := range v.Elements() {
		list = append(list, values(e)...)
	}
	for _, e := range v.Object().Members() {
		list = append(list, values(e)...)
	}
	if v.IsString() {
		list = append(list, v.String())
	}
	return list
}
