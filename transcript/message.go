package transcript

import (
	"slices"

	"hygeia/internal/jsonline"
)

// Role is the role of a message. Unknown roles are legal and survive.
type Role string

// The roles of F-31…F-38.
const (
	User              Role = "user"
	Assistant         Role = "assistant"
	ToolResult        Role = "toolResult"
	Custom            Role = "custom"
	BashExecution     Role = "bashExecution"
	BranchSummary     Role = "branchSummary"
	CompactionSummary Role = "compactionSummary"
)

// SystemRow is the customType of a row that was a system message in the middle
// of a conversation. It goes out as one where the target takes such messages,
// else as a user turn (F-72).
const SystemRow = "system"

// StopReason says why an assistant turn ended (F-33).
type StopReason string

// The stop reasons.
const (
	StopStop    StopReason = "stop"
	StopLength  StopReason = "length"
	StopToolUse StopReason = "toolUse"
	StopError   StopReason = "error"
	StopAborted StopReason = "aborted"
)

// ContentKind is the JSON shape of a message's content.
type ContentKind uint8

// The shapes of content.
const (
	NoContent     ContentKind = iota // missing
	NullContent                      // null
	TextContent                      // a string
	ListContent                      // a list of blocks
	SingleContent                    // one object, not in a list
	OtherContent                     // a number or a boolean
)

// Origin says where a message came from. It travels with every copy.
type Origin struct {
	// Entry is the id of the session entry, "" for a bare message list.
	Entry string
	// Index is the position in the list that a run started from, -1 for a
	// message that a rule made up.
	Index int
	// Position is that of the entry on the path from root to leaf, -1 when
	// unknown. It decides what is older than a compaction (D-25).
	Position int
}

// Made is the origin of messages that stand in no list yet.
var made = Origin{Index: -1, Position: -1}

// Message is one turn. It is immutable; the With methods return copies. The
// zero value is not useful.
type Message struct {
	// Origin says where the message came from.
	Origin Origin

	role    Role
	obj     jsonline.Object
	other   *jsonline.Value // a list element that is no object
	kind    ContentKind
	content bool  // the content was replaced
	holds   holds // what is among the blocks
	stop    uint8 // index of the stop reason in stopReasons, 0: look it up
	context uint8 // whether a user turn is runtime context
	route   *route
	blocks  []*Block
}

// Role returns the message's role, "" for one that has none.
func (m *Message) Role() Role { return m.role }

// Is reports whether the message has that role.
func (m *Message) Is(r Role) bool { return m.role == r }

// IsObject reports whether the message is a JSON object at all (R-B14).
func (m *Message) IsObject() bool { return m.obj.Exists() }

// Get returns a member by its stored name. The content has accessors of its
// own.
func (m *Message) Get(name string) jsonline.Value { return m.obj.Get(name) }

// Members returns the object behind the message, its content as it was read.
func (m *Message) Members() jsonline.Object { return m.obj }

// ContentKind returns the shape of the content.
func (m *Message) ContentKind() ContentKind { return m.kind }

// Blocks returns the content blocks of a ListContent or SingleContent message.
// The caller must not change the list.
func (m *Message) Blocks() []*Block { return m.blocks }

// Text returns the content of a TextContent message as it was spelled.
func (m *Message) Text() jsonline.Value {
	if m.kind != TextContent {
		return jsonline.Value{}
	}
	return m.obj.Get("content")
}

// IsSystem reports whether the message is a [SystemRow].
func (m *Message) IsSystem() bool {
	return m.role == Custom && m.obj.Get("customType").String() == SystemRow
}

// Any reports whether the content holds a block for which f says yes.
func (m *Message) Any(f func(*Block) bool) bool { return slices.ContainsFunc(m.blocks, f) }

// HasThinking reports whether the message holds a thinking block.
func (m *Message) HasThinking() bool { return m.holds&holdsThinking != 0 }

// HasToolCall reports whether the message holds a tool-call block of any type.
func (m *Message) HasToolCall() bool { return m.holds&holdsToolCall != 0 }

// HasBlankText reports whether the message holds a text block whose text is blank
// or no string.
func (m *Message) HasBlankText() bool { return m.holds&holdsBlankText != 0 }

// HasFailedText reports whether the message holds a text block with the text of an
// empty failed turn (D-04, R-26).
func (m *Message) HasFailedText() bool { return m.holds&holdsFailedText != 0 }

// With returns a copy in which a member other than the content has the value v.
func (m *Message) With(name string, v jsonline.Value) *Message {
	c := *m
	c.obj, c.route, c.stop, c.context = m.obj.With(name, v), nil, 0, notLooked
	if name == "role" {
		c.role = Role(v.String())
	}
	return &c
}

// Without returns a copy that has none of the named members, and m itself if it
// never had them.
func (m *Message) Without(names ...string) *Message {
	if !slices.ContainsFunc(names, m.obj.Has) {
		return m
	}
	c := *m
	c.obj, c.route, c.stop, c.context = m.obj.Without(names...), nil, 0, notLooked
	return &c
}

// WithBlocks returns a copy whose content is that list of blocks.
func (m *Message) WithBlocks(blocks []*Block) *Message {
	c := *m
	c.kind, c.blocks, c.content, c.holds, c.context = ListContent, blocks, true, 0, notLooked
	for _, b := range blocks {
		c.holds.add(b)
	}
	return &c
}

// WithText returns a copy whose content is that string.
func (m *Message) WithText(text string) *Message { return m.WithTextValue(jsonline.Text(text)) }

// WithTextValue is WithText for a string that keeps its spelling.
func (m *Message) WithTextValue(v jsonline.Value) *Message {
	c := *m
	c.obj = m.obj.With("content", v)
	c.kind, c.blocks, c.content, c.holds, c.context = TextContent, nil, false, 0, notLooked
	return &c
}

// WithOrigin returns a copy that came from o.
func (m *Message) WithOrigin(o Origin) *Message {
	c := *m
	c.Origin = o
	return &c
}

// AppendJSON appends the message as JSON. A message that was not changed has
// its original bytes.
func (m *Message) AppendJSON(dst []byte) []byte {
	if m.other == nil && !m.content {
		return m.obj.AppendTo(dst)
	}
	for _, p := range m.Parts() {
		dst = append(dst, p...)
	}
	return dst
}

// Parts returns what AppendJSON appends in pieces, none of which is a copy of what
// was read.
func (m *Message) Parts() [][]byte {
	switch {
	case m.other != nil:
		return [][]byte{m.other.Raw}
	case !m.content:
		return m.obj.Parts("", nil)
	}
	content := [][]byte{{'['}}
	for i, b := range m.blocks {
		if i > 0 {
			content = append(content, []byte{','})
		}
		content = append(content, b.parts()...)
	}
	return m.obj.Parts("content", append(content, []byte{']'}))
}

// Size returns about how many bytes AppendJSON appends.
func (m *Message) Size() int {
	switch {
	case m.other != nil:
		return len(m.other.Raw)
	case !m.content:
		return m.obj.Size()
	}
	n := 2
	for _, b := range m.blocks {
		n += b.obj.Size() + 1
	}
	return n + 256
}

// New returns a message that a rule made up: role, content blocks, and nothing
// else. Its origin has no index.
func New(role Role, blocks ...*Block) *Message {
	m := &Message{Origin: made, role: role}
	m.obj = jsonline.Object{}.With("role", jsonline.Text(string(role)))
	return m.WithBlocks(blocks)
}

// NewText is New with a string as content.
func NewText(role Role, text string) *Message {
	m := &Message{Origin: made, role: role}
	m.obj = jsonline.Object{}.With("role", jsonline.Text(string(role)))
	return m.WithText(text)
}
