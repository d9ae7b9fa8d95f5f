package payload

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"hygeia/internal/jsonline"
)

// NameForm is the form of tool names that a wire format takes (W-176).
type NameForm struct {
	// Max is the longest name in characters, 0 means 64.
	Max int
	// Google also allows '.' and ':', and demands a letter or '_' in front.
	Google bool
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
// "name". A legal name is never touched.
func NewNames(in *Input, form NameForm, path ...string) *Names {
	if form.Max == 0 {
		form.Max = 64
	}
	n := &Names{form: form}
	var illegal []string
	in.toolNames(path, func(name string) {
		if _, known := n.changed[name]; known || n.legal(name) {
			return
		}
		if n.changed == nil {
			n.changed, n.original = map[string]string{}, map[string]string{}
		}
		n.changed[name] = ""
		illegal = append(illegal, name)
	})
	if illegal == nil {
		return n
	}
	taken := map[string]bool{}
	in.toolNames(path, func(name string) { taken[name] = true })
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

// toolNames visits the names of definitions and calls in order.
func (in *Input) toolNames(path []string, visit func(string)) {
	for def := range in.Options.Tools.Elements() {
		if name := at(def, path); name.IsString() {
			visit(strings.TrimSpace(name.String()))
		}
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

// Original returns the name behind a name of the wire.
func (n *Names) Original(wire string) string {
	if name, ok := n.original[wire]; ok {
		return name
	}
	return wire
}

// Definition returns a tool definition with its name, which stands at the given
// path, as it goes out.
func (n *Names) Definition(def jsonline.Value, path ...string) jsonline.Value {
	name := at(def, path)
	if !name.IsString() {
		return def
	}
	old := name.String()
	wire := n.Wire(strings.TrimSpace(old))
	if wire == old {
		return def
	}
	return put(def, path, jsonline.Text(wire))
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
	return !n.form.Google || opensName(name[0])
}

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
	if n.form.Google && (stem == "" || !opensName(stem[0])) {
		stem = "_" + stem
	}
	sum := sha256.Sum256([]byte(seed))
	return stem[:min(len(stem), n.form.Max-hashTail)] + "_" + hex.EncodeToString(sum[:4])
}

// at returns the value at a path of member names.
func at(v jsonline.Value, path []string) jsonline.Value {
	for _, name := range path {
		v = v.Object().Get(name)
	}
	return v
}

// put returns v with another value at a path that exists.
func put(v jsonline.Value, path []string, leaf jsonline.Value) jsonline.Value {
	if len(path) == 0 {
		return leaf
	}
	o := v.Object()
	return o.With(path[0], put(o.Get(path[0]), path[1:], leaf)).Value()
}
