package transcript

import (
	"strings"

	"hygeia/internal/jsonline"
)

// BlockType is the type of a content block. Unknown types are legal and
// survive.
type BlockType string

// The block types of F-36 and R-05. The last five are aliases of TypeToolCall.
const (
	TypeText             BlockType = "text"
	TypeThinking         BlockType = "thinking"
	TypeRedactedThinking BlockType = "redacted_thinking"
	TypeImage            BlockType = "image"
	TypeAudio            BlockType = "audio"
	TypeToolCall         BlockType = "toolCall"
	TypeToolUseCamel     BlockType = "toolUse"
	TypeFunctionCamel    BlockType = "functionCall"
	TypeToolCallSnake    BlockType = "tool_call"
	TypeToolUse          BlockType = "tool_use"
	TypeFunctionCall     BlockType = "function_call"
)

// Block is one content block. It is immutable; With and Without return copies.
type Block struct {
	typ    BlockType
	index  int32
	words  bool // the text or thinking is a string that is not blank
	failed bool // the text or thinking is that of a turn that failed before it said anything
	obj    jsonline.Object
	other  *jsonline.Value // a list element that is no object
}

// Type returns the block's type, "" for one that has none.
func (b *Block) Type() BlockType { return b.typ }

// Is reports whether the block has that type.
func (b *Block) Is(t BlockType) bool { return b.typ == t }

// Index returns the block's position in the content it was read from, -1 for a
// block that a rule made up.
func (b *Block) Index() int { return int(b.index) }

// IsObject reports whether the block is a JSON object at all (R-B14).
func (b *Block) IsObject() bool { return b.other == nil }

// IsNull reports whether the block is the JSON null.
func (b *Block) IsNull() bool { return b.other != nil && b.other.Kind == jsonline.Null }

// IsText reports whether the block has type text and a string text.
func (b *Block) IsText() bool { return b.typ == TypeText && (b.words || b.TextValue().IsString()) }

// HasWords reports whether the block is a text or thinking block that says
// something: its text is a string that is not blank.
func (b *Block) HasWords() bool { return b.words }

// IsBlankText reports whether the block is a text block with nothing but white
// space in it.
func (b *Block) IsBlankText() bool {
	return b.typ == TypeText && !b.words && b.TextValue().IsString()
}

// IsThinking reports whether the block is thinking, redacted or not.
func (b *Block) IsThinking() bool { return b.typ == TypeThinking || b.typ == TypeRedactedThinking }

// IsToolCall reports whether the block is a tool call of any of the six types
//
func (b *Block) IsToolCall() bool {
	switch b.typ {
	case TypeToolCall, TypeToolUseCamel, TypeFunctionCamel, TypeToolCallSnake, TypeToolUse, TypeFunctionCall:
		return true
	}
	return false
}

// Get returns a member by its stored name.
func (b *Block) Get(name string) jsonline.Value { return b.obj.Get(name) }

// Members returns the object behind the block.
func (b *Block) Members() jsonline.Object { return b.obj }

// Text returns the decoded text of a text block or thinking of a thinking
// block, "" for any other.
func (b *Block) Text() string { return b.TextValue().String() }

// TextValue is Text as it was spelled.
func (b *Block) TextValue() jsonline.Value {
	switch b.typ {
	case TypeText:
		return b.obj.Get("text")
	case TypeThinking:
		return b.obj.Get("thinking")
	}
	return jsonline.Value{}
}

// With returns a copy in which the member has the value v.
func (b *Block) With(name string, v jsonline.Value) *Block {
	c := *b
	c.obj = b.obj.With(name, v)
	switch name {
	case "type":
		c.typ = BlockType(v.String())
		c.listen()
	case "text", "thinking":
		c.listen()
	}
	return &c
}

// WithText returns a copy with another text, or thinking.
func (b *Block) WithText(text string) *Block {
	name := "text"
	if b.typ == TypeThinking {
		name = "thinking"
	}
	return b.With(name, jsonline.Text(text))
}

// Without returns a copy that has none of the named members, and b itself if it
// never had them.
func (b *Block) Without(names ...string) *Block {
	if !b.hasAny(names) {
		return b
	}
	c := *b
	c.obj = b.obj.Without(names...)
	c.listen()
	return &c
}

func (b *Block) hasAny(names []string) bool {
	for _, n := range names {
		if b.obj.Has(n) {
			return true
		}
	}
	return false
}

// ID returns the trimmed id of a tool-call block, "" if it has none. Aliases
// are folded by the first pass (R-B08).
func (b *Block) ID() string { return strings.TrimSpace(b.obj.Get("id").String()) }

// Name returns the trimmed name of a tool-call block.
func (b *Block) Name() string { return strings.TrimSpace(b.obj.Get("name").String()) }

// SignatureNames are the members that may hold the signature of a thinking
// block, in the order in which they count.
var SignatureNames = []string{"thinkingSignature", "signature", "thought_signature", "thoughtSignature"}

// Signature returns the first non-blank signature of a thinking block as it
// was spelled; of a redacted one also its data.
func (b *Block) Signature() jsonline.Value {
	for _, n := range SignatureNames {
		if v := b.obj.Get(n); v.IsString() && !v.Blank() {
			return v
		}
	}
	if b.typ == TypeRedactedThinking {
		if v := b.obj.Get("data"); v.IsString() && !v.Blank() {
			return v
		}
	}
	return jsonline.Value{}
}

// AppendJSON appends the block as JSON, byte for byte if it was not changed.
func (b *Block) AppendJSON(dst []byte) []byte {
	if b.other != nil {
		return append(dst, b.other.Raw...)
	}
	return b.obj.AppendTo(dst)
}

func (b *Block) parts() [][]byte {
	if b.other != nil {
		return [][]byte{b.other.Raw}
	}
	return b.obj.Parts("", nil)
}

// NewBlock returns a block of that type with no other members.
func NewBlock(t BlockType) *Block {
	return &Block{typ: t, index: -1, obj: jsonline.Object{}.With("type", jsonline.Text(string(t)))}
}

// NewTextBlock returns a text block.
func NewTextBlock(text string) *Block {
	return NewBlock(TypeText).With("text", jsonline.Text(text))
}

// NewTextBlockValue returns a text block whose text keeps its spelling.
func NewTextBlockValue(v jsonline.Value) *Block { return NewBlock(TypeText).With("text", v) }
