package naming

import (
	"slices"
	"strings"

	"hygeia/proxy/endpoint"
)

// place is where a name stands in an answer, or in an event of one.
type place struct {
	path  []string // names of members, "[]" for all elements of a list
	types []string // of the object that holds the name, nil for any
}

// deepest is the level of the deepest place: that behind the envelope of Cloud
// Code Assist.
const deepest = 8

// at returns the place with a path like "content[].name" in objects of the given
// types.
func at(path string, types ...string) place {
	return place{strings.Split(strings.ReplaceAll(path, "[]", ".[]"), "."), types}
}

// under returns places behind a path.
func under(path string, places []place) []place {
	var out []place
	for _, p := range places {
		out = append(out, place{slices.Concat(at(path).path, p.path), p.types})
	}
	return out
}

var (
	message = []place{
		at("content[].name", "tool_use"),
		at("content_block.name", "tool_use"),
	}
	chatCalls = []place{
		at("tool_calls[].function.name"),
		at("tool_calls[].custom.name"),
	}
	chat = slices.Concat(under("choices[].message", chatCalls), under("choices[].delta", chatCalls))
	// response echoes the tools of the request and which of them may be called.
	response = []place{
		at("output[].name", "function_call", "custom_tool_call"),
		at("tools[].name"),
		at("tool_choice.name"),
		at("tool_choice.tools[].name"),
	}
	responses = slices.Concat(response, under("response", response), []place{
		at("item.name", "function_call", "custom_tool_call"),
		at("name", "response.function_call_arguments.done"),
	})
	gemini = []place{at("candidates[].content.parts[].functionCall.name")}
)

// places are those of each API, whole answers and events of streams.
var places = map[string][]place{
	endpoint.Anthropic:  message,
	endpoint.Chat:       chat,
	endpoint.Mistral:    chat,
	endpoint.Responses:  responses,
	endpoint.Codex:      responses,
	endpoint.Azure:      responses,
	endpoint.Gemini:     gemini,
	endpoint.Vertex:     gemini,
	endpoint.CodeAssist: under("response", gemini),
	endpoint.Bedrock:    {at("output.message.content[].toolUse.name"), at("start.toolUse.name")},
	endpoint.Ollama:     under("message", chatCalls[:1]),
}
