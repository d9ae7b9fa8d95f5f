package payload

import (
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
