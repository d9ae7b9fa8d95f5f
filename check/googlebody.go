package check

import (
	"fmt"
	"strings"

	"hygeia/internal/jsonline"
)

const googleBody = 20 << 20 // bytes of a request (GG-17)

func googleSize(r *request) {
	if n := len(r.root.b.src); n > googleBody {
		r.report("GG-17", "", "X bytes", fmt.Sprintf("%d bytes", n))
	}
}

// googleValues finds values that the service cannot read into its types.
func googleValues(r *request) {
	for i := range r.memo.parts {
		p := &r.memo.parts[i]
		sig := p.field(ofSignature)
		if sig.given() && (!sig.isString() || !decodes(sig.text())) {
			r.report("GG-09", p.path("thoughtSignature"), p.at(`"X"`, fmt.Sprintf("%q", sig.text()))...)
		}
		call, answer := p.field(ofCall), p.field(ofResponse)
		if args := call.get("args"); args.given() && !args.isObject() {
			r.report("GG-20", p.path("functionCall", "args"))
		}
		if answer.exists() && !answer.get("response").isObject() {
			r.report("GG-20", p.path("functionResponse", "response"))
		}
		if call.exists() && !googleName(call.get("name").text()) {
			r.report("GG-15", p.path("functionCall", "name"))
		}
		if answer.exists() && !googleName(answer.get("name").text()) {
			r.report("GG-15", p.path("functionResponse", "name"))
		}
	}
}

// decodes reports whether s is base64 as the service reads bytes: either
// alphabet, with or without padding. The substitutes for a signature (GG-08)
// are such values.
func decodes(s string) bool {
	return anyBase64(s) && len(strings.TrimRight(s, "="))%4 != 1
}

// googleParameters checks what stands beside the contents.
func googleParameters(r *request) {
	root, prefix := r.generate()
	if field(root, "cachedContent").given() {
		for _, name := range []string{"systemInstruction", "tools", "toolConfig"} {
			if field(root, name).given() {
				r.report("GG-18", prefix+"/"+name)
			}
		}
	}
	thinking := field(field(root, "generationConfig"), "thinkingConfig")
	budget, level := field(thinking, "thinkingBudget"), field(thinking, "thinkingLevel")
	tokens, _ := budget.number()
	switch path := prefix + "/generationConfig/thinkingConfig"; {
	case budget.given() && level.given():
		r.report("GG-19", path)
	case budget.given() && !r.gemini.budget(tokens):
		r.reportText("GG-19", path+"/thinkingBudget", Lookup("GG-19").Messages[1], "Budget 0", "Budget "+budget.value().String())
	case level.given() && r.gemini.before(3, 0), thinking.size() > 0 && r.gemini.before(2, 5):
		r.report("GG-19", path)
	}
}

// googleTools checks the function declarations.
func googleTools(r *request) {
	root, prefix := r.generate()
	for i, tool := range root.get("tools").elements() {
		for j, f := range field(tool, "functionDeclarations").elements() {
			path := prefix + pointer("tools", i, "functionDeclarations", j)
			if !googleName(f.get("name").text()) {
				r.report("GG-15", path+"/name")
			}
			if parameters := f.get("parameters"); parameters.given() {
				googleSchema(r, parameters.value(), path+"/parameters", 0)
			}
			if r.assist() && !f.get("parameters").isObject() {
				r.report("CA-02", path, "tools.0", fmt.Sprintf("tools.%d", i))
			}
		}
	}
}

// schemaKeys are the members that a schema may have (GG-13).
var schemaKeys = map[string]bool{
	"type": true, "format": true, "title": true, "description": true, "nullable": true, "enum": true, "default": true, "example": true,
	"items": true, "properties": true, "required": true, "propertyOrdering": true, "anyOf": true, "pattern": true,
	"minItems": true, "maxItems": true, "minProperties": true, "maxProperties": true, "minLength": true, "maxLength": true,
	"minimum": true, "maximum": true,
}

// maxSchemaDepth is how deep a schema is looked into: each level is scanned once
// for every level around it.
const maxSchemaDepth = 32

// googleSchema finds unknown members of a schema and of those in it. Cloud Code
// Assist has a rule of its own for that (CA-04).
func googleSchema(r *request, v jsonline.Value, path string, depth int) {
	if depth > maxSchemaDepth {
		return
	}
	for name, m := range v.Object().Members() {
		at := path + pointer(name)
		switch {
		case !schemaKeys[name] && r.target.API == "google-gemini-cli":
			r.report("CA-04", at, `"X"`, fmt.Sprintf("%q", name))
		case !schemaKeys[name]:
			r.report("GG-13", at, "patternProperties", name)
		case name == "items":
			googleSchema(r, m, at, depth+1)
		case name == "properties":
			for property, e := range m.Object().Members() {
				googleSchema(r, e, at+pointer(property), depth+1)
			}
		case name == "anyOf":
			i := 0
			for e := range m.Elements() {
				googleSchema(r, e, at+pointer(i), depth+1)
				i++
			}
		}
	}
}

// googleImages checks images in parts and in function responses (GG-16).
func googleImages(r *request) {
	for i := range r.memo.parts {
		p := &r.memo.parts[i]
		googleImage(r, p.field(ofInline), p)
		for k, inner := range p.field(ofResponse).get("parts").elements() {
			googleImage(r, field(inner, "inlineData"), p, "functionResponse", "parts", k)
		}
	}
}

// googleImage checks the inline data of part p, at inner below it if that is
// given.
func googleImage(r *request, data node, p *gPart, inner ...any) {
	if !data.exists() {
		return
	}
	inline := data.value().Object() // may be deeper than what was recorded
	mime := inline.Get("mimeType").String() + inline.Get("mime_type").String()
	if !strings.HasPrefix(mime, "image/") {
		return
	}
	text := inline.Get("data").String()
	switch mime {
	case "image/png", "image/jpeg", "image/webp":
		if sniff(text) == "" {
			r.report("GG-16", p.path(append(inner, "inlineData", "data")...))
		}
	case "image/heic", "image/heif":
		if text == "" || !decodes(text) {
			r.report("GG-16", p.path(append(inner, "inlineData", "data")...))
		}
	default:
		r.reportText("GG-16", p.path(append(inner, "inlineData", "mimeType")...), Lookup("GG-16").Messages[1], ": X", ": "+mime)
	}
}
