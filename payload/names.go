package payload

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"strconv"
	"strings"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
)

// NameForm is the form of tool names that a wire format takes (W-176).
type NameForm struct {
	// Max is the longest name in characters, 0 means 64.
	Max int
	// Google also allows '.' and ':', and demands a letter or '_' in front.
	Google bool
	// LetterFirst demands a letter or '_' in front without allowing more.
	LetterFirst bool
	// Identity gives tools other names (W-231), nil for none.
	Identity *Identity
}

// Names maps the tool names of one request to names that are legal on the wire
// (W-176). It depends on the request alone, so whoever reads the answer builds
// it again and maps names back with [Names.Original].
type Names struct {
	form     NameForm
	changed  map[string]string // nil while every name is legal
	original map[string]string
}

// hashTail is the length of '_' and eight digits behind a changed name.
const hashTail = 9

// NewNames returns the mapping for the calls of the messages and for the tool
// definitions, whose name stands at the given path, for example "function",
// "name". A list on the way stands for all its elements. A legal name is never
// touched.
func NewNames(in *Input, form NameForm, path ...string) *Names {
	if form.Max == 0 {
		form.Max = 64
	}
	n := in.Names
	if n == nil {
		n = new(Names)
	}
	*n = Names{form: form}
	n.give(in, path)
	var illegal []string
	in.toolNames(path, func(name string) {
		if _, known := n.changed[name]; known || n.legal(name) {
			return
		}
		n.change(name, "")
		illegal = append(illegal, name)
	})
	if illegal == nil {
		return n
	}
	taken := map[string]bool{}
	in.toolNames(path, func(name string) { taken[n.Wire(name)] = true })
	for _, name := range illegal {
		wire := n.rewrite(name, name)
		for i := 0; taken[wire]; i++ {
			wire = n.rewrite(name, name+":"+strconv.Itoa(i))
		}
		taken[wire] = true
		n.changed[name], n.original[wire] = wire, name
	}
	return n
}

// give gives tools the names of the identity. One that another tool of the request
// has, or a name of a tool of the service, is given to nobody.
func (n *Names) give(in *Input, path []string) {
	given := n.form.Identity.names()
	if len(given) == 0 {
		return
	}
	defined := map[string]bool{}
	for def := range in.Options.Tools.Elements() {
		typ := def.Object().Get("type").String()
		each(def, path, func(name jsonline.Value) {
			called := strings.TrimSpace(name.String())
			defined[called] = true
			if typ != "" && typ != "custom" {
				defined[given[called]] = true // its name is part of the format
			}
		})
	}
	for name, wire := range given {
		if name != wire && !defined[wire] {
			n.change(name, wire)
			n.original[wire] = name
		}
	}
}

// change notes that a name goes out as another one.
func (n *Names) change(name, wire string) {
	if n.changed == nil {
		n.changed, n.original = map[string]string{}, map[string]string{}
	}
	n.changed[name] = wire
}

// Edit says why a name goes out as another one.
func (n *Names) Edit(name string) hygiene.Edit {
	name = strings.TrimSpace(name)
	if wire, given := n.form.Identity.names()[name]; given && n.changed[name] == wire {
		return hygiene.Edit{Rule: "W-231", Reason: "the identity of this access gives the tool another name"}
	}
	return hygiene.Edit{Rule: "W-176", Reason: "tool name is not legal in this format"}
}

// toolNames visits the names of definitions and calls in order.
func (in *Input) toolNames(path []string, visit func(string)) {
	for def := range in.Options.Tools.Elements() {
		each(def, path, func(name jsonline.Value) {
			if name.IsString() {
				visit(strings.TrimSpace(name.String()))
			}
		})
	}
	for _, m := range in.Messages {
		for _, b := range m.Blocks() {
			if b.IsToolCall() {
				visit(b.Name())
			}
		}
	}
}

// Wire returns the name under which a tool goes out.
func (n *Names) Wire(name string) string {
	if wire, ok := n.changed[name]; ok {
		return wire
	}
	if n.legal(name) {
		return name
	}
	return n.rewrite(name, name)
}

// Equal reports whether two mappings give the same names to the same tools.
func (n *Names) Equal(o *Names) bool { return maps.Equal(n.changed, o.changed) }

// Original returns the name behind a name of the wire.
func (n *Names) Original(wire string) string {
	if name, ok := n.original[wire]; ok {
		return name
	}
	return wire
}

// Originals returns the names behind those of the wire that are other ones, nil where
// none is. They keep nothing of the request.
func (n *Names) Originals() map[string]string {
	if len(n.original) == 0 {
		return nil
	}
	names := make(map[string]string, len(n.original))
	for wire, name := range n.original {
		names[strings.Clone(wire)] = strings.Clone(name)
	}
	return names
}

// Definition returns a tool definition with its name, which stands at the given
// path, as it goes out.
func (n *Names) Definition(def jsonline.Value, path ...string) jsonline.Value {
	return replace(def, path, func(name jsonline.Value) jsonline.Value {
		if !name.IsString() {
			return name
		}
		old := name.String()
		if wire := n.Wire(strings.TrimSpace(old)); wire != old {
			return jsonline.Text(wire)
		}
		return name
	})
}

// Choice returns a tool choice, in which names stand at some of the paths, with
// the names of the wire.
func (n *Names) Choice(choice jsonline.Value, paths ...[]string) jsonline.Value {
	for _, path := range paths {
		choice = n.Definition(choice, path...)
	}
	return choice
}

func (n *Names) legal(name string) bool {
	if name == "" || len(name) > n.form.Max {
		return false
	}
	for i := range len(name) {
		if !n.allowed(rune(name[i])) {
			return false
		}
	}
	return !n.opens() || opensName(name[0])
}

// opens reports whether a name must start with a letter or '_'.
func (n *Names) opens() bool { return n.form.Google || n.form.LetterFirst }

func (n *Names) allowed(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
		return true
	}
	return n.form.Google && (r == '.' || r == ':')
}

func opensName(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
}

// rewrite replaces what is not allowed and ends the name in a hash of seed.
func (n *Names) rewrite(name, seed string) string {
	stem := strings.Map(func(r rune) rune {
		if n.allowed(r) {
			return r
		}
		return '_'
	}, name)
	if n.opens() && (stem == "" || !opensName(stem[0])) {
		stem = "_" + stem
	}
	sum := sha256.Sum256([]byte(seed))
	return stem[:min(len(stem), n.form.Max-hashTail)] + "_" + hex.EncodeToString(sum[:4])
}

// each visits the values at a path of member names. A list on the way stands for
// all its elements.
func each(v jsonline.Value, path []string, visit func(jsonline.Value)) {
	switch {
	case v.Kind == jsonline.Array && len(path) > 0:
		for e := range v.Elements() {
			each(e, path, visit)
		}
	case len(path) > 0:
		each(v.Object().Get(path[0]), path[1:], visit)
	default:
		visit(v)
	}
}

// replace returns v with other values at a path, v itself if f changes none.
func replace(v jsonline.Value, path []string, f func(jsonline.Value) jsonline.Value) jsonline.Value {
	switch {
	case len(path) == 0:
		return f(v)
	case v.Kind == jsonline.Array:
		list, _ := v.MapElements(func(e jsonline.Value) jsonline.Value { return replace(e, path, f) })
		return list
	}
	o := v.Object()
	old := o.Get(path[0])
	n := replace(old, path[1:], f)
	if same(old, n) {
		return v
	}
	return o.With(path[0], n).Value()
}

// same reports whether two values are the same bytes in memory.
func same(a, b jsonline.Value) bool {
	return len(a.Raw) == len(b.Raw) && (len(a.Raw) == 0 || &a.Raw[0] == &b.Raw[0])
}
