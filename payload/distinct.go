package payload

import (
	"strconv"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
)

// Distinct returns the tool definitions of a request in the form of an API without
// those that say again what one in front of them says, and without those that
// define no tool (W-177). Different definitions of one name stay, since nobody else
// can know which is meant: that is a note.
func (l Log) Distinct(api string, tools jsonline.Value) jsonline.Value {
	d := &distinct{Log: l, api: api, seen: map[string]string{}}
	return d.list(tools)
}

// distinct looks for tools that are defined more than once.
type distinct struct {
	Log
	api  string
	seen map[string]string // definitions by name
}

// list returns a list of definitions without those that go, the list itself where
// none does.
func (d *distinct) list(defs jsonline.Value) jsonline.Value {
	out, changed := []byte{'['}, false
	for def := range defs.Elements() {
		kept := d.definition(def)
		changed = changed || !same(kept, def)
		if !kept.Exists() {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, kept.Raw...)
	}
	if !changed {
		return defs
	}
	return jsonline.Value{Raw: append(out, ']'), Kind: jsonline.Array}
}

// definition returns a definition as it stays, absent for not at all.
func (d *distinct) definition(def jsonline.Value) jsonline.Value {
	for _, member := range []string{"functionDeclarations", "function_declarations"} {
		if declared := def.Object().Get(member); declared.Kind == jsonline.Array {
			kept := d.list(declared)
			switch {
			case same(kept, declared):
				return def
			case string(kept.Raw) == "[]":
				return jsonline.Value{}
			}
			return def.Object().With(member, kept).Value()
		}
	}
	name := nameOf(def.Object())
	before, again := d.seen[name]
	switch {
	case name == "" && notTool(d.api, def) != "":
		d.Parameter("tools", def, jsonline.Value{}, hygiene.Edit{Rule: "W-177", Reason: "it defines no tool", Lossy: true})
		return jsonline.Value{}
	case name == "":
		return def // a tool of the service
	case again && before == string(def.Raw):
		d.Parameter("tools", def, jsonline.Value{}, hygiene.Edit{Rule: "W-177", Reason: "the same definition stands in front"})
		return jsonline.Value{}
	case again:
		d.Report.Note("two different tools are called " + strconv.Quote(name) + ", and both go out: services refuse that (W-177)")
		return def
	}
	d.seen[name] = string(def.Raw)
	return def
}
