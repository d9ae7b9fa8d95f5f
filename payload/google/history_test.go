package google_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/payload/internal/buildtest"
	"hygeia/policy"
	"hygeia/transcript"
)

// history draws messages as the passes leave them: the user first, calls with
// their results behind them, turns of the target and of others, turns that may
// be empty.
type history struct {
	t      *rapid.T
	target policy.Target
	lines  []string
	calls  int
}

func (h *history) pick(list ...string) string { return rapid.SampledFrom(list).Draw(h.t, "pick") }

func (h *history) chance(n int) bool { return rapid.IntRange(1, n).Draw(h.t, "chance") == n }

func (h *history) text() string {
	return h.pick(`"plain"`, `"caf\u00e9 ☕ \ud83d\ude00"`, `"quote \" and \\ back"`, `" padded "`, `"[empty content omitted]"`)
}

func (h *history) blocks(least int, of func() string) string {
	var list []string
	for len(list) < least || h.chance(2) && len(list) < 4 {
		list = append(list, of())
	}
	return strings.Join(list, ",")
}

const picture = `{"type":"image","data":"iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVQI12P8z4AdMDEMKQkAzUEBD9aGuoAAAAAASUVORK5CYII=","mimeType":"image/png"}`

func (h *history) signature(name string) string {
	return h.pick(``, `,"`+name+`":"QUJD"`, `,"`+name+`":"QUJD"`, `,"`+name+`":"QU-D"`, `,"`+name+`":"skip_thought_signature_validator"`, `,"`+name+`":"{\"id\":\"rs_1\"}"`)
}

func (h *history) said() string {
	switch rapid.IntRange(0, 6).Draw(h.t, "block") {
	case 0, 1:
		return `{"type":"thinking","thinking":` + h.text() + h.signature("thinkingSignature") + `}`
	case 2:
		return h.pick(`{"type":"redacted_thinking","data":"AA=="}`, `{"type":"server_tool_use","id":"s1"}`,
			`{"type":"executableCode","executableCode":{"code":"1"}`+h.signature("thoughtSignature")+`}`)
	}
	return `{"type":"text","text":` + h.text() + h.signature("textSignature") + `}`
}

func (h *history) route() string {
	t := h.target
	if h.chance(4) {
		t = policy.Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-opus-4-6"}
	}
	if h.chance(6) {
		return ""
	}
	return fmt.Sprintf(`,"provider":%q,"api":%q,"model":%q`, t.Provider, t.API, t.Model)
}

func (h *history) user() {
	content := h.text()
	if h.chance(2) {
		content = "[" + h.blocks(1, func() string {
			return h.pick(`{"type":"text","text":`+h.text()+`}`, picture, `{"type":"audio"}`, `{"type":"fileData","fileData":{"fileUri":"gs://x"}}`)
		}) + "]"
	}
	h.lines = append(h.lines, `{"role":"user","content":`+content+`}`)
}

func (h *history) assistant() {
	h.lines = append(h.lines, `{"role":"assistant","content":[`+h.blocks(0, h.said)+`]`+h.route()+`}`)
}

func (h *history) round() {
	var ids []string
	blocks := h.blocks(1, func() string {
		if len(ids) > 0 && h.chance(3) {
			return h.said()
		}
		h.calls++
		ids = append(ids, fmt.Sprintf("call%d", h.calls))
		return fmt.Sprintf(`{"type":"toolCall","id":%q,"name":%q,"arguments":%s%s}`, ids[len(ids)-1], h.pick("read", "fs.read", "2 fa"),
			h.pick(`{}`, `{"a": 1.0, "s":"x\"\\y"}`), h.signature("thoughtSignature"))
	})
	h.lines = append(h.lines, `{"role":"assistant","content":[`+blocks+`]`+h.route()+`}`)
	for _, id := range ids {
		content := h.blocks(1, func() string {
			return h.pick(`{"type":"text","text":`+h.text()+`}`, picture, `{"type":"json","value":1}`)
		})
		h.lines = append(h.lines, fmt.Sprintf(`{"role":"toolResult","toolCallId":%q,"content":[%s],"isError":%v}`, id, content, h.chance(4)))
	}
}

// messages draws such a list.
func messages(t *rapid.T, target policy.Target) []*transcript.Message {
	h := &history{t: t, target: target}
	h.user()
	for range rapid.IntRange(0, 7).Draw(t, "turns") {
		switch rapid.IntRange(0, 3).Draw(t, "turn") {
		case 0:
			h.user()
		case 1:
			h.assistant()
		default:
			h.round()
		}
	}
	return buildtest.Messages(t, "["+strings.Join(h.lines, ",")+"]")
}

// resolve returns the input for a target, without messages.
func resolve(t interface{ Fatalf(string, ...any) }, target policy.Target) *payload.Input {
	res, err := policy.Resolve(target, policy.Options{})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return &payload.Input{Target: res.Target, Policy: res.Policy, Report: &hygiene.Report{}}
}

// draw returns the input for one of the targets, without messages.
func draw(t *rapid.T) *payload.Input {
	in := resolve(t, rapid.SampledFrom(targets).Draw(t, "target"))
	in.Options.Thinking = rapid.SampledFrom([]payload.Level{"", "", "off", "minimal", "medium", "max"}).Draw(t, "level")
	in.Options.System = rapid.SampledFrom([]string{"", " ", "s", "a\n<!-- OPENCLAW_CACHE_BOUNDARY -->\nb"}).Draw(t, "system")
	in.Options.MaxTokens = rapid.SampledFrom([]int{0, 0, 1, 5000, 1_000_000}).Draw(t, "limit")
	if rapid.Bool().Draw(t, "with tools") {
		in.Options.Tools = jsonline.Parse([]byte(tools))
	}
	return in
}
