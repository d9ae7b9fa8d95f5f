package payload

import (
	"errors"
	"fmt"
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/wire"
)

// toolForms are the ways in which formats write the definition of a tool.
var toolForms = map[string]func(t *wire.Tool) jsonline.Object{
	"anthropic-messages":       func(t *wire.Tool) jsonline.Object { return described(t).With("input_schema", schema(t)) },
	"openai-completions":       function,
	"mistral-conversations":    function,
	"ollama":                   function,
	"openai-responses":         item,
	"openai-chatgpt-responses": item,
	"azure-openai-responses":   item,
	"google-generative-ai":     declaration,
	"google-vertex":            declaration,
	"google-gemini-cli":        declaration,
	"bedrock-converse-stream": func(t *wire.Tool) jsonline.Object {
		json := jsonline.Object{}.With("json", schema(t)).Value()
		return wrapped("toolSpec", described(t).With("inputSchema", json))
	},
}

// ErrTool says that an element of a list of tools defines none.
var ErrTool = errors.New("no definition of a tool")

// CheckTools says which element of a list of definitions, in the form of any
// API, defines no tool. Such a body would be refused (AN-09, AN-33, W-254). The
// error wraps [ErrTool] and counts the elements from 0.
func CheckTools(api string, tools jsonline.Value) error {
	i := 0
	for def := range tools.Elements() {
		if reason := notTool(api, def); reason != "" {
			return fmt.Errorf("element %d: %w: %s", i, ErrTool, reason)
		}
		i++
	}
	return nil
}

// notTool says why a value defines no tool, "" where it does.
func notTool(api string, def jsonline.Value) string {
	if def.Kind != jsonline.ObjectKind {
		return "expected an object"
	}
	o := def.Object()
	typ := o.Get("type").String()
	switch list := o.Get("functionDeclarations"); {
	case list.Exists():
		for d := range list.Elements() {
			if !hasName(d.Object()) {
				return "a function declaration has no name"
			}
		}
		return ""
	case nameOf(o) != "":
		return ""
	case typ != "" && typ != "function" && typ != "custom":
		return "" // a tool of the service
	case ownTool(api, o):
		return ""
	}
	return "it has no name"
}

func hasName(o jsonline.Object) bool { return nameOf(o) != "" }

// nameOf returns the name in a definition of any format, "" for none.
func nameOf(o jsonline.Object) string {
	for _, member := range []string{"function", "custom", "toolSpec"} {
		if v := o.Get(member); v.Exists() {
			o = v.Object()
		}
	}
	return strings.TrimSpace(o.Get("name").String())
}

// ownTool reports whether a definition names a tool of the service by its only
// kind of member, as Google's format and Converse do: {"googleSearch":{}}.
func ownTool(api string, o jsonline.Object) bool {
	if !strings.HasPrefix(api, "google-") && api != "bedrock-converse-stream" {
		return false
	}
	n := 0
	for name, v := range o.Members() {
		if v.Kind != jsonline.ObjectKind || name == "function" || name == "toolSpec" {
			return false
		}
		n++
	}
	return n > 0
}

// Tools returns the definitions of tools in the form of an API. It is absent for
// none and for an API that no form is known of.
func Tools(api string, tools []wire.Tool) jsonline.Value {
	form := toolForms[api]
	if form == nil || len(tools) == 0 {
		return jsonline.Value{}
	}
	raw := []byte{'['}
	for i := range tools {
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = form(&tools[i]).AppendTo(raw)
	}
	return jsonline.Value{Raw: append(raw, ']'), Kind: jsonline.Array}
}

func described(t *wire.Tool) jsonline.Object {
	o := jsonline.Object{}.With("name", jsonline.Text(t.Name))
	if t.Description.IsString() {
		o = o.With("description", t.Description)
	}
	return o
}

// schema returns the schema of the arguments, that of none where the definition
// has none.
func schema(t *wire.Tool) jsonline.Value {
	if t.Schema.Kind == jsonline.ObjectKind {
		return t.Schema
	}
	return NoArguments()
}

// NoArguments returns the schema of a tool that takes no arguments (W-254).
func NoArguments() jsonline.Value {
	return jsonline.Object{}.With("type", jsonline.Text("object")).With("properties", jsonline.Object{}.Value()).Value()
}

func function(t *wire.Tool) jsonline.Object {
	return jsonline.Object{}.With("type", jsonline.Text("function")).With("function", described(t).With("parameters", schema(t)).Value())
}

func item(t *wire.Tool) jsonline.Object {
	o := jsonline.Object{}.With("type", jsonline.Text("function")).With("name", jsonline.Text(t.Name))
	if t.Description.IsString() {
		o = o.With("description", t.Description)
	}
	return o.With("parameters", schema(t))
}

func declaration(t *wire.Tool) jsonline.Object {
	list := append(described(t).With("parametersJsonSchema", schema(t)).AppendTo([]byte{'['}), ']')
	return wrapped("functionDeclarations", jsonline.Object{}).With("functionDeclarations", jsonline.Value{Raw: list, Kind: jsonline.Array})
}

func wrapped(name string, o jsonline.Object) jsonline.Object {
	return jsonline.Object{}.With(name, o.Value())
}
