package google

import "hygeia/internal/jsonline"

// plainKeywords are the members of a JSON Schema that the reduced form takes as
// they are (GG-13). The others that it takes hold schemas, or have a form of
// their own there; what is in neither list has no place in it.
var plainKeywords = map[string]bool{
	"title": true, "description": true, "format": true, "pattern": true, "nullable": true, "default": true, "example": true,
	"required": true, "propertyOrdering": true, "minItems": true, "maxItems": true, "minProperties": true, "maxProperties": true,
	"minimum": true, "maximum": true, "minLength": true, "maxLength": true,
}

// maxSchemaDepth is how deep a schema in the reduced form is nested. Each level
// is scanned once for every level around it.
const maxSchemaDepth = 32

// isReduced reports whether a schema is in the reduced form already.
func isReduced(v jsonline.Value, depth int) bool {
	if v.Kind != jsonline.ObjectKind || depth > maxSchemaDepth {
		return false
	}
	for name, m := range v.Object().Members() {
		ok := plainKeywords[name]
		switch name {
		case "type":
			ok = m.IsString()
		case "enum":
			ok = allStrings(m)
		case "items":
			ok = isReduced(m, depth+1)
		case "anyOf":
			ok = m.Kind == jsonline.Array
			for e := range m.Elements() {
				ok = ok && isReduced(e, depth+1)
			}
		case "properties":
			ok = m.Kind == jsonline.ObjectKind
			for _, e := range m.Object().Members() {
				ok = ok && isReduced(e, depth+1)
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// appendReduced writes a schema in the reduced form (W-622): meta keys such as
// $schema and $defs, references and other keywords that the form does not know
// are left out, as is what is nested too deep.
func appendReduced(dst []byte, v jsonline.Value, depth int) []byte {
	dst = append(dst, '{')
	if depth > maxSchemaDepth {
		return append(dst, '}')
	}
	for name, m := range v.Object().Members() {
		dst = appendKeyword(dst, name, m, depth)
	}
	return end(dst, '}')
}

// appendKeyword writes a member of a schema with a comma behind it, or nothing.
func appendKeyword(dst []byte, name string, v jsonline.Value, depth int) []byte {
	switch {
	case name == "type" && v.Kind == jsonline.Array:
		return appendType(dst, v)
	case name == "type" || plainKeywords[name] || name == "enum" && allStrings(v):
		dst = append(appendKey(dst, name), v.Raw...)
	case name == "const" && v.IsString():
		dst = append(append(append(dst, `"enum":[`...), v.Raw...), ']')
	case name == "items" && v.Kind == jsonline.ObjectKind:
		dst = appendReduced(appendKey(dst, name), v, depth+1)
	case name == "anyOf", name == "oneOf":
		dst = append(appendKey(dst, "anyOf"), '[')
		for e := range v.Elements() {
			dst = append(appendReduced(dst, e, depth+1), ',')
		}
		dst = end(dst, ']')
	case name == "properties":
		dst = append(appendKey(dst, name), '{')
		for property, e := range v.Object().Members() {
			dst = append(appendReduced(appendKey(dst, property), e, depth+1), ',')
		}
		dst = end(dst, '}')
	default:
		return dst
	}
	return append(dst, ',')
}

// appendType writes a list of types: the first besides null, which stands apart.
func appendType(dst []byte, v jsonline.Value) []byte {
	kind, null := jsonline.Text("string"), false
	for e := range v.Elements() {
		if e.String() != "null" {
			kind = e
			break
		}
	}
	for e := range v.Elements() {
		null = null || e.String() == "null"
	}
	dst = append(append(append(dst, `"type":`...), kind.Raw...), ',')
	if null {
		dst = append(dst, `"nullable":true,`...)
	}
	return dst
}

func appendKey(dst []byte, name string) []byte {
	return append(jsonline.AppendQuoted(dst, name), ':')
}

// end closes a list or object, in place of the comma behind its last element.
func end(dst []byte, bracket byte) []byte {
	if last := len(dst) - 1; dst[last] == ',' {
		dst = dst[:last]
	}
	return append(dst, bracket)
}

func allStrings(v jsonline.Value) bool {
	for e := range v.Elements() {
		if !e.IsString() {
			return false
		}
	}
	return v.Kind == jsonline.Array
}
