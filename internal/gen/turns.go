package gen

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

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

func (g *generator) assistant() {
	r := g.home
	if g.chance(2, "another route") {
		r = anyRoute(g.t)
	}
	g.now, g.first = r, true
	identity := fmt.Sprintf(`"provider":%q,"api":%q,"model":%q`, r.Provider, r.API, r.Model)
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

func (g *generator) other() {
	if g.chance(3, "odd row") {
		g.out = append(g.out, g.pick(oddRows, "row"))
		return
	}
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

// oddRows become user turns, or hold what user turns hold, and look like something
// else at first sight: metadata inside of summaries, results and provenance of
// custom rows, rows without the member that names them.
var oddRows = []string{
	`{"role":"branchSummary","summary":"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nsecret\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\nwent well"}`,
	`{"role":"compactionSummary","summary":"What was said.","provenance":{"kind":"inter_session","sourceSessionKey":"agent:ops:main"}}`,
	`{"role":"custom","content":[{"type":"text","text":"note"},{"type":"toolResult","toolCallId":"toolu_1","content":[{"type":"text","text":"inside"}]}]}`,
	`{"role":"custom","customType":"note","content":"do it","provenance":{"kind":"inter_session","sourceSessionKey":"agent:ops:main"}}`,
	`{"role":"custom","customType":"note","content":"[Sun 2026-03-08 22:03 GMT+9] stamped"}`,
	`{"role":"custom","content":"unnamed"}`,
	`{"role":"bashExecution"}`,
	`{"role":"user","content":"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nonly this\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"}`,
	`{"role":"User","content":"in odd case"}`,
}
