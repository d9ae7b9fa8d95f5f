package model

import (
	"strings"
	"time"
	"unicode/utf8"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// finish checks that the answer is whole and closes it. Calls end here where
// their format does not say so before.
func (t *turn) finish() error {
	if t.stop == "" {
		return bad("the stream ended before the answer was complete")
	}
	calls := false
	for _, b := range t.blocks {
		if b.kind != transcript.TypeToolCall {
			continue
		}
		calls = true
		if t.stop == Failed {
			continue
		}
		if err := t.endTool(b); err != nil && t.stop != Length { // the limit cuts arguments too
			return err
		}
	}
	switch {
	case t.stop == Stop && calls:
		t.stop = ToolUse // some services do not tell the two apart
	case t.stop == ToolUse && !calls:
		t.stop = Stop
	}
	return nil
}

// answer is what was collected. A failed answer says why.
func (t *turn) answer(now time.Time, failed *Error) *Answer {
	if t.settle != nil {
		t.settle()
	}
	a := &Answer{StopReason: t.stop, Usage: t.usage}
	if failed != nil {
		a.StopReason = Failed
		if failed.Kind == Aborted {
			a.StopReason = Cancelled
		}
	}
	var said strings.Builder
	for _, b := range t.blocks {
		switch {
		case b.kind == transcript.TypeText:
			said.WriteString(decoded(b.text))
		case b.arguments != nil:
			a.Calls = append(a.Calls, ToolCall{ID: b.id, Name: b.name, Arguments: b.arguments})
		}
	}
	a.Text = said.String()
	a.Message = t.message(a, failed, now)
	return a
}

// message writes the turn in the form of session files (F-30…F-36).
func (t *turn) message(a *Answer, failed *Error, now time.Time) []byte {
	dst := []byte(`{"role":"assistant","content":[`)
	first := true
	for _, b := range t.blocks {
		if b.empty() {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		dst, first = b.append(dst), false
	}
	dst = append(dst, ']')
	target := &t.call.Target
	model := ""
	if !strings.HasPrefix(strings.ToLower(t.model), strings.ToLower(target.Model)) {
		model = t.model // the id that was asked for, with a date behind it, is no other model (W-116)
	}
	dst = appendMembers(dst, "api", target.API, "provider", target.Provider, "model", target.Model, "responseModel", model, "responseId", t.id)
	dst = appendUsage(append(dst, `,"usage":`...), t.usage)
	dst = appendMembers(dst, "stopReason", a.StopReason)
	if failed != nil {
		dst = appendMembers(dst, "errorMessage", failed.Text, "errorCode", failed.Code)
	}
	return append(jsonline.AppendInt(append(dst, `,"timestamp":`...), now.UnixMilli()), '}')
}

// appendMembers writes names and values, those without a value left out.
func appendMembers(dst []byte, list ...string) []byte {
	for i := 0; i < len(list); i += 2 {
		if list[i+1] != "" {
			dst = jsonline.AppendQuoted(append(dst, ','), list[i])
			dst = jsonline.AppendQuoted(append(dst, ':'), list[i+1])
		}
	}
	return dst
}

// appendUsage writes F-34. The cost is not known here; readers of the form expect
// the members.
func appendUsage(dst []byte, u Usage) []byte {
	for _, m := range []struct {
		name string
		n    int64
	}{
		{`{"input":`, u.Input},
		{`,"output":`, u.Output},
		{`,"cacheRead":`, u.CacheRead},
		{`,"cacheWrite":`, u.CacheWrite},
		{`,"totalTokens":`, u.Input + u.Output + u.CacheRead + u.CacheWrite},
	} {
		dst = jsonline.AppendInt(append(dst, m.name...), m.n)
	}
	return append(dst, `,"cost":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0,"total":0}}`...)
}

// empty reports whether the block says nothing.
func (b *block) empty() bool {
	switch b.kind {
	case transcript.TypeText, transcript.TypeThinking:
		return len(b.text) == 0 && len(b.members) == 0
	}
	return false
}

// textMembers are the members that hold the text of a block.
var textMembers = map[transcript.BlockType]string{transcript.TypeText: "text", transcript.TypeThinking: "thinking"}

func (b *block) append(dst []byte) []byte {
	if b.kind == "" {
		return append(dst, b.raw...)
	}
	dst = append(append(append(dst, `{"type":"`...), b.kind...), '"')
	if name := textMembers[b.kind]; name != "" {
		dst = append(append(append(dst, `,"`...), name...), `":`...)
		dst = append(dst, spelled(b.text)...)
	} else {
		dst = appendMembers(dst, "id", b.id, "name", b.name)
		if b.arguments != nil {
			dst = append(append(dst, `,"arguments":`...), b.arguments...)
		} else {
			dst = append(append(dst, `,"arguments":{},"partialJson":`...), spelled(b.text)...)
		}
	}
	for _, m := range b.members {
		dst = append(jsonline.AppendQuoted(append(dst, ','), m.name), ':')
		dst = append(dst, m.value...)
	}
	return append(dst, '}')
}

// spelled is a text as the service spelled it. Bytes that are no UTF-8 are
// replaced, since a session file holds none.
func spelled(text []byte) []byte {
	if utf8.Valid(text) {
		return quoted(text)
	}
	return jsonline.Quote(decoded(text))
}
