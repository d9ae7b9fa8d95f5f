package check

import (
	"fmt"
	"strings"
)

// bedrockRules are the rules of file 90 §6: schema, emptiness, order, tools,
// reasoning, the end of the list, cache points, media. What only the service
// knows is not here: whether a signature is genuine.
var bedrockRules = []func(*request){
	func(r *request) { r.surrogates("AN-27") },
	bedrockSchema, bedrockEmptiness, bedrockOrder, bedrockTools, bedrockReasoning, bedrockThinking, bedrockPrefill,
	bedrockCache, bedrockMedia,
}

// bedrockModel is what the name of a model says about the rules that hold.
type bedrockModel struct{ claude, nova, caches bool }

func bedrockOf(model string, claude claudeModel) bedrockModel {
	nova := strings.Contains(strings.ToLower(model), "nova")
	return bedrockModel{claude: claude.is, nova: nova, caches: nova || claude.from(3, 5)}
}

// where are the pairs of words that put a block into a template.
func (b *block) where(more ...string) []string {
	return append([]string{"messages.N", fmt.Sprintf("messages.%d", b.msg), "content.M", fmt.Sprintf("content.%d", b.at)}, more...)
}

func (m *message) where(more ...string) []string {
	return append([]string{"messages.N", fmt.Sprintf("messages.%d", m.index)}, more...)
}

// holds reports whether a message has a block with that member.
func (m *message) holds(name blockMember) bool { return m.first(name) >= 0 }

// bedrockMembers are members that a block of that name must have.
var bedrockMembers = []struct {
	of     blockMember
	name   string
	member string
}{
	{asImage, "image", "format"},
	{asImage, "image", "source"},
	{asDocument, "document", "name"},
	{asDocument, "document", "source"},
	{asCachePoint, "cachePoint", "type"},
	{asToolUse, "toolUse", "toolUseId"},
	{asToolUse, "toolUse", "name"},
	{asToolUse, "toolUse", "input"},
	{asToolResult, "toolResult", "toolUseId"},
	{asToolResult, "toolResult", "content"},
}

func bedrockSchema(r *request) {
	for i := range r.memo.messages {
		m := &r.memo.messages[i]
		if !m.content.isArray() {
			r.report("BR-12", pointer("messages", m.index, "content"), m.where()...)
		}
		for j := range m.blocks {
			bedrockBlock(r, &m.blocks[j])
		}
	}
	tools := r.root.get("toolConfig").get("tools")
	if r.root.get("toolConfig").given() && tools.size() == 0 {
		r.report("BR-18", "/toolConfig/tools")
	}
	for i, t := range tools.elements() {
		if name := t.get("toolSpec").get("name"); t.get("toolSpec").given() && !bedrockName(name.text()) {
			r.report("BR-10", pointer("toolConfig", "tools", i, "toolSpec", "name"), "'X'", "'"+name.text()+"'",
				"messages.N.member.content.M.member.toolUse.name", fmt.Sprintf("toolConfig.tools.%d.member.toolSpec.name", i))
		}
	}
}

func bedrockBlock(r *request, b *block) {
	if b.names == 1<<asText {
		return
	}
	for _, at := range bedrockMembers {
		if v := b.member(at.of); v.exists() && !v.get(at.member).given() {
			r.report("BR-12", b.path()+pointer(at.name, at.member), "messages.N.member.content'",
				fmt.Sprintf("messages.%d.member.content.%d.member.%s.%s'", b.msg, b.at, at.name, at.member))
		}
	}
	call, result := b.member(asToolUse), b.member(asToolResult)
	if input := call.get("input"); input.given() && !input.isObject() {
		r.report("BR-21", b.path()+"/toolUse/input", b.where()...)
	}
	form := func(v node, name, member string) {
		if v := v.get(member); v.given() && !bedrockName(v.text()) {
			r.report("BR-10", b.path()+pointer(name, member), b.where("'X'", "'"+v.text()+"'", "toolUse.name", name+"."+member)...)
		}
	}
	form(call, "toolUse", "toolUseId")
	form(call, "toolUse", "name")
	form(result, "toolResult", "toolUseId")
}

func bedrockEmptiness(r *request) {
	if len(r.memo.messages) == 0 {
		r.report("BR-22", "/messages")
	}
	for i, n := range r.root.get("system").elements() {
		if isBlank(n.get("text")) {
			r.report("BR-01", pointer("system", i, "text"), "messages.N.content.M", fmt.Sprintf("system.%d", i))
		}
	}
	for i := range r.memo.messages {
		m := &r.memo.messages[i]
		if m.content.isArray() && len(m.blocks) == 0 {
			r.report("BR-02", pointer("messages", m.index), m.where()...)
		}
		for j := range m.blocks {
			b := &m.blocks[j]
			if isBlank(b.member(asText)) {
				r.report("BR-01", b.path()+"/text", b.where()...)
			}
			if !b.has(asToolResult) {
				continue
			}
			if result := b.member(asToolResult); len(b.inner) == 0 && result.get("status").is("error") && result.get("content").isArray() {
				r.report("BR-06", b.path()+"/toolResult/content", b.where()...)
			}
			for k := range b.inner {
				if isBlank(b.inner[k].member(asText)) {
					r.report("BR-01", b.path()+pointer("toolResult", "content", k, "text"), b.where()...)
				}
			}
		}
	}
}

// isBlank reports whether the text of a block is there and says nothing (BR-01).
func isBlank(text node) bool {
	return text.exists() && (!text.isString() || text.blank())
}

func bedrockOrder(r *request) {
	before := ""
	for _, m := range r.memo.messages {
		role := m.role
		if m.index == 0 && role != "user" {
			r.report("BR-09", "/messages/0")
		}
		if role == before {
			r.report("BR-08", pointer("messages", m.index))
		}
		before = role
	}
}

// bedrockTools checks that each call has its result in the message behind it.
func bedrockTools(r *request) {
	messages, configured := r.memo.messages, r.root.get("toolConfig").given()
	var answered, seen callSet // of the message behind this one, of this one
	for i := range messages {
		m := &messages[i]
		answered.reset()
		if i+1 < len(messages) && m.holds(asToolUse) {
			messages[i+1].answers(&answered)
		}
		for j := range m.blocks {
			b := &m.blocks[j]
			if (b.has(asToolUse) || b.has(asToolResult)) && !configured {
				r.report("BR-04", b.path())
			}
			if b.has(asToolResult) && !r.memo.bedrock.claude && !r.memo.bedrock.nova && b.member(asToolResult).get("status").given() {
				r.report("BR-24", b.path()+"/toolResult/status")
			}
		}
		bedrockCalls(r, m, &answered, &seen)
		if call := m.first(asToolUse); call >= 0 && m.last(asText) > call {
			r.report("BR-23", m.blocks[call].path())
		}
		bedrockResults(r, i)
	}
}

// bedrockCalls checks the calls of a message against the ids that the next one
// answers. seen is for its use.
func bedrockCalls(r *request, m *message, answered, seen *callSet) {
	seen.reset()
	for j := range m.blocks {
		b := &m.blocks[j]
		if !b.has(asToolUse) {
			continue
		}
		id := b.member(asToolUse).get("toolUseId").text()
		switch {
		case seen.find(id) >= 0:
			r.report("BR-07", b.path()+"/toolUse/toolUseId", b.where("ID", id)...)
		case answered.find(id) < 0:
			r.report("BR-03", b.path(), "messages.N", fmt.Sprintf("messages.%d", m.index+1), "ID", id)
		}
		seen.add(id)
	}
}

// bedrockResults checks the tool results of message i.
func bedrockResults(r *request, i int) {
	m, calls := &r.memo.messages[i], 0
	results := m.count(asToolResult)
	if results == 0 {
		return
	}
	if i > 0 && r.memo.messages[i-1].role == "assistant" { // calls of anybody else are none
		calls = r.memo.messages[i-1].count(asToolUse)
	}
	if results > calls {
		r.report("BR-05", pointer("messages", i), m.where()...)
	}
	if others := len(m.blocks) - results - m.count(asCachePoint); others > 0 && !r.memo.bedrock.claude {
		r.report("BR-11", pointer("messages", i))
	}
}

func (m *message) count(name blockMember) int {
	n := 0
	for i := range m.blocks {
		if m.blocks[i].has(name) {
			n++
		}
	}
	return n
}

// first returns the index of the first block with that member, -1 for none.
func (m *message) first(name blockMember) int {
	for i := range m.blocks {
		if m.blocks[i].has(name) {
			return i
		}
	}
	return -1
}

// last is first from the end.
func (m *message) last(name blockMember) int {
	for i := len(m.blocks) - 1; i >= 0; i-- {
		if m.blocks[i].has(name) {
			return i
		}
	}
	return -1
}

// answers adds the ids of the calls whose results a user message holds.
func (m *message) answers(ids *callSet) {
	if m.role != "user" {
		return
	}
	for i := range m.blocks {
		if id := m.blocks[i].member(asToolResult).get("toolUseId"); id.isString() {
			ids.add(id.text())
		}
	}
}
