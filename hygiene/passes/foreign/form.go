package foreign

import (
	"bytes"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// form is the form of a signature (W-115).
type form uint8

const (
	opaque form = iota // Anthropic, Bedrock, Google; also no signature at all
	item               // JSON of a reasoning item
	field              // name of the wire field that the reasoning came from
)

func (f form) reason() string {
	return [...]string{"the signature is opaque", "the signature is JSON of another format", "the signature is the name of a field of another format"}[f]
}

// opaqueAPIs are the formats with opaque signatures outside the Anthropic
// family.
var opaqueAPIs = map[string]bool{
	"google-generative-ai": true,
	"google-vertex":        true,
	"google-gemini-cli":    true,
}

// fieldNames are the wire fields that carry reasoning on Chat Completions.
var fieldNames = map[string]bool{
	"reasoning":         true,
	"reasoning_content": true,
	"reasoning_text":    true,
	"reasoning_details": true,
}

// formOf returns the form of a thinking block's signature. Long signatures are
// not decoded.
func formOf(b *transcript.Block) form {
	if b.Get("thinkingSignature").Kind == jsonline.ObjectKind {
		return item
	}
	v := b.Signature()
	if !v.IsString() {
		return opaque
	}
	text := bytes.TrimSpace(v.Raw[1 : len(v.Raw)-1])
	switch {
	case bytes.HasPrefix(text, []byte("{")):
		return item
	case fieldNames[string(text)]:
		return field
	}
	return opaque
}
