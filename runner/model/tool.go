package model

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// tool opens a call. It gets an id if the service gives none.
func (t *turn) tool(id, name string) *block {
	if id == "" {
		id = t.madeID(name)
	}
	if t.call.ToolName != nil {
		name = t.call.ToolName(name)
	}
	b := t.open(transcript.TypeToolCall)
	b.id, b.name = id, name
	t.event(Event{Kind: ToolStart, Block: b.index, ID: id, Name: name})
	return b
}

// endTool completes a call. Its arguments are a JSON object; no arguments at all
// are an empty one.
func (t *turn) endTool(b *block) error {
	if b.closed {
		return nil
	}
	text := strings.TrimSpace(decoded(b.text))
	v := jsonline.Parse([]byte(text))
	switch {
	case text == "" || v.Kind == jsonline.Null:
		b.arguments = []byte("{}")
	case v.Kind != jsonline.ObjectKind:
		return bad("the arguments of the call of %s are no JSON object", quotedName(b.name))
	default:
		b.arguments = oneLine(v.Raw)
	}
	b.closed = true
	t.event(Event{Kind: ToolEnd, Block: b.index, ID: b.id, Name: b.name, Text: string(b.arguments)})
	return nil
}

// wholeTool adds a call that comes in one piece, with arguments that are JSON.
func (t *turn) wholeTool(id, name string, arguments jsonline.Value) (*block, error) {
	b := t.tool(id, name)
	if arguments.IsString() {
		t.grow(b, arguments)
	} else if arguments.Exists() {
		t.say(b, string(oneLine(arguments.Raw)))
	}
	return b, t.endTool(b)
}

// madeID is an id for a call of a service that gives none: it follows from the
// request and the place of the call, so no other call of the session has it.
func (t *turn) madeID(name string) string {
	if t.seed == "" {
		body := sha256.Sum256(t.call.Body)
		t.seed = string(body[:])
	}
	sum := sha256.Sum256([]byte(t.seed + strconv.Itoa(len(t.blocks)) + "\x00" + name))
	return "call_" + hex.EncodeToString(sum[:12])
}

// endToolUnlessCut ends a call whose arguments are whole. Others wait for the end
// of the answer, which says whether the output limit cut them.
func (t *turn) endToolUnlessCut(b *block) error {
	if text := decoded(b.text); text != "" && !jsonline.Parse([]byte(text)).Exists() {
		return nil
	}
	return t.endTool(b)
}
