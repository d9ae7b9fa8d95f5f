package google

import (
	"hygeia/internal/jsonline"
	"hygeia/payload"
)

// appendTools writes the tool definitions, which are passed through but for
// their names (W-176) and the member that holds the schema (W-622).
func (b *builder) appendTools(dst []byte) []byte {
	n := 0
	for def := range b.in.Options.Tools.Elements() {
		sep := `,`
		if n == 0 {
			sep = `"tools":[`
		}
		dst = append(dst, sep...)
		dst = b.appendTool(dst, payload.Legal(b.names.Definition(def, toolName...)))
		n++
	}
	if n > 0 {
		dst = append(dst, `],`...)
	}
	return dst
}

func (b *builder) appendTool(dst []byte, def jsonline.Value) []byte {
	o := def.Object()
	list := o.Get("functionDeclarations")
	if list.Kind != jsonline.Array {
		return append(dst, def.Raw...)
	}
	declarations := []byte{'['}
	for d := range list.Elements() {
		if len(declarations) > 1 {
			declarations = append(declarations, ',')
		}
		declarations = append(declarations, b.declaration(d).Raw...)
	}
	list.Raw = append(declarations, ']')
	return o.With("functionDeclarations", list).AppendTo(dst)
}

// declaration returns a function declaration with its schema where the target
// reads it. The legacy member takes a reduced form of JSON Schema and must be
// there (CA-02); a schema that has more in it stands in the other one (GG-13).
func (b *builder) declaration(d jsonline.Value) jsonline.Value {
	const full, legacy = "parametersJsonSchema", "parameters"
	o := d.Object()
	if !o.Exists() {
		return d
	}
	schema := o.Get(full)
	if !b.in.Policy.Wire.LegacyToolParameters {
		if old := o.Get(legacy); old.Exists() && !schema.Exists() && !isReduced(old, 0) {
			return o.Without(legacy).With(full, old).Value()
		}
		return d
	}
	if !schema.Exists() {
		schema = o.Get(legacy)
	}
	if schema.Object().Get("type").Exists() {
		schema.Raw = appendReduced(nil, schema, 0)
	} else {
		schema = jsonline.Parse([]byte(`{"type":"object","properties":{}}`))
	}
	return o.Without(full).With(legacy, schema).Value()
}
