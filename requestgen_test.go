package hygeia

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// bodies draws requests as clients build them, with the faults that they have.
type bodies struct {
	t     *rapid.T
	calls int
	open  []string // ids of calls without a result
}

func (g *bodies) one(n int, what string) bool { return rapid.IntRange(1, n).Draw(g.t, what) == n }

func (g *bodies) pick(what string, from ...string) string {
	return rapid.SampledFrom(from).Draw(g.t, what)
}

// some draws which of the members a body or block has.
func (g *bodies) some(what string, members ...string) string {
	var kept []string
	for _, m := range members {
		if g.one(4, what) {
			kept = append(kept, m)
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return "," + strings.Join(kept, ",")
}

func (g *bodies) text() string {
	return g.pick("text", `"plain"`, `"plain"`, `"two\nlines "`, `"caf\u00e9 \ud83d\ude80"`, `"\ud800torn"`, `" "`, `""`)
}

func (g *bodies) id() string {
	g.calls++
	id := fmt.Sprintf(`"call_%d"`, g.calls)
	if g.one(8, "odd id") {
		id = g.pick("id", `"call_1"`, `"a:b|c"`, `""`, `7`, `"`+strings.Repeat("x", 70)+`"`)
	}
	g.open = append(g.open, id)
	return id
}

// answered draws the id of a result: mostly of the oldest open call.
func (g *bodies) answered() string {
	if len(g.open) == 0 || g.one(8, "orphan") {
		return `"call_0"`
	}
	id := g.open[0]
	g.open = g.open[1:]
	return id
}

func (g *bodies) list(n int, item func() string) string {
	var items []string
	for range rapid.IntRange(0, n).Draw(g.t, "items") {
		items = append(items, item())
	}
	return "[" + strings.Join(items, ",") + "]"
}

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg=="

// anthropic draws a body of Anthropic Messages.
func (g *bodies) anthropic() string {
	mark := `"cache_control":{"type":"ephemeral"}`
	block := func(first string) string { return `{` + first + g.some("members", mark, `"xUnknown":{"n":1.0}`) + `}` }
	text := func() string { return block(`"type":"text","text":` + g.text()) }
	result := func() string {
		content := g.pick("result", `,"content":"ok"`, `,"content":"ok"`, `,"content":[{"type":"text","text":"ok"},{"type":"search_result","title":"t"}]`,
			`,"content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"`+png+`"}}]`, `,"content":""`, ``, `,"content":null`)
		return block(`"type":"tool_result","tool_use_id":` + g.answered() + content)
	}
	user := func() string {
		switch g.pick("user block", "text", "text", "image", "url", "document", "odd") {
		case "image":
			return block(`"type":"image","source":{"type":"base64","media_type":"image/png","data":"` + png + `"}`)
		case "url":
			return block(`"type":"image","source":{"type":"url","url":"https://example.com/i.png"}`)
		case "document":
			return block(`"type":"document","source":{"type":"file","file_id":"f"}`)
		case "odd":
			return g.pick("odd", `null`, `7`, `{}`, `{"type":"thinking","thinking":"t","signature":"U2ln"}`, `{"type":"server_tool_use","id":"srvtoolu_9"}`)
		}
		return text()
	}
	server := 0
	assistant := func() string {
		switch g.pick("assistant block", "text", "text", "call", "call", "thinking", "redacted", "server", "odd") {
		case "call":
			return block(`"type":"tool_use","id":` + g.id() + `,"name":` + g.pick("name", `"f"`, `"f"`, `"a b"`, `""`) + g.pick("input", `,"input":{}`, `,"input":{"n":1.0}`, `,"input":"x"`, ``))
		case "thinking":
			return block(`"type":"thinking","thinking":` + g.text() + g.pick("signature", `,"signature":"U2ln"`, `,"signature":"U2ln"`, `,"signature":""`, ``))
		case "redacted":
			return `{"type":"redacted_thinking","data":"UmVk"}`
		case "server":
			server++
			call := fmt.Sprintf(`{"type":"server_tool_use","id":"srvtoolu_%d","name":"web_search","input":{}}`, server)
			if g.one(4, "alone") {
				return call
			}
			return call + fmt.Sprintf(`,{"type":"web_search_tool_result","tool_use_id":"srvtoolu_%d","content":[]}`, server)
		case "odd":
			return g.pick("odd", `null`, `{"type":"document","source":{}}`, `{"type":"tool_result","tool_use_id":"call_1"}`, `{"type":"future","x":1}`)
		}
		return text()
	}
	message := func() string {
		role, content := `"user"`, ""
		switch g.pick("turn", "string", "blocks", "assistant", "assistant", "results", "results", "odd") {
		case "string":
			content = g.text()
		case "blocks":
			content = g.list(3, user)
		case "assistant":
			role, content = `"assistant"`, g.list(4, assistant)
		case "results":
			content = strings.TrimSuffix(g.list(3, result), "]")
			for len(g.open) > 0 && !g.one(6, "lost") {
				content += "," + result()
			}
			content = strings.Replace(content, "[,", "[", 1) + "]"
		case "odd":
			return g.pick("odd", `null`, `{}`, `{"role":"system","content":"s"}`, `{"role":"user"}`, `{"role":"assistant","content":"a"}`, `{"role":"user","content":{"type":"text","text":"x"}}`)
		}
		return `{"role":` + role + `,"content":` + content + g.some("member", `"xUnknown":1`) + `}`
	}
	return `{"model":"m"` + g.some("parameter", `"max_tokens":`+g.pick("limit", "1", "1024", "4096", "50000"), `"thinking":`+g.pick("thinking",
		`{"type":"enabled","budget_tokens":1024}`, `{"type":"enabled","budget_tokens":9000}`, `{"type":"adaptive"}`, `{"type":"disabled"}`),
		`"system":`+g.pick("system", `"s"`, `" "`, `[{"type":"text","text":"s",`+mark+`},{"type":"text","text":" "}]`),
		`"temperature":0.5`, `"top_p":0.9`, `"top_k":1`, `"tool_choice":{"type":"any"}`, `"stream":true`, `"xFuture":[1.0]`, `"service_tier":"auto"`,
		`"tools":`+g.pick("tools", `[]`, `[{"name":"f","input_schema":{"type":"object"}}]`, `[{"name":"a b"},{"name":"f","input_schema":{},`+mark+`}]`)) +
		`,"messages":` + g.list(8, message) + `}`
}

// chat draws a body of Chat Completions.
func (g *bodies) chat() string {
	user := func() string {
		return g.pick("part", `{"type":"text","text":`+g.text()+`}`, `{"type":"text","text":`+g.text()+`,"cache_control":{"type":"ephemeral"}}`,
			`{"type":"image_url","image_url":{"url":"data:image/png;base64,`+png+`","detail":"low"}}`, `{"type":"image_url","image_url":{"url":"https://example.com/i.png"}}`,
			`{"type":"input_audio","input_audio":{"data":"AA==","format":"wav"}}`, `null`, `{}`)
	}
	call := func() string {
		return `{"id":` + g.id() + `,"type":"function","function":{"name":` + g.pick("name", `"f"`, `"f"`, `"a b"`, `""`) +
			`,"arguments":` + g.pick("arguments", `"{}"`, `"{\"n\":1.0}"`, `""`, `"torn{"`, `7`) + `}` + g.some("member", `"index":0`) + `}`
	}
	message := func() string {
		switch g.pick("turn", "user", "user", "assistant", "assistant", "tool", "tool", "system", "odd") {
		case "user":
			return `{"role":"user","content":` + g.pick("content", g.text(), g.list(3, user)) + g.some("member", `"name":"bob"`) + `}`
		case "assistant":
			calls := ""
			if g.one(2, "calls") {
				calls = `,"tool_calls":` + g.list(3, call)
			}
			return `{"role":"assistant","content":` + g.pick("content", g.text(), `null`, `[]`, `[{"type":"text","text":"a"}]`) + calls +
				g.some("member", `"reasoning_content":`+g.text(), `"reasoning":"r"`, `"reasoning_content":null`,
					`"reasoning_details":[{"type":"reasoning.text","text":"r","signature":"U2ln"}]`) + `}`
		case "tool":
			content := `"ok"`
			if g.one(4, "odd result") {
				content = g.pick("result", `""`, `null`, `[{"type":"text","text":"ok"}]`, `[{"type":"image_url","image_url":{"url":"data:image/png;base64,`+png+`"}}]`)
			}
			return `{"role":"tool","tool_call_id":` + g.answered() + `,"content":` + content + g.some("member", `"name":"f"`) + `}`
		case "system":
			return g.pick("system", `{"role":"system","content":"s"}`, `{"role":"developer","content":[{"type":"text","text":"s"}]}`, `{"role":"system","content":" "}`)
		}
		return g.pick("odd", `null`, `{}`, `{"role":"function","name":"f","content":"x"}`, `{"role":"user"}`,
			`{"role":"assistant","content":"a","refusal":"no"}`, `{"role":"assistant","content":"a","audio":{"id":"a"}}`)
	}
	return `{"model":"m"` + g.some("parameter", `"max_tokens":50`, `"max_completion_tokens":60`, `"temperature":0.5`, `"tool_choice":"auto"`, `"xFuture":[1.0]`,
		`"reasoning_effort":"low"`, `"reasoning":{"effort":"high"}`, `"thinking":{"type":"enabled"}`, `"chat_template_kwargs":{"enable_thinking":true}`,
		`"tools":`+g.pick("tools", `[]`, `[{"type":"function","function":{"name":"f","strict":true}}]`, `[{"type":"function","function":{"name":"a b"}}]`)) +
		`,"messages":` + g.list(8, message) + `}`
}

// responses draws a body of Responses.
func (g *bodies) responses() string {
	part := func() string {
		return g.pick("part", `{"type":"input_text","text":`+g.text()+`}`, `{"type":"input_text","text":`+g.text()+`,"xUnknown":1}`,
			`{"type":"input_image","image_url":"data:image/png;base64,`+png+`","detail":"low"}`, `{"type":"input_image","image_url":"https://example.com/i.png"}`,
			`{"type":"input_file","file_id":"f"}`, `null`, `{}`)
	}
	said := func() string {
		return g.pick("said", `{"type":"output_text","text":`+g.text()+`,"annotations":[]}`, `{"type":"output_text","text":`+g.text()+`,"logprobs":[]}`,
			`{"type":"refusal","refusal":"no"}`, `null`, `{"type":"input_text","text":"a"}`)
	}
	n := 0
	id := func(prefix string) string {
		n++
		return g.pick("item id", ``, fmt.Sprintf(`,"id":"%s_%d"`, prefix, n), fmt.Sprintf(`,"id":"%s_%d"`, prefix, n), `,"id":"`+prefix+`_1"`, `,"id":null`, `,"id":7`)
	}
	item := func() string {
		some := g.some("member", `"status":"completed"`, `"xUnknown":{"n":1.0}`)
		switch g.pick("item", "user", "user", "assistant", "assistant", "reasoning", "reasoning", "call", "call", "call", "output", "output", "output", "custom", "service", "system", "odd") {
		case "user":
			return `{"role":"user","content":` + g.pick("content", g.text(), g.list(3, part)) + g.some("member", `"type":"message"`) + id("msg") + some + `}`
		case "assistant":
			return `{"type":"message","role":"assistant","content":` + g.pick("content", g.text(), g.list(3, said), g.list(3, said)) + id("msg") + g.some("phase", `"phase":"commentary"`) + some + `}`
		case "reasoning":
			return `{"type":"reasoning"` + id("rs") + g.pick("summary", `,"summary":[]`, `,"summary":[{"type":"summary_text","text":`+g.text()+`}]`, ``) +
				g.pick("content", `,"encrypted_content":"gAAA"`, `,"encrypted_content":"gAAA"`, `,"encrypted_content":""`, `,"encrypted_content":null`, ``) + some + `}`
		case "call":
			return `{"type":"function_call","call_id":` + g.id() + `,"name":` + g.pick("name", `"f"`, `"f"`, `"a b"`, `""`) +
				`,"arguments":` + g.pick("arguments", `"{}"`, `"{\"n\":1.0}"`, `""`, `"torn{"`, `7`) + id("fc") + some + `}`
		case "custom":
			return `{"type":"custom_tool_call","call_id":` + g.id() + `,"name":"g","input":` + g.text() + id("ctc") + some + `}`
		case "output":
			return g.pick("output of", `{"type":"function_call_output"`, `{"type":"function_call_output"`, `{"type":"custom_tool_call_output"`) + `,"call_id":` + g.answered() +
				`,"output":` + g.pick("output", `"ok"`, `"ok"`, `""`, `null`, g.list(3, part)) + id("fco") + some + `}`
		case "service":
			n++
			return g.pick("service", fmt.Sprintf(`{"type":"web_search_call","id":"ws_%d","status":"completed"}`, n), `{"type":"compaction","encrypted_content":"x"}`)
		case "system":
			return g.pick("system", `{"role":"system","content":"s"}`, `{"role":"developer","content":[{"type":"input_text","text":"s"}]}`, `{"role":"system","content":" "}`)
		}
		return g.pick("odd", `null`, `7`, `{}`, `{"role":"tool","content":"x"}`, `{"role":"user"}`, `{"type":"message"}`, `{"role":"assistant","content":7}`)
	}
	return `{"model":"m"` + g.some("parameter", `"max_output_tokens":50`, `"temperature":1`, `"tool_choice":"auto"`, `"parallel_tool_calls":true`, `"xFuture":[1.0]`,
		`"store":`+g.pick("store", `true`, `false`, `null`), `"reasoning":`+g.pick("reasoning", `{"effort":"none"}`, `{"effort":"minimal"}`, `{"summary":"auto"}`, `null`),
		`"include":["reasoning.encrypted_content"]`, `"prompt_cache_key":"k"`, `"instructions":"i"`, `"previous_response_id":"resp_1"`, `"text":{"verbosity":"low"}`,
		`"tools":`+g.pick("tools", `[]`, `[{"type":"function","name":"f","parameters":{}}]`, `[{"type":"function","name":"a b"},{"type":"web_search"}]`)) +
		`,"input":` + g.pick("input", g.list(8, item), g.list(8, item), g.list(8, item), g.text()) + `}`
}
