package gen

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// oddNames are legal nowhere, or not everywhere; some meet once they are made
// legal.
var oddNames = []string{
	"sessions_spawn", " read ", "bad name", "functions.exec", "functions_exec", "functions:exec", "", "9lives", "-dash", "_", "...",
	"mcp__server__tool", "na\u00efve", "\u5de5\u5177", "READ", strings.Repeat("n", 64), strings.Repeat("n", 65), strings.Repeat("n", 70), strings.Repeat("n", 129),
}

func (g *generator) call() string {
	id := g.id()
	name := g.pick([]string{"read", "read", "bash", "write"}, "tool")
	if g.chance(4, "odd tool") {
		name = g.pick(oddNames, "odd tool")
	}
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
	own := g.now.Form.First
	switch {
	case own != nil && g.first && g.chance(2, "own thought signature"):
		partial += own(g.number())
	case g.chance(8, "thought signature"):
		partial += g.pick([]string{`,"thoughtSignature":"QUJDRA=="`, `,"thought_signature":"msg_1"`, `,"thoughtSignature":"not base64!"`}, "thought signature")
	}
	idMember := g.pick([]string{"id", "id", "id", "id", "call_id", "toolCallId"}, "id member")
	idText := fmt.Sprintf(`,%q:%q`, idMember, id)
	if id == "" && g.chance(2, "no id") {
		idText = ""
	}
	g.first = false
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
	if g.chance(2, "own id") {
		return g.now.Form.Call(g.number())
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
