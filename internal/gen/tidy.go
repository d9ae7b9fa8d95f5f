package gen

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// exchange adds a user turn and what a service makes of it: rounds of calls
// and results, then an answer. Now and then the route changes in the middle, a
// turn fails, or the user breaks in.
func (g *generator) exchange() {
	g.say()
	for range rapid.IntRange(0, 4).Draw(g.t, "rounds") {
		if g.chance(12, "other route") {
			g.home = anyRoute(g.t)
		}
		calls := rapid.IntRange(1, 3).Draw(g.t, "calls")
		if g.chance(40, "many calls") {
			calls = rapid.IntRange(4, 24).Draw(g.t, "calls")
		}
		g.record(calls, "toolUse")
		for _, c := range g.open {
			g.answer(c)
		}
		if g.chance(12, "broken in") {
			g.say()
		}
	}
	switch {
	case g.chance(12, "failed"):
		g.record(0, g.pick([]string{"error", "aborted"}, "stop"))
	case !g.chance(12, "no answer"):
		g.record(0, "stop")
	}
}

func (g *generator) say() {
	content := `"content":` + g.plain()
	if g.chance(4, "with pictures") {
		blocks := []string{`{"type":"text","text":` + g.plain() + `}`}
		for range rapid.IntRange(1, 3).Draw(g.t, "pictures") {
			blocks = append(blocks, g.picture())
		}
		content = `"content":[` + strings.Join(blocks, ",") + `]`
	}
	g.add(`"role":"user"`, content, g.tick())
}

// record adds an assistant turn of the home route as it stands in a session.
func (g *generator) record(calls int, stop string) {
	r, blocks := g.home, []string(nil)
	thought := r.Form.Thinking != nil && !g.chance(3, "no thinking")
	if thought && r.Form.Redacted && g.chance(6, "redacted") {
		blocks = append(blocks, fmt.Sprintf(`{"type":"thinking","thinking":"","redacted":true,"thinkingSignature":%q}`, signature(g.number())))
	} else if thought {
		blocks = append(blocks, r.Form.Thinking(g.number(), g.plain()))
	}
	if calls == 0 || g.chance(2, "text beside calls") {
		text := `{"type":"text","text":` + g.plain()
		if r.Form.Text != nil && thought {
			text += r.Form.Text(g.number())
		}
		blocks = append(blocks, text+`}`)
	}
	g.open = nil
	for i := range calls {
		c := call{r.Form.Call(g.number()), g.pick([]string{"read", "bash", "write"}, "tool")}
		first := ""
		if i == 0 && r.Form.First != nil {
			first = r.Form.First(g.number())
		}
		blocks = append(blocks, fmt.Sprintf(`{"type":"toolCall","id":%q,"name":%q,"arguments":{"path":%s}%s}`, c.id, c.name, g.plain(), first))
		g.open, g.past = append(g.open, c), append(g.past, c)
	}
	if stop == "aborted" && g.chance(2, "nothing came") {
		blocks = nil
	}
	g.add(`"role":"assistant"`, `"content":[`+strings.Join(blocks, ",")+`]`,
		fmt.Sprintf(`"provider":%q,"api":%q,"model":%q,"stopReason":%q`, r.Provider, r.API, r.Model, stop),
		fmt.Sprintf(`"responseId":"resp_%d","usage":{"input":3,"output":5,"totalTokens":8}`, g.number()), g.tick())
}

func (g *generator) answer(c call) {
	blocks := `{"type":"text","text":` + g.plain() + `}`
	if g.chance(8, "with a picture") {
		blocks += "," + g.picture()
	}
	isError := g.chance(6, "error")
	g.add(`"role":"toolResult"`, fmt.Sprintf(`"toolCallId":%q,"toolName":%q,"content":[%s],"isError":%v`, c.id, c.name, blocks, isError), g.tick())
}

// plain draws a JSON string that stands nowhere else in the transcript.
func (g *generator) plain() string {
	return fmt.Sprintf(`"words %d of the %s"`, g.number(), g.pick([]string{"day", "story\\nthat goes on", "caf\\u00e9"}, "words"))
}

func (g *generator) picture() string {
	return `{"type":"image","data":"` + g.pick(Pictures, "picture") + `","mimeType":"image/png"}`
}

func (g *generator) tick() string {
	g.clock += int64(rapid.IntRange(1, 5000).Draw(g.t, "later"))
	return fmt.Sprintf(`"timestamp":%d`, g.clock)
}
