package shapes

import (
	"strconv"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

var emptyObject = jsonline.Value{Raw: []byte("{}"), Kind: jsonline.ObjectKind}

// arguments makes objects of the arguments of an assistant turn's calls
// (W-110). Missing ones are left to R-50, those of an interrupted stream to
//
func arguments(r *hygiene.Run, i int) {
	m := r.At(i)
	if !m.Is(transcript.Assistant) {
		return
	}
	turns.Rewrite(r, i, func(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
		if !b.Is(transcript.TypeToolCall) {
			return b, hygiene.Edit{}
		}
		switch v := b.Get("arguments"); v.Kind {
		case jsonline.ObjectKind, jsonline.Null, jsonline.Invalid:
			return b, hygiene.Edit{}
		default:
			if interrupted(b) {
				return b, hygiene.Edit{}
			}
			return objectArguments(m, b, v)
		}
	})
}

// objectArguments replaces arguments that are no object. A text that is cut off
// in a turn that was cut off never became a call: it is kept as what it is, the
// rest of a stream, so that no rule takes the call for one without arguments.
func objectArguments(m *transcript.Message, b *transcript.Block, v jsonline.Value) (*transcript.Block, hygiene.Edit) {
	e := hygiene.Edit{Rule: "W-110"}
	if v.IsString() {
		text := []byte(v.String())
		parsed := jsonline.Parse(text)
		switch {
		case parsed.Kind == jsonline.ObjectKind:
			e.Reason = "arguments are a JSON text"
			return b.With("arguments", parsed), e
		case cutOff(m) && !parsed.Exists() && !v.Blank():
			e.Reason = "arguments are an incomplete JSON text of " + strconv.Itoa(len(text)) + " bytes"
			return b.With("arguments", emptyObject).With("partialJson", v), e
		}
		if !v.Blank() {
			e.Reason = "arguments are a text that is no JSON object"
			e.Lossy = parsed.Kind != jsonline.Null
		} else {
			e.Reason = "arguments are a blank text"
		}
		return b.With("arguments", emptyObject), e
	}
	e.Reason = "arguments are " + kindNames[v.Kind]
	e.Lossy = !emptyArray(v)
	return b.With("arguments", emptyObject), e
}

// cutOff reports whether the turn ended before the model had finished it.
func cutOff(m *transcript.Message) bool {
	return m.Failed() || m.StopReason() == transcript.StopLength
}

func emptyArray(v jsonline.Value) bool {
	for range v.Elements() {
		return false
	}
	return v.Kind == jsonline.Array
}

var kindNames = map[jsonline.Kind]string{
	jsonline.Array:  "an array",
	jsonline.Number: "a number",
	jsonline.True:   "a boolean",
	jsonline.False:  "a boolean",
}
