package lines

import (
	"bytes"
	"strings"

	"hygeia/transcript"
)

// Known reports whether t is one of the types of F-13, the header included.
func Known(t transcript.EntryType) bool {
	switch t {
	case transcript.EntrySession, transcript.EntryMessage, transcript.EntryCustomMessage, transcript.EntryCompaction,
		transcript.EntryBranchSummary, transcript.EntryModelChange, transcript.EntryThinkingLevel,
		transcript.EntryCustom, transcript.EntryLabel, transcript.EntrySessionInfo, transcript.EntryLeaf:
		return true
	}
	return false
}

// HasMessage reports whether a message entry holds a message with a role
// (F-51).
func HasMessage(e *transcript.Entry) bool {
	return e.Message != nil && strings.TrimSpace(string(e.Message.Role())) != ""
}

// whole reports whether e is sure to be an entry, wherever it was found: of a
// known type, complete, with an id or at least a time.
func whole(e *transcript.Entry) bool {
	if !Known(e.Type) || e.Type == transcript.EntryMessage && !HasMessage(e) {
		return false
	}
	return e.ID != "" || e.Type == transcript.EntryMessage || e.Get("timestamp").Exists()
}

// firstNames are the members that an entry may begin with.
var firstNames = map[string]bool{"id": true, "parentId": true, "timestamp": true, "message": true}

// begins reports whether text looks like the beginning of an entry: a brace and
// a member that no content block begins with. Inside a JSON string its quotes
// would be escaped.
func begins(text []byte) bool {
	if len(text) == 0 || text[0] != '{' {
		return false
	}
	name, rest := quoted(text[1:])
	if string(name) != "type" {
		return firstNames[string(name)]
	}
	rest = bytes.TrimLeft(rest, space)
	if len(rest) == 0 || rest[0] != ':' {
		return false
	}
	value, _ := quoted(rest[1:])
	return Known(transcript.EntryType(value))
}

// quoted returns the short string that text begins with and what stands behind
// it.
func quoted(text []byte) (name, rest []byte) {
	text = bytes.TrimLeft(text, space)
	if len(text) == 0 || text[0] != '"' {
		return nil, nil
	}
	end := bytes.IndexByte(text[1:min(len(text), 40)], '"')
	if end < 0 {
		return nil, nil
	}
	return text[1 : end+1], text[end+2:]
}

// nextBegin returns the offset of the first place from which something begins
// like an entry, -1 if there is none.
func nextBegin(text []byte, from int) int {
	for from < len(text) {
		i := bytes.IndexByte(text[from:], '{')
		if i < 0 {
			break
		}
		if from += i; begins(text[from:]) {
			return from
		}
		from++
	}
	return -1
}
