package session

import (
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// successor returns record i as it stands in the successor: below the nearest
// record above it that is there too, and without what a compaction makes stale if
// it stands before that. p is its position on the active branch, -1 for none.
func (r *rotation) successor(i int32, p int) *transcript.Entry {
	e := r.entries[i]
	if r.nodes[i].kind == loose {
		return e
	}
	if e.Get("id").String() != e.ID {
		e = e.With("id", jsonline.Text(e.ID))
	}
	switch parent := r.id(r.up(i)); {
	case parent == "" && (!e.HasParent || e.Get("parentId").Kind != jsonline.Null):
		e = e.With("parentId", noParent)
	case parent != "" && e.Get("parentId").String() != parent:
		e = e.With("parentId", jsonline.Text(parent))
	}
	if p >= 0 && e.Side { // somebody went on from what stood beside the conversation
		e = e.With("appendMode", jsonline.Parse([]byte("null")))
	}
	switch {
	case p == r.c.at:
		return r.compaction(e)
	case e.Get("customType").String() == RejectedThinking:
		return r.rejection(e)
	case 0 <= p && p < r.c.at && e.Message != nil:
		if m := unsigned(e.Message); m != e.Message {
			e = e.With("message", jsonline.Value{Raw: m.AppendJSON(nil), Kind: jsonline.ObjectKind})
		}
	}
	return e
}

// compaction sees to it that the compaction names an entry that is there, as the
// first one that it keeps.
func (r *rotation) compaction(e *transcript.Entry) *transcript.Entry {
	kept := e.ID
	for p := r.c.from; p < r.c.at; p++ {
		if i := r.b.path[p]; !r.gone[i] {
			kept = r.id(i)
			break
		}
	}
	named := r.first(keyOf(e.Get("firstKeptEntryId").String()))
	if named != none && !r.gone[named] && r.b.standsFor(named) == r.c.from {
		return e
	}
	return e.With("firstKeptEntryId", jsonline.Text(kept))
}

// rejection sees to it that the entry which says up to where thinking was rejected
// names one that is there.
func (r *rotation) rejection(e *transcript.Entry) *transcript.Entry {
	data := e.Get("data").Object()
	named := r.first(keyOf(data.Get("entryId").String()))
	if named == none || !r.gone[named] || r.up(named) == none {
		return e
	}
	return e.With("data", data.With("entryId", jsonline.Text(r.id(r.up(named)))).Value())
}

// unsigned returns a message without the signatures of its thinking, which a
// compaction in front of which it stands makes stale. A signature that is
// a whole item of a Responses API is none: it is replayed.
func unsigned(m *transcript.Message) *transcript.Message {
	if !m.Is(transcript.Assistant) || !m.HasThinking() {
		return m
	}
	blocks := make([]*transcript.Block, len(m.Blocks()))
	changed := false
	for i, b := range m.Blocks() {
		blocks[i] = b
		if !b.IsThinking() || strings.HasPrefix(strings.TrimSpace(b.Signature().String()), "{") {
			continue
		}
		names := []string{"thinkingSignature", "signature", "thought_signature"}
		if b.Is(transcript.TypeRedactedThinking) {
			names = append(names, "data")
		}
		blocks[i] = b.Without(names...)
		changed = changed || blocks[i] != b
	}
	if !changed {
		return m
	}
	return m.WithBlocks(blocks)
}
