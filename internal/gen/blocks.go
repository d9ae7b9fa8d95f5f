package gen

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// content draws a content member of any shape.
func (g *generator) content(block func() string) string {
	switch rapid.IntRange(0, 15).Draw(g.t, "content shape") {
	case 0:
		return ""
	case 1:
		return `"content":null`
	case 2:
		return `"content":` + block()
	case 3:
		return `"content":7`
	case 4:
		return `"content":[]`
	case 5, 6, 7, 8:
		return `"content":` + g.text()
	}
	var blocks []string
	most := 3
	if g.chance(60, "many blocks") {
		most = 110
	}
	for range rapid.IntRange(1, most).Draw(g.t, "blocks") {
		blocks = append(blocks, block())
	}
	return `"content":[` + strings.Join(blocks, ",") + `]`
}

func (g *generator) userBlock() string {
	switch rapid.IntRange(0, 8).Draw(g.t, "user block") {
	case 0, 1:
		return g.image()
	case 2:
		return g.odd()
	case 3:
		return fmt.Sprintf(`{"type":"toolResult","toolUseId":%q,"content":"embedded"}`, g.resultID())
	}
	return `{"type":"text","text":` + g.text() + `}`
}

func (g *generator) assistantBlock() string {
	switch rapid.IntRange(0, 11).Draw(g.t, "assistant block") {
	case 0, 1, 2, 3:
		return g.call()
	case 4, 5:
		return g.thinking()
	case 6:
		return g.pick([]string{
			`{"type":"redacted_thinking","data":"RW5jcnlwdGVk"}`, `{"type":"redacted_thinking","data":" "}`,
			`{"type":"thinking","thinking":"","redacted":true,"thinkingSignature":"RW5j"}`, `{"type":"redacted_thinking"}`,
		}, "redacted")
	case 7:
		return g.odd()
	}
	signature := ""
	switch own := g.now.Form.Text; {
	case own != nil && g.chance(2, "own text signature"):
		signature = own(g.number())
	case g.chance(4, "text signature"):
		signature = g.pick([]string{`,"textSignature":"msg_1"`, `,"textSignature":"{\"v\":1,\"id\":\"msg_2\",\"phase\":\"commentary\"}"`}, "text signature")
	}
	return `{"type":"text","text":` + g.text() + signature + `}`
}

func (g *generator) thinking() string {
	if own := g.now.Form.Thinking; own != nil && g.chance(2, "own signature") {
		return own(g.number(), g.text())
	}
	signature := g.pick([]string{
		``, `,"thinkingSignature":""`, `,"thinkingSignature":"  "`, `,"thinkingSignature":"RXFzaWc="`, `,"thinkingSignature":"RXFzaWc="`,
		`,"signature":"QUJDRA=="`, `,"thinkingSignature":"reasoning_content"`, `,"thinkingSignature":"reasoning"`,
		`,"thinkingSignature":"{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[],\"encrypted_content\":\"gAAA\"}"`,
		`,"thinkingSignature":"{\"type\":\"reasoning\",\"id\":\"rs_2\",\"summary\":[]}"`, `,"thought_signature":"abc!"`, `,"thoughtSignature":"QUJD"`,
		`,"thinkingSignature":7`,
	}, "signature")
	return `{"type":"thinking","thinking":` + g.text() + signature + `}`
}

func (g *generator) resultBlock() string {
	switch rapid.IntRange(0, 6).Draw(g.t, "result block") {
	case 0:
		return g.image()
	case 1:
		return g.odd()
	}
	return `{"type":"text","text":` + g.text() + `}`
}

// odd draws a block that is not of this place or of no known kind.
func (g *generator) odd() string {
	return g.pick([]string{
		`null`, `"loose"`, `{"type":"mystery","x":1.0}`, `{"text":"no type"}`, `{"type":"text"}`, `{"type":"text","text":7}`,
		`{"type":"audio","source":{"type":"base64","data":"AAAA","media_type":"audio/wav"}}`, `{}`, `[]`,
		`{"type":"thinking","thinking":"stray"}`, `{"type":"tool_result","tool_use_id":"x","content":"y"}`,
	}, "odd block")
}
