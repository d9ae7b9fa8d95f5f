package jsonline

import "fmt"

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds. Invalid is that of an absent value.
const (
	Invalid Kind = iota
	Null
	False
	True
	Number
	String
	ObjectKind
	Array
)

// String returns the JSON name of the kind.
func (k Kind) String() string {
	return [...]string{"invalid", "null", "boolean", "boolean", "number", "string", "object", "array"}[k]
}

// Flags says what a string value, or a name, holds.
type Flags uint8

// The flags. The Name ones speak of the member's name, the others of its value.
const (
	FlagEscaped       Flags = 1 << iota // holds a backslash
	FlagLoneSurrogate                   // holds a surrogate escape without its partner
	FlagInvalidUTF8                     // holds bytes that are not UTF-8
	FlagNonASCII                        // holds bytes above 0x7f
	FlagNUL                             // holds an escaped U+0000
	FlagNameEscaped                     // the name holds a backslash
	FlagClosed                          // a container whose content was checked but not recorded
)

// Node is one recorded value. Offsets are bytes from the start of the text.
type Node struct {
	Start, End         uint32 // the value
	NameStart, NameEnd uint32 // the name without its quotes, both 0 for an element
	Next               uint32 // index of the node behind this one and its content
	Kind               Kind
	Flags              Flags
}

// DefaultMaxDepth is the nesting at which a text is refused.
const DefaultMaxDepth = 10_000

// MaxLen is the longest text that can be scanned, in bytes.
const MaxLen = 1 << 31

// Options tells a scan what to accept and what to record.
type Options struct {
	// Depth is the deepest level that is recorded; the outermost value has
	// level 0. Deeper values are checked all the same.
	Depth int
	// MaxDepth is the deepest level that is accepted, 0 means DefaultMaxDepth.
	MaxDepth int
	// InvalidUTF8 accepts strings that are not UTF-8.
	InvalidUTF8 bool
}

// SyntaxError says why and where a text is not JSON.
type SyntaxError struct {
	Offset int // bytes from the start of the text
	Reason string
	// Truncated reports that the text ended too early: every byte of it could
	// begin a JSON value.
	Truncated bool
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s at byte %d", e.Reason, e.Offset)
}
