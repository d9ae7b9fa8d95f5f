package wire

import (
	"bytes"
	"slices"

	"hygeia/wire/internal/tree"
)

// lists are the members in which requests hold their messages, by format; where
// nothing stands here it is messages.
var lists = map[string]string{openaiResponses: "input", google: "contents"}

// Body returns the body of a request in a format, and whether the text was only its
// list of messages: a JSON array, or one message per line.
func Body(text []byte, format string) (body []byte, listed bool) {
	list := asList(text)
	if list == nil {
		return text, false
	}
	name := lists[format]
	if name == "" {
		name = "messages"
	}
	return slices.Concat([]byte(`{"`+name+`":`), list, []byte("}")), true
}

// asList returns a list of messages as a JSON array, nil where the text is none.
func asList(text []byte) []byte {
	if first := bytes.TrimLeft(text, " \t\r\n"); len(first) > 0 && first[0] == '[' {
		return text
	}
	list := []byte{'['}
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if m, err := tree.Parse(line); err != nil || !m.Get("role").IsString() && !itemTypes[m.Get("type").Text()] {
			return nil
		}
		if len(list) > 1 {
			list = append(list, ',')
		}
		list = append(list, line...)
	}
	if len(list) == 1 {
		return nil
	}
	return append(list, ']')
}

// DetectList returns the API in whose words a list of messages stands, as far as only
// that API says so, and "" for messages in the words of package transcript, or of
// nobody in particular. An alias that such messages may have is no sign of an API.
func DetectList(text []byte) string {
	root, err := tree.Parse(asList(text))
	if err != nil {
		return ""
	}
	api := ""
	for m := range root.Elements() {
		if isStored(m) {
			return ""
		}
		if api == "" {
			api = wordsOf(m)
		}
	}
	return api
}

// storedRoles and storedMembers are what only stored messages have (F-31 to F-38).
var (
	storedRoles   = map[string]bool{"toolResult": true, "custom": true, "bashExecution": true, "branchSummary": true, "compactionSummary": true}
	storedMembers = []string{"provider", "api", "stopReason", "timestamp", "provenance", "__openclaw"}
)

func isStored(m tree.Node) bool {
	return storedRoles[m.Get("role").Text()] ||
		slices.ContainsFunc(storedMembers, func(name string) bool { return m.Get(name).Exists() }) ||
		slices.ContainsFunc(slices.Collect(m.Get("content").Elements()), func(b tree.Node) bool { return b.Get("type").Is("toolCall") })
}

// itemTypes are the items of a Responses request that are no message with a role.
var itemTypes = map[string]bool{"function_call": true, "function_call_output": true, "reasoning": true, "item_reference": true}

// wordsOf returns the API that alone writes a message like that, "" where there is
// none.
func wordsOf(m tree.Node) string {
	role := m.Get("role")
	switch {
	case itemTypes[m.Get("type").Text()]:
		return openaiResponses
	case m.Get("parts").IsArray():
		return google
	case spelledOllama(m), m.Get("tool_name").IsString():
		return ollama
	case role.Is("tool"), role.Is("system"), role.Is("developer"), m.Get("tool_calls").IsArray():
		return openaiChat
	}
	for b := range m.Get("content").Elements() {
		switch {
		case b.Get("type").Is("tool_result") && role.Is("user"):
			return anthropicMessages
		case b.Get("toolUse").IsObject(), b.Get("toolResult").IsObject():
			return bedrock
		}
	}
	return ""
}
