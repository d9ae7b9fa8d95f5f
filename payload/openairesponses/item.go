package openairesponses

import "hygeia/transcript"

// kind is the kind of an item of the input.
type kind uint8

const (
	userMessage kind = iota
	assistantMessage
	reasoning
	call
	output
)

// item is one item of the input before it is written. It points at the stored
// bytes.
type item struct {
	kind    kind
	turn    *transcript.Message // where it comes from
	id      string              // item id, "" for none
	phase   string              // of an assistant message, "" for none (W-304)
	parts   []part              // content of a message; of an output, none if that is a string
	callID  string              // of a call or output
	name    string              // of a call
	raw     []byte              // of a call, its arguments: a JSON object; of an output, a JSON string
	thought *thought            // of a reasoning item
}

// part is one part of a message or output.
type part struct {
	raw  []byte // JSON string of the text or the image data; the part itself
	mime []byte // JSON string, of an image
	kind partKind
}

type partKind uint8

const (
	textPart partKind = iota
	imagePart
	nativePart // goes out as it was decoded (W-124)
)
