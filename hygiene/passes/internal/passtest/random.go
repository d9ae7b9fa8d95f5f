package passtest

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"hygeia/internal/jsonline"
)

// Spelled draws how a text is spelled as a JSON string: plainly, or with some of its
// characters by number.
func Spelled(t *rapid.T, text string) jsonline.Value {
	every := max(rapid.IntRange(-4, 4).Draw(t, "by number"), 0)
	raw := []byte{'"'}
	for i, c := range []rune(text) {
		if every > 0 && c < 0x80 && i%every == 0 {
			raw = fmt.Appendf(raw, `\u%04x`, c)
			continue
		}
		plain := jsonline.Quote(string(c))
		raw = append(raw, plain[1:len(plain)-1]...)
	}
	return jsonline.Parse(append(raw, '"'))
}

// text is a JSON string, often one that a rule looks for.
var text = rapid.SampledFrom([]string{
	`"hello"`, `"two\nlines"`, `""`, `" \n"`, `"\u0000"`, `"\ud83d"`, `"a\ud83d\ude80 \udc00b"`, "\"\xff caf\xc3\"",
	`"NO_REPLY"`, `"**no_reply**\n"`, `"{\"action\":\"NO_REPLY\"}"`, `"<think>x</think>NO_REPLY"`, `"say NO_REPLY"`,
	`"\u004eO_REPLY"`, `"[empty content omitted]"`, `"(continue)"`, `"[assistant turn failed before producing content]"`,
	`"[older image omitted]"`, `"(image omitted: model does not support images)"`,
	`"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nsecret\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"`,
	`"a\n<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nsecret"`,
	`"Sender (untrusted metadata):\n` + "```json\\n{}\\n```" + `\n\nhi"`,
	`"[Inter-session message] sourceTool=old isUser=false\nhi"`, `"[Inter-session message] isUser=false"`,
	`"[End of inter-session message]"`,
})

var id = rapid.SampledFrom([]string{`"c1"`, `"c2"`, `" c1 "`, `""`, `" "`, `7`, `null`, `"\u0000c1"`, `"fc_1"`, `" c1"`, `"c1 "`, `"\u00a0c1"`})

var arguments = rapid.SampledFrom([]string{
	`{}`, `{"a":1.0}`, `{"a":"\ud83d"}`, `null`, `"{\"a\":1}"`, `"{\"a\""`, `""`, `"\"{}\""`, `[]`, `[1]`, `3`, `false`,
})

var image = rapid.SampledFrom([]string{
	`{"type":"image","data":"` + PNG + `","mimeType":"image/png"}`,
	`{"type":"image","data":"data:image/jpeg;base64,` + PNG + `"}`,
	`{"type":"image","data":"` + PNG[:40] + `\n` + PNG[40:] + `","media_type":"image/gif"}`,
	`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + PNG + `"}}`,
	`{"type":"image","source":{"type":"url","url":"https://example.com/a.png"}}`,
	`{"type":"image_url","image_url":{"url":"data:image/png;base64,` + PNG + `"},"detail":"low"}`,
	`{"type":"image","data":"","mimeType":"image/png"}`, `{"type":"image"}`, `{"type":"image","data":5}`,
	`{"type":"image","data":"!!","mimeType":"image/png"}`, `{"type":"image","data":"AAAA","mimeType":"image/png"}`,
	`{"type":"image","data":"R0lGODlhCAAIAPAAAP8AAAAAACH5BAAUAAAALAAAAAAIAAgAAAIHhI+py+1dADs=","mimeType":"image/gif"}`,
	`{"type":"image","data":"PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=","mimeType":"image/svg+xml"}`,
})

var signature = rapid.SampledFrom([]string{
	``, `,"thinkingSignature":"QUJD"`, `,"thinkingSignature":" "`, `,"signature":"reasoning_content"`,
	`,"thought_signature":"msg_1"`, `,"thought_signature":"QUI"`, `,"thoughtSignature":"QUJ"`, `,"thoughtSignature":4`,
})

var block = rapid.Custom(func(t *rapid.T) string {
	sig := signature.Draw(t, "signature")
	switch rapid.IntRange(0, 9).Draw(t, "block") {
	case 0:
		return `null`
	case 1:
		return rapid.SampledFrom([]string{`"stray"`, `7`, `{}`, `{"type":"text"}`, `{"type":"text","text":4}`, `{"type":"mystery"}`}).Draw(t, "odd")
	case 2, 3:
		return `{"type":"thinking","thinking":` + text.Draw(t, "thinking") + sig + `}`
	case 4, 5:
		return image.Draw(t, "image")
	case 6, 7:
		kind := rapid.SampledFrom([]string{"toolCall", "toolUse", "tool_use", "function_call"}).Draw(t, "kind")
		idName := rapid.SampledFrom([]string{"id", "call_id", "toolUseId"}).Draw(t, "id name")
		name := rapid.SampledFrom([]string{"arguments", "input", "partialJson", "nothing"}).Draw(t, "arguments name")
		return `{"type":"` + kind + `","` + idName + `":` + id.Draw(t, "id") + `,"id":` + id.Draw(t, "second id") +
			`,"name":` + text.Draw(t, "name") + `,"` + name + `":` + arguments.Draw(t, "arguments") + sig + `}`
	}
	return `{"type":"text","text":` + text.Draw(t, "text") + sig + `}`
})

var content = rapid.Custom(func(t *rapid.T) string {
	switch rapid.IntRange(0, 7).Draw(t, "content") {
	case 0:
		return rapid.SampledFrom([]string{``, `,"content":null`, `,"content":5`, `,"content":[]`}).Draw(t, "nothing")
	case 1:
		return `,"content":` + text.Draw(t, "string")
	case 2:
		return `,"content":` + rapid.SampledFrom([]string{`{}`, `{"type":"text","text":" "}`}).Draw(t, "single")
	}
	return `,"content":[` + strings.Join(rapid.SliceOfN(block, 0, 4).Draw(t, "blocks"), ",") + `]`
})

// almost is a call or a result in its canonical form but for one member at most.
var almost = rapid.Custom(func(t *rapid.T) string {
	values := []string{`"c1"`, `"read"`, `{}`, `"c1"`, `"read"`}
	switch i := rapid.IntRange(0, len(values)).Draw(t, "odd member"); i {
	case 0, 3:
		values[i] = id.Draw(t, "id")
	case 1, 4:
		values[i] = text.Draw(t, "name")
	case 2:
		values[i] = arguments.Draw(t, "arguments")
	}
	call := rapid.SampledFrom([]string{``, `,"call_id":"c1"`, `,"input":{}`}).Draw(t, "beside")
	if rapid.Bool().Draw(t, "result") {
		return `{"role":"toolResult","toolCallId":` + values[3] + `,"toolName":` + values[4] + `,"content":[{"type":"text","text":"ok"}]}`
	}
	return `{"role":"assistant","content":[{"type":"toolCall","id":` + values[0] + `,"name":` + values[1] + `,"arguments":` + values[2] + call + `}]}`
})

// message is the JSON of one message, on one line.
var message = rapid.Custom(func(t *rapid.T) string {
	c := content.Draw(t, "content")
	switch rapid.IntRange(0, 11).Draw(t, "message") {
	case 0:
		return rapid.SampledFrom([]string{`null`, `7`, `{}`, `{"role":"bashExecution","command":"a\ud83d"}`, `{"role":"compactionSummary","summary":"s"}`}).Draw(t, "odd")
	case 1, 2:
		return `{"role":"toolResult","toolCallId":` + id.Draw(t, "id") + `,"tool_use_id":` + id.Draw(t, "alias") + c + `}`
	case 3, 4:
		return `{"role":"user"` + c + `}`
	case 5:
		return `{"role":"user"` + c + `,"provenance":{"kind":"inter_session","sourceTool":"x y"}}`
	case 6:
		return `{"role":"custom","customType":"t"` + c + `}`
	case 7, 8:
		return almost.Draw(t, "almost canonical")
	}
	end := rapid.SampledFrom([]string{
		``, `,"stopReason":"stop"`, `,"stopReason":"length"`, `,"stopReason":"error"`, `,"stopReason":"aborted"`, `,"stopReason":"toolUse"`,
		`,"stopReason":"stop","usage":{"input":0,"output":0}`, `,"provider":"openclaw","model":"delivery-mirror"`,
	}).Draw(t, "end")
	return `{"role":"assistant"` + c + end + `}`
})
