package check

import (
	"fmt"
	"regexp"
	"slices"
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

var bedrockName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// bedrockModel is what the name of a model says about the rules that hold.
type bedrockModel struct{ claude, nova, caches bool }

func (r *request) bedrock() bedrockModel {
	nova := strings.Contains(strings.ToLower(r.target.Model), "nova")
	return bedrockModel{claude: r.claude.is, nova: nova, caches: nova || r.claude.from(3, 5)}
}

// converse returns the messages; a block is an object with one member, which
// names it. The blocks of Converse have no type.
func (r *request) converse() []message { return r.anthropicMessages() }

// where are the pairs of words that put a block into a template.
func (b block) where(more ...string) []string {
	return append([]string{"messages.N", fmt.Sprintf("messages.%d", b.msg), "content.M", fmt.Sprintf("content.%d", b.at)}, more...)
}

func (m message) where(more ...string) []string {
	return append([]string{"messages.N", fmt.Sprintf("messages.%d", m.index)}, more...)
}

// holds reports whether a message has a block of that name.
func (m message) holds(name string) bool { return m.first(name) >= 0 }

// bedrockMembers are members that a block of that name must have.
var bedrockMembers = [][2]string{
	{"image", "format"},
	{"image", "source"},
	{"document", "name"},
	{"document", "source"},
	{"cachePoint", "type"},
	{"toolUse", "toolUseId"},
	{"toolUse", "name"},
	{"toolUse", "input"},
	{"toolResult", "toolUseId"},
	{"toolResult", "content"},
}

func bedrockSchema(r *request) {
	for _, m := range r.converse() {
		if !m.get("content").isArray() {
			r.report("BR-12", pointer("messages", m.index, "content"), m.where()...)
		}
		for _, b := range m.blocks {
			bedrockBlock(r, b)
		}
	}
	tools := r.root.get("toolConfig").get("tools")
	if r.root.get("toolConfig").given() && tools.size() == 0 {
		r.report("BR-18", "/toolConfig/tools")
	}
	for i, t := range tools.elements() {
		if name := t.get("toolSpec").get("name"); t.get("toolSpec").given() && !bedrockName.MatchString(name.text()) {
			r.report("BR-10", pointer("toolConfig", "tools", i, "toolSpec", "name"), "'X'", "'"+name.text()+"'",
				"messages.N.member.content.M.member.toolUse.name", fmt.Sprintf("toolConfig.tools.%d.member.toolSpec.name", i))
		}
	}
}

func bedrockBlock(r *request, b block) {
	for _, at := range bedrockMembers {
		if v := b.get(at[0]); v.exists() && !v.get(at[1]).given() {
			r.report("BR-12", b.path()+pointer(at[0], at[1]), "messages.N.member.content'",
				fmt.Sprintf("messages.%d.member.content.%d.member.%s.%s'", b.msg, b.at, at[0], at[1]))
		}
	}
	if input := b.get("toolUse").get("input"); input.given() && !input.isObject() {
		r.report("BR-21", b.path()+"/toolUse/input", b.where()...)
	}
	for _, at := range [][2]string{{"toolUse", "toolUseId"}, {"toolUse", "name"}, {"toolResult", "toolUseId"}} {
		if v := b.get(at[0]).get(at[1]); v.given() && !bedrockName.MatchString(v.text()) {
			r.report("BR-10", b.path()+pointer(at[0], at[1]), b.where("'X'", "'"+v.text()+"'", "toolUse.name", at[0]+"."+at[1])...)
		}
	}
}

func bedrockEmptiness(r *request) {
	messages := r.converse()
	if len(messages) == 0 {
		r.report("BR-22", "/messages")
	}
	for i, s := range r.root.get("system").elements() {
		bedrockText(r, s, func() (string, []string) {
			return pointer("system", i), []string{"messages.N.content.M", fmt.Sprintf("system.%d", i)}
		})
	}
	for _, m := range messages {
		if c := m.get("content"); c.isArray() && c.size() == 0 {
			r.report("BR-02", pointer("messages", m.index), m.where()...)
		}
		for _, b := range m.blocks {
			bedrockText(r, b.node, func() (string, []string) { return b.path(), b.where() })
			result := b.get("toolResult")
			if result.get("status").is("error") && result.get("content").isArray() && result.get("content").size() == 0 {
				r.report("BR-06", b.path()+"/toolResult/content", b.where()...)
			}
			for k, inner := range result.get("content").elements() {
				bedrockText(r, inner, func() (string, []string) { return b.path() + pointer("toolResult", "content", k), b.where() })
			}
		}
	}
}

// bedrockText finds blank text. at returns where it stands, as a pointer and for
// the template.
func bedrockText(r *request, b node, at func() (string, []string)) {
	if t := b.get("text"); t.exists() && (!t.isString() || t.blank()) {
		path, where := at()
		r.report("BR-01", path+"/text", where...)
	}
}

func bedrockOrder(r *request) {
	before := ""
	for _, m := range r.converse() {
		role := m.role()
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
	messages := r.converse()
	for i, m := range messages {
		var next message
		if i+1 < len(messages) {
			next = messages[i+1]
		}
		var seen, answered map[string]bool
		for _, b := range m.blocks {
			call, result := b.get("toolUse"), b.get("toolResult")
			if (call.exists() || result.exists()) && !r.root.get("toolConfig").given() {
				r.report("BR-04", b.path())
			}
			if result.get("status").given() && !r.bedrock().claude && !r.bedrock().nova {
				r.report("BR-24", b.path()+"/toolResult/status")
			}
			if !call.exists() {
				continue
			}
			if seen == nil {
				seen, answered = map[string]bool{}, next.answered()
			}
			switch id := call.get("toolUseId").text(); {
			case seen[id]:
				r.report("BR-07", b.path()+"/toolUse/toolUseId", b.where("ID", id)...)
			case !answered[id]:
				r.report("BR-03", b.path(), "messages.N", fmt.Sprintf("messages.%d", i+1), "ID", id)
			}
			seen[call.get("toolUseId").text()] = true
		}
		if call := m.first("toolUse"); call >= 0 && m.last("text") > call {
			r.report("BR-23", m.blocks[call].path())
		}
		bedrockResults(r, messages, i)
	}
}

// bedrockResults checks the tool results of message i.
func bedrockResults(r *request, messages []message, i int) {
	m, calls := messages[i], 0
	if i > 0 && messages[i-1].role() == "assistant" { // calls of anybody else are none
		calls = messages[i-1].count("toolUse")
	}
	results := m.count("toolResult")
	if results > calls {
		r.report("BR-05", pointer("messages", i), m.where()...)
	}
	others := len(m.blocks) - results - m.count("cachePoint")
	if results > 0 && others > 0 && !r.bedrock().claude {
		r.report("BR-11", pointer("messages", i))
	}
}

func (m message) count(name string) int {
	n := 0
	for _, b := range m.blocks {
		if b.get(name).exists() {
			n++
		}
	}
	return n
}

// first returns the index of the first block of that name, -1 for none.
func (m message) first(name string) int {
	return slices.IndexFunc(m.blocks, func(b block) bool { return b.get(name).exists() })
}

// last is first from the end.
func (m message) last(name string) int {
	for i := len(m.blocks) - 1; i >= 0; i-- {
		if m.blocks[i].get(name).exists() {
			return i
		}
	}
	return -1
}

// answered returns the ids of the calls whose results a user message holds.
func (m message) answered() map[string]bool {
	ids := map[string]bool{}
	for _, b := range m.blocks {
		if id := b.get("toolResult").get("toolUseId"); id.isString() && m.role() == "user" {
			ids[id.text()] = true
		}
	}
	return ids
}
