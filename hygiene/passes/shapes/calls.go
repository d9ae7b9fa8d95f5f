package shapes

import (
	"strings"
	"unicode"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// callIDNames are the members that may hold the id of a tool call, in the order
// in which they count.
var callIDNames = []string{"id", "call_id", "toolCallId", "toolUseId", "tool_call_id", "tool_use_id"}

// calls gives the tool calls of an assistant turn their canonical type and
// members (R-B08).
func calls(r *hygiene.Run, i int) {
	if !r.At(i).Is(transcript.Assistant) {
		return
	}
	turns.Rewrite(r, i, func(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
		if !b.IsToolCall() {
			return b, hygiene.Edit{}
		}
		n, facts := canonicalCall(b)
		return n, hygiene.Edit{Rule: "R-B08", Reason: strings.Join(facts, ", ")}
	})
}

// canonicalCall returns b itself when there is nothing to do.
func canonicalCall(b *transcript.Block) (n *transcript.Block, facts []string) {
	n = b
	if !b.Is(transcript.TypeToolCall) {
		facts = append(facts, "type is "+string(b.Type()))
		n = n.With("type", jsonline.Text(string(transcript.TypeToolCall)))
	}
	if name, id := callID(b); name != "" && (name != "id" || id != b.Get("id").String()) {
		facts = append(facts, idFact("id", name))
		n = n.Without(callIDNames[1:]...).With("id", jsonline.Text(id))
	}
	if input := b.Get("input"); wantsInput(b, input) {
		facts = append(facts, "arguments are named input")
		n = n.With("arguments", input).Without("input")
	}
	return n, facts
}

// callID returns the member that holds the id of a call and the id, trimmed. An
// item id of the Responses API beside a call id is not what results refer to.
func callID(b *transcript.Block) (name, id string) {
	for _, name := range callIDNames {
		id := idText(b.Get(name))
		if id == "" || name == "id" && strings.HasPrefix(id, "fc_") && idText(b.Get("call_id")) != "" {
			continue
		}
		return name, id
	}
	return "", ""
}

// idText returns an id without white space around it. U+0000 goes as well, lest
// taking it out (W-120) bring white space to the front.
func idText(v jsonline.Value) string {
	return strings.TrimFunc(v.String(), func(r rune) bool { return r == 0 || unicode.IsSpace(r) })
}

func idFact(canonical, name string) string {
	if name == canonical {
		return name + " has white space around it"
	}
	return canonical + " is named " + name
}

// wantsInput reports whether input holds the arguments of b. Those of an
// interrupted stream are judged as they stand.
func wantsInput(b *transcript.Block, input jsonline.Value) bool {
	if !input.Exists() || input.Kind == jsonline.Null || interrupted(b) {
		return false
	}
	v := b.Get("arguments")
	return !v.Exists() || v.Kind == jsonline.Null
}

func interrupted(b *transcript.Block) bool { return b.Get("partialJson").IsString() }

// resultID names the call of a tool result in toolCallId, trimmed (R-B08).
func resultID(r *hygiene.Run, i int) {
	m := r.At(i)
	if !m.Is(transcript.ToolResult) {
		return
	}
	for _, name := range transcript.ResultIDNames {
		id := idText(m.Get(name))
		if id == "" {
			continue
		}
		if canonical := transcript.ResultIDNames[0]; name != canonical || id != m.Get(name).String() {
			n := m.Without(transcript.ResultIDNames[1:]...).With(canonical, jsonline.Text(id))
			r.Replace(i, n, hygiene.Edit{Rule: "R-B08", Reason: idFact(canonical, name)})
		}
		return
	}
}
