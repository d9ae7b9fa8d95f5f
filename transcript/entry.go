package transcript

import "hygeia/internal/jsonline"

// EntryType is the type of a session entry (F-13). Unknown types are legal and
// survive.
type EntryType string

// The entry types.
const (
	EntrySession       EntryType = "session"
	EntryMessage       EntryType = "message"
	EntryCustomMessage EntryType = "custom_message"
	EntryCompaction    EntryType = "compaction"
	EntryBranchSummary EntryType = "branch_summary"
	EntryModelChange   EntryType = "model_change"
	EntryThinkingLevel EntryType = "thinking_level_change"
	EntryCustom        EntryType = "custom"
	EntryLabel         EntryType = "label"
	EntrySessionInfo   EntryType = "session_info"
	EntryLeaf          EntryType = "leaf"
)

// Entry is one record of a session file. ID and Parent are as stored, or as
// the reader of the file derived them.
type Entry struct {
	Type        EntryType
	ID          string   // "" for a record without one
	Parent      string   // "" for a root or when absent, see HasParent
	HasParent   bool     // parentId is present, null included
	Side        bool     // appendMode is "side"
	InvalidUTF8 bool     // some string of the record is not UTF-8 (F-B11)
	Message     *Message // of an EntryMessage whose message is an object, else nil

	obj   jsonline.Object
	other *jsonline.Value // a record that is no object
}

// NewEntry returns an entry that a program makes, as yet without id and parent.
func NewEntry(t EntryType) *Entry {
	return &Entry{Type: t, obj: jsonline.Object{}.With("type", jsonline.Text(string(t)))}
}

// NewMessageEntry returns the entry of a message.
func NewMessageEntry(m *Message) *Entry {
	e := NewEntry(EntryMessage).With("message", jsonline.Value{Raw: m.AppendJSON(nil), Kind: jsonline.ObjectKind})
	e.Message = m
	return e
}

// With returns a copy of an object in which the member has the value v. Besides
// that only what is read from the member changes; the message does not.
func (e *Entry) With(name string, v jsonline.Value) *Entry {
	c := *e
	c.obj = e.obj.With(name, v)
	switch name {
	case "type":
		c.Type = EntryType(v.String())
	case "id":
		c.ID = v.String()
	case "parentId":
		c.Parent, c.HasParent = v.String(), v.Exists()
	case "appendMode":
		c.Side = v.String() == "side"
	}
	return &c
}

// IsObject reports whether the record is a JSON object at all.
func (e *Entry) IsObject() bool { return e.obj.Exists() }

// Get returns a member by its stored name.
func (e *Entry) Get(name string) jsonline.Value { return e.obj.Get(name) }

// Members returns the object behind the entry.
func (e *Entry) Members() jsonline.Object { return e.obj }

// AppendJSON appends the record as it was stored.
func (e *Entry) AppendJSON(dst []byte) []byte {
	if e.other != nil {
		return append(dst, e.other.Raw...)
	}
	return e.obj.AppendTo(dst)
}

// Parts returns what AppendJSON appends in pieces, none of which is a copy of what
// was read.
func (e *Entry) Parts() [][]byte {
	if e.other != nil {
		return [][]byte{e.other.Raw}
	}
	return e.obj.Parts("", nil)
}

// Timestamp returns the entry's time in epoch milliseconds.
func (e *Entry) Timestamp() (ms float64, ok bool) { return ParseTime(e.obj.Get("timestamp")) }
