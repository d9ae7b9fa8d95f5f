package session

import "hygeia/transcript"

// node is the place of a record in the file and in the tree, with what the walks
// ask about it: entries lie scattered in memory, and touching each again would
// cost more than the walks do.
type node struct {
	line, last int32
	up         int32 // logical parent (F-23) or none
	kind       kind
	typ        typ
	link       link
	side       bool
}

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
	lost                  // a torn record of which a link is left (F-B01)
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
