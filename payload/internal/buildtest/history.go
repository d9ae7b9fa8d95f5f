package buildtest

import (
	"fmt"
	"strconv"
	"strings"

	"pgregory.net/rapid"

	"hygeia/internal/gen"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/transcript"
)

// texts are spellings that have to survive, and one that a converter may drop.
var texts = []string{
	`"plain"`, `"two\nlines "`, `"caf\u00e9 ☕ \ud83d\ude80"`, `"quote \" and \\ back"`, `" padded "`, `"{\"json\":1}"`, omitted,
}

// omitted stands where nothing was left (W-161). It is no content.
const omitted = `"[empty content omitted]"`

const (
	said    = `{"type":"text","text":$text}`
	picture = `{"type":"image","data":"` + gen.PNG + `","mimeType":"image/png"}`
)

// history draws messages as the passes leave them: ids legal and unique, the
// results of calls behind their turn and in its order. In half of the histories
// users and assistants take turns, in the others neighbours may have one role.
type history struct {
	t     *rapid.T
	v     *Vocabulary
	in    *payload.Input
	lines []string
	n     int
}

func (f *Format) history(t *rapid.T, e Endpoint, in *payload.Input) []*transcript.Message {
	v := f.Vocabulary
	if e.CallID != "" {
		v.CallIDs = []string{e.CallID}
	}
	h := &history{t: t, v: &v, in: in, n: 10_000_000}
	orderly := rapid.Bool().Draw(t, "orderly")
	last := ""
	for range rapid.IntRange(0, 8).Draw(t, "turns") {
		switch last = h.next(last, orderly); last {
		case "user":
			h.user()
		case "assistant":
			h.assistant(nil)
		case "round":
			h.round()
		}
	}
	return Messages(t, "["+strings.Join(h.lines, ",")+"]")
}

// next draws what follows a turn.
func (h *history) next(last string, orderly bool) string {
	var may []string
	for _, kind := range []string{"user", "assistant", "round"} {
		same := kind == last || kind == "round" && last == "assistant"
		first := last == "" && h.in.Policy.ApplyGoogleTurnOrdering && kind != "user"
		if !first && !(orderly && same && last != "round") {
			may = append(may, kind)
		}
	}
	return h.pick(may...)
}

func (h *history) user() {
	content := "$text"
	if h.chance(2) {
		content = "[" + h.some(1, func() string {
			return h.pick(append(h.v.User, said, said, h.picture(), `{"type":"unknown"}`)...)
		}) + "]"
	}
	h.add(`{"role":"user","content":` + content + h.pick(append(h.v.UserTurn, "", "", "")...) + `}`)
}

// assistant adds a turn with calls of those ids.
func (h *history) assistant(ids []string) {
	blocks := h.some(0, h.block)
	for _, id := range ids {
		call := fmt.Sprintf(`{"type":"toolCall","id":%q,"name":%q,"arguments":%s%s}`, id, h.pick("read", "fs.read", "mcp__x__y", "2 fa"),
			h.pick(`{}`, `{"n": 1.0, "s":"x\"\\y"}`, `{"deep":{"l":[1,{"é":null}]}}`), h.pick(append(h.v.Calls, "")...))
		if blocks = strings.TrimPrefix(blocks+","+call, ","); h.chance(6) {
			blocks += "," + h.block()
		}
	}
	h.add(`{"role":"assistant","content":[` + blocks + `]` + h.route() + `}`)
}

// block draws what an assistant says.
func (h *history) block() string {
	if len(h.v.Said) > 0 && h.chance(2) {
		return h.pick(h.v.Said...)
	}
	return `{"type":"text","text":$text` + h.pick(append(h.v.Texts, "")...) + `}`
}

// round adds a turn with calls and their results.
func (h *history) round() {
	var ids []string
	for range rapid.IntRange(1, 3).Draw(h.t, "calls") {
		ids = append(ids, h.fill(h.pick(h.v.CallIDs...)))
	}
	h.assistant(ids)
	for _, id := range ids {
		content := "$text"
		if !h.chance(6) {
			content = "[" + h.some(1, func() string { return h.pick(said, said, h.picture(), `{"type":"json","value":1}`) }) + "]"
		}
		h.add(fmt.Sprintf(`{"role":"toolResult","toolCallId":%q,"content":%s%s%s}`, id, content,
			h.pick("", `,"toolName":"read"`), h.pick("", `,"isError":false`, `,"isError":true`)))
	}
}

// picture is one, for a target that takes them.
func (h *history) picture() string {
	if !h.in.Policy.Model.Images {
		return said
	}
	return picture
}

// route draws who wrote an assistant turn: nobody says, the target, another
// model of its provider, or somebody else.
func (h *history) route() string {
	own := h.in.Target
	other := policy.Target{Provider: own.Provider, API: own.API, Model: "other"}
	return h.pick("", written(own), written(own), written(other),
		written(policy.Target{Provider: "anthropic", API: "anthropic-messages", Model: "claude-opus-4-6"}))
}

func written(by policy.Target) string {
	return fmt.Sprintf(`,"provider":%q,"api":%q,"model":%q`, by.Provider, by.API, by.Model)
}

// add adds a message with its texts and numbers filled in.
func (h *history) add(line string) { h.lines = append(h.lines, h.fill(line)) }

func (h *history) fill(piece string) string {
	for strings.Contains(piece, "$text") {
		piece = strings.Replace(piece, "$text", h.pick(texts...), 1)
	}
	if strings.Contains(piece, "$n") {
		h.n++
		piece = strings.ReplaceAll(piece, "$n", strconv.Itoa(h.n))
	}
	return piece
}

// some draws up to four, and that many at the least.
func (h *history) some(least int, of func() string) string {
	var list []string
	for len(list) < least || len(list) < 4 && h.chance(2) {
		list = append(list, h.fill(of()))
	}
	return strings.Join(list, ",")
}

func (h *history) chance(n int) bool { return rapid.IntRange(1, n).Draw(h.t, "chance") == n }

func (h *history) pick(list ...string) string { return rapid.SampledFrom(list).Draw(h.t, "pick") }
