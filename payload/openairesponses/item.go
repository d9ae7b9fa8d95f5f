package openairesponses

import (
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// kind is the kind of an item of the input.
type kind uint8

const (
	userMessage kind = iota
	assistantMessage
	reasoning
	call
	output
	systemMessage // between turns (AN-10)
	nativeItem    // an item of the format that goes out as it is (W-124)
	nativeOutput  // the output of a call that only the service knows (W-335)
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
	from    int                 // 1 + the element of a request's input that it was, 0 for none
	same    bool                // nothing was recorded about its content
	dropped bool                // its id does not go out
	apart   bool                // of a foreign item: no reasoning leads to it (OR-01)
	custom  bool                // a call that takes free text, or its output
}

// calls returns the type of a call.
func (it *item) calls() string {
	if it.custom {
		return "custom_tool_call"
	}
	return "function_call"
}

// input returns the text that a call with free text takes.
func (it *item) input() string {
	switch v := jsonline.ParseObject(it.raw).Get("input"); {
	case v.IsString():
		return v.String()
	case v.Exists():
		return string(v.Raw)
	}
	return ""
}

// part is one part of a message or output.
type part struct {
	raw  []byte // JSON string of the text or the image data; the part itself
	mime []byte // JSON string, of an image
	rest []byte // members of a part of a request that the canonical form does not know, each behind a comma
	kind partKind
}

type partKind uint8

const (
	textPart partKind = iota
	imagePart
	nativePart // goes out as it was decoded (W-124)
)
