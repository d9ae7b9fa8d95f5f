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
		dst = append(dst, b.tool(payload.Legal(b.names.Definition(def, toolName...))).Raw...)
		n++
	}
	if n > 0 {
		dst = append(dst, `],`...)
	}
	return dst
}

// tool returns a tool with its declarations as the target reads them, itself if
// they are.
func (b *builder) tool(def jsonline.Value) jsonline.Value {
	const name = "functionDeclarations"
	list := def.Object().Get(name)
	if list.Kind != jsonline.Array {
		return def
	}
	list, changed := list.MapElements(b.declaration)
	if !changed {
		return def
	}
	return def.Object().With(name, list).Value()
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
		if schema.Object().Get("type").IsString() && isReduced(schema, 0) {
			return d
		}
	}
	if schema.Object().Get("type").Exists() {
		schema.Raw = appendReduced(nil, schema, 0)
	} else {
		schema = jsonline.Parse([]byte(`{"type":"object","properties":{}}`))
	}
	return o.Without(full).With(legacy, schema).Value()
}
