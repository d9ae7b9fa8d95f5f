package check

import (
	"cmp"
	"fmt"
)

// field returns a member by its name in camel case or, as the service reads it
// too, in snake case.
func field(n node, name string) node {
	var found, other node
	if !n.isObject() {
		return found
	}
	for j := n.i + 1; j < n.b.nodes[n.i].Next; j = n.b.nodes[j].Next {
		m := &n.b.nodes[j]
		switch member := n.b.src[m.NameStart:m.NameEnd]; {
		case string(member) == name:
			found = node{n.b, j}
		case snakeOf(member, name):
			other = node{n.b, j}
		}
	}
	if found.exists() {
		return found
	}
	return other
}

// snakeOf reports whether a member is that name in snake case.
func snakeOf(member []byte, name string) bool {
	for i := range len(name) {
		c := name[i]
		if 'A' <= c && c <= 'Z' {
			if len(member) == 0 || member[0] != '_' {
				return false
			}
			member, c = member[1:], c+'a'-'A'
		}
		if len(member) == 0 || member[0] != c {
			return false
		}
		member = member[1:]
	}
	return len(member) == 0
}

// gPart is one part of a content and where it stands. Its members are looked up
// once, since most rules ask every part for some.
type gPart struct {
	node
	content, index int
	prefix         string // of the pointer to the request
	fields         [partFields]uint32
}

// partField numbers a member of a part that rules ask for.
type partField uint8

// The fields of a part. The first ones are those of which it has exactly one
// (GG-07).
const (
	ofText partField = iota
	ofInline
	ofFile
	ofCall
	ofResponse
	ofCode
	ofResult
	ofSignature
	partFields

	dataFields = ofSignature
)

// partFieldOf returns the field of a name; camel reports whether the name is in
// camel case and not, as the service reads it too, in snake case.
func partFieldOf(name []byte) (f partField, camel bool) {
	switch string(name) {
	case "text":
		return ofText, true
	case "inlineData":
		return ofInline, true
	case "inline_data":
		return ofInline, false
	case "fileData":
		return ofFile, true
	case "file_data":
		return ofFile, false
	case "functionCall":
		return ofCall, true
	case "function_call":
		return ofCall, false
	case "functionResponse":
		return ofResponse, true
	case "function_response":
		return ofResponse, false
	case "executableCode":
		return ofCode, true
	case "executable_code":
		return ofCode, false
	case "codeExecutionResult":
		return ofResult, true
	case "code_execution_result":
		return ofResult, false
	case "thoughtSignature":
		return ofSignature, true
	case "thought_signature":
		return ofSignature, false
	}
	return partFields, false
}

// read finds the fields: as field does, the last one in camel case, else the
// last one.
func (p *gPart) read() {
	if !p.isObject() {
		return
	}
	nodes, camels := p.b.nodes, 0
	for j := p.i + 1; j < nodes[p.i].Next; j = nodes[j].Next {
		f, camel := partFieldOf(p.b.src[nodes[j].NameStart:nodes[j].NameEnd])
		if f == partFields || !camel && camels&(1<<f) != 0 {
			continue
		}
		p.fields[f] = j
		if camel {
			camels |= 1 << f
		}
	}
}

// field returns one of the fields that have a number.
func (p *gPart) field(f partField) node {
	if i := p.fields[f]; i != 0 {
		return node{p.b, i}
	}
	return node{}
}

func (p *gPart) path(more ...any) string {
	return p.prefix + pointer(append([]any{"contents", p.content, "parts", p.index}, more...)...)
}

// at are the pairs of words that put the place into a template.
func (p *gPart) at(more ...string) []string {
	return append([]string{
		"contents[N]", fmt.Sprintf("contents[%d]", p.content), "parts[M]", fmt.Sprintf("parts[%d]", p.index),
		"position N", fmt.Sprintf("position %d", p.content),
	}, more...)
}

// gContent is one element of contents.
type gContent struct {
	node
	index            int
	prefix           string
	role             string // a content without one is the user's
	parts            []gPart
	calls, responses []gPart // of parts
}

func (c *gContent) path(more ...any) string {
	return c.prefix + pointer(append([]any{"contents", c.index}, more...)...)
}

func readContents(r *request) {
	root, prefix := r.generate()
	memo := &r.memo
	for i, n := range root.get("contents").elements() {
		parts, calls, responses := len(memo.parts), len(memo.calls), len(memo.responses)
		for j, e := range n.get("parts").elements() {
			memo.parts = append(memo.parts, gPart{node: e, content: i, index: j, prefix: prefix})
			p := &memo.parts[len(memo.parts)-1]
			p.read()
			if p.field(ofCall).exists() {
				memo.calls = append(memo.calls, *p)
			}
			if p.field(ofResponse).exists() {
				memo.responses = append(memo.responses, *p)
			}
		}
		memo.contents = append(memo.contents, gContent{
			node: n, index: i, prefix: prefix, role: cmp.Or(n.get("role").word(), "user"),
			parts: memo.parts[parts:], calls: memo.calls[calls:], responses: memo.responses[responses:],
		})
	}
}
