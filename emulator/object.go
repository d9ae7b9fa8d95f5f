package emulator

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"hygeia/internal/jsonline"
)

// object is a JSON object that keeps its members in order: name, value, name,
// value.
type object []any

// MarshalJSONTo writes the members in order.
func (o object) MarshalJSONTo(enc *jsontext.Encoder) error {
	if err := enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for i := 0; i < len(o); i += 2 {
		if err := enc.WriteToken(jsontext.String(o[i].(string))); err != nil {
			return err
		}
		if err := json.MarshalEncode(enc, o[i+1]); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndObject)
}

// list is a JSON array.
type list []any

// encode returns v as JSON. Values are made of what went through a scanner or
// stands in this package, so that encoding cannot fail.
func encode(v any) []byte {
	text, err := json.Marshal(v, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true), json.Deterministic(true))
	if err != nil {
		panic("emulator: " + err.Error())
	}
	return text
}

// canonical returns JSON text in a spelling that does not depend on white
// space, escapes and the order of members.
func canonical(v jsonline.Value) string {
	text := jsontext.Value(append([]byte(nil), v.Raw...))
	if err := text.Canonicalize(); err != nil {
		return string(v.Raw) // duplicate names: no other spelling is as good
	}
	return string(text)
}

// elements returns the elements of an array value.
func elements(v jsonline.Value) []jsonline.Value {
	var out []jsonline.Value
	for e := range v.Elements() {
		out = append(out, e)
	}
	return out
}

// under returns the value that lies under the names, absent if there is none.
func under(o jsonline.Object, names ...string) jsonline.Value {
	v := o.Get(names[0])
	for _, name := range names[1:] {
		v = v.Object().Get(name)
	}
	return v
}
