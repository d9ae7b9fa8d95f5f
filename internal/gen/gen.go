// Package gen makes transcripts for property tests: conversations that hang
// together, with every fault that the specification knows strewn in. All
// choices are drawn with rapid, so a failing transcript shrinks.
//
// Transcripts come out as JSON text, which allows spellings that no encoder
// would produce: odd escapes, lone surrogates, number literals, duplicate
// members.
package gen

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"hygeia/transcript"
)

// Context draws the context of a replay: messages and, half of the time,
// positions, a compaction and route snapshots.
func Context(t *rapid.T) *transcript.Context {
	text := Messages(t)
	var r transcript.Reader
	list, err := r.Messages([]byte(text))
	if err != nil {
		t.Fatalf("generated text is no message list: %v\n%s", err, text)
	}
	c := transcript.NewContext(list)
	if rapid.Bool().Draw(t, "positions") {
		position := 0
		for i, m := range list {
			position += rapid.IntRange(1, 2).Draw(t, "step")
			m.Origin = transcript.Origin{Entry: fmt.Sprintf("e%d", i), Index: i, Position: position}
		}
		if rapid.IntRange(0, 2).Draw(t, "compacted") == 0 {
			c.Compaction = rapid.IntRange(0, position+1).Draw(t, "compaction")
		}
		if rapid.IntRange(0, 3).Draw(t, "snapshots") == 0 {
			at := rapid.IntRange(0, position+1).Draw(t, "at")
			r := route(t)
			c.Snapshots = []transcript.Snapshot{{Position: at, Route: transcript.Route{Provider: r[0], API: r[1], Model: r[2]}}}
		}
	}
	return c
}

// Messages draws a message list as JSON text.
func Messages(t *rapid.T) string {
	g := &generator{t: t, clock: 1_700_000_000_000}
	for range g.length() {
		g.turn()
	}
	return "[" + strings.Join(g.out, ",") + "]"
}

// generator remembers what later messages refer to.
type generator struct {
	t     *rapid.T
	out   []string
	clock int64
	open  []call // calls without a result so far
	past  []call
}

type call struct{ id, name string }

// length draws the number of turns: most lists are short, so that they are many
// and shrink well, some are long.
func (g *generator) length() int {
	if g.chance(12, "long") {
		return rapid.IntRange(10, 40).Draw(g.t, "turns")
	}
	return rapid.IntRange(0, 9).Draw(g.t, "turns")
}

// chance is true once in n draws.
func (g *generator) chance(n int, what string) bool {
	return rapid.IntRange(1, n).Draw(g.t, what) == n
}

func (g *generator) pick(from []string, what string) string {
	return rapid.SampledFrom(from).Draw(g.t, what)
}

// turn adds one message, or a round of call and results.
func (g *generator) turn() {
	switch rapid.IntRange(0, 11).Draw(g.t, "turn") {
	case 0, 1, 2:
		g.user()
	case 3, 4:
		g.assistant()
	case 5, 6, 7, 8:
		g.round()
	case 9:
		g.result()
	case 10:
		g.other()
	case 11:
		if len(g.out) > 0 && g.chance(2, "repeat") {
			g.out = append(g.out, g.out[len(g.out)-1])
		} else {
			g.assistant()
		}
	}
}

// round is an assistant turn and the results of its calls, mostly in order.
func (g *generator) round() {
	g.open = nil
	g.assistant()
	if g.chance(6, "interrupted") {
		g.user()
	}
	for len(g.open) > 0 && !g.chance(8, "lost") {
		g.result()
	}
}

func (g *generator) add(fields ...string) {
	var kept []string
	for _, f := range fields {
		if f != "" {
			kept = append(kept, f)
		}
	}
	if g.chance(6, "unknown member") {
		kept = append(kept, `"xUnknown":{"n":1.0,"big":12345678901234567890}`)
	}
	g.out = append(g.out, "{"+strings.Join(kept, ",")+"}")
}

func (g *generator) timestamp() string {
	g.clock += int64(rapid.IntRange(0, 5000).Draw(g.t, "later"))
	switch rapid.IntRange(0, 7).Draw(g.t, "timestamp") {
	case 0:
		return ""
	case 1:
		return `"timestamp":"2023-11-14T22:13:20.000Z"`
	case 2:
		return `"timestamp":"yesterday"`
	}
	return fmt.Sprintf(`"timestamp":%d`, g.clock)
}

func (g *generator) user() {
	provenance, media := "", ""
	switch rapid.IntRange(0, 9).Draw(g.t, "provenance") {
	case 0:
		provenance = `"provenance":{"kind":"inter_session","sourceSessionKey":"agent:ops:main","sourceTool":"sessions_send"}`
	case 1:
		provenance = `"provenance":{"kind":"inter_session","sourceChannel":"x isUser=true\ny"}`
	case 2:
		provenance = `"provenance":{"kind":"other"}`
	case 3:
		media = `"MediaPath":"/tmp/a.png"`
	}
	g.add(`"role":"user"`, g.content(g.userBlock), g.timestamp(), provenance, media)
}

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
	for range rapid.IntRange(1, 3).Draw(g.t, "blocks") {
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

func (g *generator) assistant() {
	r := route(g.t)
	identity := fmt.Sprintf(`"provider":%q,"api":%q,"model":%q`, r[0], r[1], r[2])
	if g.chance(8, "no identity") {
		identity = ""
	}
	if g.chance(20, "mirror") {
		identity = `"provider":"openclaw","api":"openclaw-transcript","model":"delivery-mirror"`
	}
	stop := g.pick([]string{"stop", "stop", "toolUse", "toolUse", "toolUse", "length", "error", "aborted"}, "stop")
	response := ""
	if g.chance(6, "response id") {
		response = g.pick([]string{`"responseId":"resp_1"`, `"responseId":"resp_2"`, `"responseModel":"claude-other"`}, "response")
	}
	usage := `"usage":{"input":0,"output":0,"totalTokens":0}`
	if g.chance(2, "usage") {
		usage = `"usage":{"input_tokens":3,"output":2.0,"cost":{"total":1e-3}}`
	}
	g.add(`"role":"assistant"`, g.content(g.assistantBlock), identity, `"stopReason":"`+stop+`"`, response, usage, g.timestamp())
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
	if g.chance(4, "text signature") {
		signature = g.pick([]string{`,"textSignature":"msg_1"`, `,"textSignature":"{\"v\":1,\"id\":\"msg_2\",\"phase\":\"commentary\"}"`}, "text signature")
	}
	return `{"type":"text","text":` + g.text() + signature + `}`
}

func (g *generator) thinking() string {
	signature := g.pick([]string{
		``, `,"thinkingSignature":""`, `,"thinkingSignature":"  "`, `,"thinkingSignature":"RXFzaWc="`, `,"thinkingSignature":"RXFzaWc="`,
		`,"signature":"QUJDRA=="`, `,"thinkingSignature":"reasoning_content"`, `,"thinkingSignature":"reasoning"`,
		`,"thinkingSignature":"{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[],\"encrypted_content\":\"gAAA\"}"`,
		`,"thinkingSignature":"{\"type\":\"reasoning\",\"id\":\"rs_2\",\"summary\":[]}"`, `,"thought_signature":"abc!"`, `,"thoughtSignature":"QUJD"`,
		`,"thinkingSignature":7`,
	}, "signature")
	return `{"type":"thinking","thinking":` + g.text() + signature + `}`
}

func (g *generator) call() string {
	id := g.id()
	name := g.pick([]string{"read", "read", "bash", "write", "sessions_spawn", " read ", "bad name", "functions.exec", "", strings.Repeat("n", 70)}, "tool")
	typ, args := g.pick([]string{"toolCall", "toolCall", "toolCall", "toolUse", "functionCall", "tool_use", "function_call", "tool_call"}, "call type"), ""
	member := g.pick([]string{"arguments", "arguments", "arguments", "input"}, "arguments member")
	switch rapid.IntRange(0, 11).Draw(g.t, "arguments") {
	case 0:
		args = ""
	case 1:
		args = fmt.Sprintf(`,%q:null`, member)
	case 2:
		args = fmt.Sprintf(`,%q:"{\"path\":\"a\"}"`, member)
	case 3:
		args = fmt.Sprintf(`,%q:"{\"path\":"`, member)
	case 4:
		args = fmt.Sprintf(`,%q:[1]`, member)
	case 5:
		args = fmt.Sprintf(`,%q:{"p":"\ud83d","n":1.0}`, member)
	default:
		args = fmt.Sprintf(`,%q:{"path":%s,"n":[1,2.50,{"k":null}]}`, member, g.text())
	}
	partial := ""
	if g.chance(10, "partial") {
		partial = g.pick([]string{`,"partialJson":"{\"path\":\"a\"}"`, `,"partialJson":"{\"pa"`, `,"partialJson":""`}, "partial json")
	}
	if g.chance(8, "thought signature") {
		partial += g.pick([]string{`,"thoughtSignature":"QUJDRA=="`, `,"thought_signature":"msg_1"`, `,"thoughtSignature":"not base64!"`}, "thought signature")
	}
	idMember := g.pick([]string{"id", "id", "id", "id", "call_id", "toolCallId"}, "id member")
	idText := fmt.Sprintf(`,%q:%q`, idMember, id)
	if id == "" && g.chance(2, "no id") {
		idText = ""
	}
	g.open = append(g.open, call{strings.TrimSpace(id), name})
	g.past = append(g.past, call{strings.TrimSpace(id), name})
	return fmt.Sprintf(`{"type":%q%s,"name":%q%s%s}`, typ, idText, name, args, partial)
}

// id draws a tool-call id of one of the styles in the wild, often one that was
// used before.
func (g *generator) id() string {
	if len(g.past) > 0 && g.chance(6, "reused id") {
		return g.past[rapid.IntRange(0, len(g.past)-1).Draw(g.t, "which")].id
	}
	n := rapid.IntRange(0, 40).Draw(g.t, "id number")
	switch rapid.IntRange(0, 10).Draw(g.t, "id style") {
	case 0:
		return fmt.Sprintf("call_%d|fc_%d", n, n)
	case 1:
		return fmt.Sprintf("call_%d", n)
	case 2:
		return fmt.Sprintf("functions.read:%d", n)
	case 3:
		return fmt.Sprintf("abc%06d", n)
	case 4:
		return fmt.Sprintf(" toolu_%d ", n)
	case 5:
		return strings.Repeat("x", 60+n)
	case 6:
		return fmt.Sprintf("a-b_c.%d", n)
	case 7:
		return g.pick([]string{"", "  ", "|fc_1", "___", "ünï", "call_1|item_9"}, "odd id")
	case 8:
		return fmt.Sprintf("%d", n)
	}
	return fmt.Sprintf("toolu_0%d", n)
}

func (g *generator) resultID() string {
	if len(g.open) > 0 && !g.chance(8, "other call") {
		i := 0
		if g.chance(4, "out of order") {
			i = len(g.open) - 1
		}
		id := g.open[i].id
		if !g.chance(10, "again") {
			g.open = append(g.open[:i:i], g.open[i+1:]...)
		}
		return id
	}
	if len(g.past) > 0 && g.chance(2, "past call") {
		return g.past[rapid.IntRange(0, len(g.past)-1).Draw(g.t, "which")].id
	}
	return g.pick([]string{"orphan_1", "", "toolu_stray"}, "orphan")
}

func (g *generator) result() {
	name := g.pick([]string{`"toolName":"read"`, `"toolName":"read"`, `"toolName":" "`, ``}, "result name")
	member := g.pick([]string{"toolCallId", "toolCallId", "toolCallId", "toolUseId", "tool_call_id", "call_id"}, "result id member")
	id := ""
	if v := g.resultID(); v != "" || g.chance(2, "blank id") {
		id = fmt.Sprintf(`%q:%q`, member, v)
	}
	content := g.content(g.resultBlock)
	if g.chance(12, "stand-in") {
		content = g.pick([]string{
			`"content":[{"type":"text","text":"No result provided"}],"isError":true`,
			`"content":[{"type":"text","text":"aborted"}],"isError":true,"details":{"openclawSyntheticMissingToolResult":true}`,
		}, "stand-in text")
		g.add(`"role":"toolResult"`, id, name, content, g.timestamp())
		return
	}
	details := g.pick([]string{``, ``, `"details":{"exit":0}`}, "details")
	isError := g.pick([]string{`"isError":false`, `"isError":false`, `"isError":true`, ``}, "is error")
	g.add(`"role":"toolResult"`, id, name, content, isError, details, g.timestamp())
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

func (g *generator) image() string {
	return g.pick([]string{
		`{"type":"image","data":"` + PNG + `","mimeType":"image/png"}`,
		`{"type":"image","data":"` + PNG + `","mimeType":"image/png"}`,
		`{"type":"image","data":"` + PNG + `","mimeType":"image/jpeg"}`,
		`{"type":"image","data":"data:image/png;base64,` + PNG + `","mediaType":"image/png"}`,
		`{"type":"image","data":"","mimeType":"image/png"}`,
		`{"type":"image","data":"!!!","mimeType":"image/png"}`,
		`{"type":"image","data":"aGVsbG8=","mimeType":"image/png"}`,
		`{"type":"image","mimeType":"image/png"}`,
		`{"type":"image","data":"PHN2Zy8+","mimeType":"image/svg+xml"}`,
	}, "image")
}

// PNG is a picture of 8×8 pixels as base64.
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVQI12P8z4AdMDEMKQkAzUEBD9aGuoAAAAAASUVORK5CYII="

// odd draws a block that is not of this place or of no known kind.
func (g *generator) odd() string {
	return g.pick([]string{
		`null`, `"loose"`, `{"type":"mystery","x":1.0}`, `{"text":"no type"}`, `{"type":"text"}`, `{"type":"text","text":7}`,
		`{"type":"audio","source":{"type":"base64","data":"AAAA","media_type":"audio/wav"}}`, `{}`, `[]`,
		`{"type":"thinking","thinking":"stray"}`, `{"type":"tool_result","tool_use_id":"x","content":"y"}`,
	}, "odd block")
}

// text draws a JSON string.
func (g *generator) text() string {
	return g.pick([]string{
		`"hello"`, `"hello"`, `"yes"`, `"Done.\n"`, `"caf\u00e9 \ud83d\ude80"`, `"日本"`, `"tab\there"`, `"a \"quoted\" word"`, `"trailing "`,
		`""`, `" "`, `"\n\t"`, `"\u00a0"`, `"\ud83d"`, `"half \ud83d pair"`, `"nul \u0000 byte"`,
		`"NO_REPLY"`, `"<think>x</think>NO_REPLY"`, `"[assistant turn failed before producing content]"`, `"(continue)"`,
		`"Sender (untrusted metadata):\n` + "```json" + `\n{\"label\":\"Ada\"}\n` + "```" + `\n\n[Sun 2026-03-08 22:03 GMT+9] hi"`,
		`"before\n<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nsecret\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\nafter"`,
		`"[Inter-session message] sourceSession=x isUser=false\nThis is quoted"`, `"[empty content omitted]"`, `"[assistant reasoning omitted]"`,
	}, "text")
}

// route draws the route of an assistant turn.
func route(t *rapid.T) [3]string {
	return rapid.SampledFrom(routes).Draw(t, "route")
}

var routes = [][3]string{
	{"anthropic", "anthropic-messages", "claude-opus-4-6"},
	{"anthropic", "anthropic-messages", "claude-sonnet-4-5"},
	{"anthropic", "anthropic-messages", "claude-sonnet-4-5"},
	{"openai", "openai-responses", "gpt-5.1"},
	{"openai-codex", "openai-codex-responses", "gpt-5.4"},
	{"openai", "openai-completions", "gpt-4o"},
	{"google", "google-generative-ai", "gemini-3-pro-preview"},
	{"amazon-bedrock", "bedrock-converse-stream", "anthropic.claude-sonnet-4-5-20250929-v1:0"},
	{"mistral", "openai-completions", "mistral-large-latest"},
	{"deepseek", "openai-completions", "deepseek-reasoner"},
	{"moonshot", "openai-completions", "kimi-k2.5"},
	{"minimax", "anthropic-messages", "MiniMax-M2.7"},
	{"openrouter", "openai-completions", "anthropic/claude-sonnet-4.5"},
	{"openrouter", "openai-completions", "google/gemini-2.5-pro"},
	{"vllm", "openai-completions", "qwen3"},
}

func (g *generator) other() {
	g.out = append(g.out, g.pick([]string{
		`null`, `"loose"`, `{}`, `{"role":"system","content":"be nice"}`, `{"role":"user"}`,
		`{"role":"compactionSummary","summary":"What was said.","tokensBefore":10,"timestamp":1700000003000}`,
		`{"role":"branchSummary","summary":"A side path.","fromId":"root","timestamp":"2023-11-14T22:13:21.000Z"}`,
		`{"role":"custom","customType":"note","content":"remember","display":true}`,
		`{"role":"custom","customType":"openclaw.runtime-context","display":false,"content":"hidden","details":{"source":"openclaw-runtime-context","runtimeContextCarrier":true}}`,
		`{"role":"bashExecution","command":"ls","output":"a\n","exitCode":1,"cancelled":false,"truncated":false}`,
		`{"role":"bashExecution","command":"env","output":"x","excludeFromContext":true}`,
		`{"role":"tool","tool_call_id":"toolu_1","content":"plain"}`,
	}, "other"))
}
