package duplicates

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/neighbours"
	"hygeia/hygiene/passes/internal/pairs"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// call is a call that others are compared with.
type call struct {
	block *transcript.Block
	args  []byte // its arguments in canonical form, once they were needed
}

// same reports whether b, which has the same id, has the same name and arguments.
func (c *call) same(b *transcript.Block) bool {
	if c.block.Name() != b.Name() {
		return false
	}
	x, y := c.block.Get("arguments"), b.Get("arguments")
	if bytes.Equal(x.Raw, y.Raw) {
		return true
	}
	if c.args == nil {
		c.args = canonical(x)
	}
	return bytes.Equal(c.args, canonical(y))
}

// row is a row of neighbouring assistant turns.
type row struct {
	run   *hygiene.Run
	last  int
	calls map[string]*call // the last call of each id
	said  neighbours.Memo
}

// dropSameCalls drops the calls of turn i that a neighbour in front of it has
// made, or the whole turn if it says nothing else, and reports whether
// that is so. prev is the turn in front of it.
func (w *row) dropSameCalls(prev, i int) bool {
	if prev != w.last {
		w.calls, w.last = nil, prev
		w.add(prev)
	}
	m := w.run.At(i)
	var same []int
	for j, b := range m.Blocks() {
		if pairs.IsCall(b) && w.has(b) {
			same = append(same, j)
		}
	}
	if len(same) == 0 {
		return false
	}
	failed := m.Failed() && !m.Any(func(b *transcript.Block) bool { return b.IsToolCall() && !w.has(b) })
	nothingElse := w.nothingElse(prev, m, len(same))
	if nothingElse || failed && (turns.Superseded(w.run, i) || !m.Any(turns.Readable)) {
		w.run.Drop(i, hygiene.Edit{
			Rule: "R-122", Reason: "the assistant turn beside it makes the same calls",
			Lossy: !nothingElse || neighbours.LosesThinking(m, w.run.At(prev)),
		})
		return true
	}
	w.dropBlocks(i, same, failed)
	return false
}

func (w *row) add(i int) {
	for _, b := range w.run.At(i).Blocks() {
		if pairs.IsCall(b) {
			if w.calls == nil {
				w.calls = map[string]*call{}
			}
			w.calls[b.ID()] = &call{block: b}
		}
	}
}

// has reports whether a turn in front has made the call.
func (w *row) has(b *transcript.Block) bool {
	c := w.calls[b.ID()]
	return c != nil && c.same(b)
}

// nothingElse reports whether a turn holds no more than that many calls,
// thinking, and no text that the turn in front of it has not.
func (w *row) nothingElse(prev int, m *transcript.Message, calls int) bool {
	for _, b := range m.Blocks() {
		switch {
		case b.IsText(), b.IsThinking():
		case b.IsToolCall():
			calls--
		default:
			return false
		}
	}
	if calls != 0 {
		return false
	}
	text := neighbours.Text(m)
	return text == "" || text == w.said.Text(w.run.At(prev))
}

// dropBlocks drops the blocks with these indexes from turn i. A failed turn that
// holds no other call keeps only what can be read, as any failed turn that
// nothing ran in (D-04 e).
func (w *row) dropBlocks(i int, same []int, failed bool) {
	blocks := w.run.Blocks(i)
	for j, b := range blocks.All() {
		switch {
		case len(same) > 0 && same[0] == j:
			same = same[1:]
			blocks.Drop(j, hygiene.Edit{Rule: "R-122", Reason: "the assistant turn beside it makes the same call `" + b.ID() + "`"})
		case failed && b.IsThinking():
			blocks.Drop(j, hygiene.Edit{Rule: "R-122", Reason: "the turn failed, and the call that ran is beside it", Lossy: true})
		}
	}
	blocks.Done()
}

// canonical returns a value without white space, with sorted names and with one
// spelling of strings. Numbers keep theirs: 1 and 1.0 are not the same, and no
// digit is lost. What cannot be brought into that form is returned as it is.
func canonical(v jsonline.Value) []byte {
	c := jsontext.Value(bytes.Clone(v.Raw))
	if err := c.Format(
		jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true),
		jsontext.ReorderRawObjects(true), jsontext.CanonicalizeRawInts(false), jsontext.CanonicalizeRawFloats(false),
	); err != nil {
		return v.Raw
	}
	return c
}
