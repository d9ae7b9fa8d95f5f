package session

import (
	"hygeia/internal/jsonline"
	"hygeia/session/internal/lines"
	"hygeia/transcript"
)

// node is the place of a record in the tree, with what the walks ask about it:
// entries lie scattered in memory, and touching each again would cost more than
// the walks do.
type node struct {
	up    int32 // logical parent (F-23) or none
	kind  kind
	typ   typ
	link  link
	flags flags
}

// flags are further facts about a record.
type flags uint8

const (
	side   flags = 1 << iota // appendMode is "side"
	bare                     // an object that version 1 lets be without an id
	dirty                    // repair changes it, or puts something behind it
	wanted                   // repair writes its id into another record
	untold                   // lost, but its line stays (F-B09)
	ill                      // a message with content that repair changes, if it is an entry
)

func (n *node) is(f flags) bool { return n.flags&f != 0 }

const (
	none    = -1 // the parent of a root
	pending = -2 // the parent stands further behind and is linked at the end
)

// kind says how a record takes part in the tree.
type kind uint8

const (
	canonical kind = iota // an entry of F-13 with an id
	opaque                // no entry, but linked as one (F-14)
	loose                 // no entry, and no link of its own
	control               // a leaf control (F-21)
	aside                 // a note that is not on the active line (F-B29)
	lost                  // no valid record, of which a link is left (F-51, F-B01)
)

// typ is the type of an entry.
type typ uint8

const (
	other typ = iota // of no type of F-13
	header
	message
	customMessage
	compaction
	branchSummary
	modelChange
	thinkingLevel
	custom
	label
	sessionInfo
	leafControl
)

var types = map[transcript.EntryType]typ{
	transcript.EntrySession:       header,
	transcript.EntryMessage:       message,
	transcript.EntryCustomMessage: customMessage,
	transcript.EntryCompaction:    compaction,
	transcript.EntryBranchSummary: branchSummary,
	transcript.EntryModelChange:   modelChange,
	transcript.EntryThinkingLevel: thinkingLevel,
	transcript.EntryCustom:        custom,
	transcript.EntryLabel:         label,
	transcript.EntrySessionInfo:   sessionInfo,
	transcript.EntryLeaf:          leafControl,
}

// link is what a record says about its parent.
type link uint8

const (
	named   link = iota // some id, or what is no id
	inFront             // the id of the entry in front of it
	absent
	null
)

// typeOf is types, but quick for the one that most entries have.
func typeOf(e *transcript.Entry) typ {
	if e.Type == transcript.EntryMessage {
		return message
	}
	return types[e.Type]
}

// kindOf says what e is by its type and form. Whether it needs an id depends on
// the version and is seen to later.
func kindOf(e *transcript.Entry, t typ) kind {
	switch {
	case t == leafControl:
		return control
	case t == message && !lines.HasMessage(e):
		return lost
	case t != other && t != header:
		return canonical
	case e.IsObject() && e.ID != "" && e.HasParent:
		return opaque
	}
	return loose
}

// linkOf says how a record links, as far as it says itself.
func linkOf(e *transcript.Entry) link {
	switch {
	case !e.HasParent:
		return absent
	case e.Parent == "" && (!e.IsObject() || e.Get("parentId").Kind == jsonline.Null):
		return null
	}
	return named
}

// recordOf says what the tree needs to know of e.
func recordOf(e *transcript.Entry) record {
	r := record{typ: typeOf(e), link: linkOf(e), id: keyOf(e.ID), parent: keyOf(e.Parent), name: e.ID}
	r.kind = kindOf(e, r.typ)
	if e.Side {
		r.flags |= side
	}
	if e.ID == "" && e.IsObject() && r.typ != header {
		r.flags |= bare
	}
	return r
}

// refsOf calls add with what e names besides its parent.
func refsOf(e *transcript.Entry, t typ, add func(as uint8, id key)) {
	name := func(as uint8, v jsonline.Value) {
		switch {
		case v.IsString():
			add(as, keyOf(v.String()))
		case v.Kind == jsonline.Null:
			add(as, nullKey)
		case v.Exists():
			add(as, noKey)
		}
	}
	switch {
	case t == leafControl:
		name(asTarget, e.Get("targetId"))
		name(asAppend, e.Get("appendParentId"))
	case t == compaction:
		name(asKept, e.Get("firstKeptEntryId"))
	case t == custom && e.Get("customType").String() == RejectedThinking:
		name(asKept, e.Get("data").Object().Get("entryId"))
	}
}
