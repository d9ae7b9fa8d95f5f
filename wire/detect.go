package wire

import (
	"errors"

	"hygeia/wire/internal/tree"
)

// ErrAmbiguous says that a body could be one of several formats.
var ErrAmbiguous = errors.New("the body could be a request of several APIs")

// ErrNoRequest says that a text is no request body of a format that is known.
var ErrNoRequest = errors.New("no request body")

// The formats by the names of P-01.
const (
	anthropicMessages = "anthropic-messages"
	openaiChat        = "openai-completions"
	openaiResponses   = "openai-responses"
	google            = "google-generative-ai"
	geminiCLI         = "google-gemini-cli"
	bedrock           = "bedrock-converse-stream"
	mistral           = "mistral-conversations"
	ollama            = "ollama"
)

// Detect returns the API of a body by its shape. Formats that say the same in the
// same way are told apart by the caller: a request to Vertex is one of Google's,
// one of Azure is one of OpenAI's. The error is [ErrNoRequest], [ErrAmbiguous] or
// says where the body is no JSON.
func Detect(body []byte) (string, error) {
	root, err := tree.Parse(body)
	if err != nil {
		return "", err
	}
	input := root.Get("input")
	switch {
	case root.Get("request").Get("contents").IsArray():
		return geminiCLI, nil
	case root.Get("contents").IsArray():
		return google, nil
	case root.Get("messages").IsArray():
		return chatLike(root)
	case input.IsArray(), input.IsString() && root.Get("model").IsString():
		return openaiResponses, nil
	}
	return "", ErrNoRequest
}

// members are top-level members that only one of the formats with messages has.
var members = []struct{ name, api string }{
	{"anthropic_version", anthropicMessages},
	{"toolConfig", bedrock},
	{"inferenceConfig", bedrock},
	{"modelId", bedrock},
	{"keep_alive", ollama},
	{"options", ollama},
	{"think", ollama},
	{"safe_prompt", mistral},
	{"random_seed", mistral},
	{"prompt_mode", mistral},
	{"max_completion_tokens", openaiChat},
	{"stop_sequences", anthropicMessages},
}

// chatLike tells the formats with a list of messages apart. The first sign that
// is found counts.
func chatLike(root tree.Node) (string, error) {
	for _, m := range members {
		if root.Get(m.name).Exists() {
			return m.api, nil
		}
	}
	if root.Get("thinking").Get("budget_tokens").Exists() {
		return anthropicMessages, nil
	}
	if s := root.Get("system"); blockOf(s) == bedrock {
		return bedrock, nil
	} else if s.Given() {
		return anthropicMessages, nil
	}
	for t := range root.Get("tools").Elements() {
		switch {
		case t.Get("function").IsObject():
			return openaiChat, nil
		case t.Get("input_schema").IsObject(), t.Get("name").IsString():
			return anthropicMessages, nil
		}
	}
	for m := range root.Get("messages").Elements() {
		if api := messageOf(m); api != "" {
			return api, nil
		}
	}
	return "", ErrAmbiguous
}

// messageOf returns the format of a message, "" where it could be of several.
func messageOf(m tree.Node) string {
	switch role := m.Get("role"); {
	case m.Get("images").IsArray(), m.Get("tool_name").IsString(), m.Get("thinking").IsString():
		return ollama
	case spelledOllama(m):
		return ollama
	case role.Is("tool"), role.Is("developer"), role.Is("system"), m.Get("tool_calls").IsArray(), m.Get("tool_call_id").IsString(), m.Get("reasoning_content").IsString():
		return openaiChat
	}
	return blockOf(m.Get("content"))
}

// spelledOllama reports whether a call has an object of arguments and no id.
func spelledOllama(m tree.Node) bool {
	for c := range m.Get("tool_calls").Elements() {
		return c.Get("function").Get("arguments").IsObject() && !c.Get("id").Exists()
	}
	return false
}

// blockTypes are types of content blocks that only one format has.
var blockTypes = map[string]string{
	"tool_use": anthropicMessages, "tool_result": anthropicMessages, "thinking": anthropicMessages, "redacted_thinking": anthropicMessages,
	"server_tool_use": anthropicMessages, "document": anthropicMessages, "image": anthropicMessages,
	"document_url": mistral, "reference": mistral,
	"image_url": openaiChat, "input_audio": openaiChat, "file": openaiChat, "refusal": openaiChat,
}

// blockOf returns the format of a list of blocks, "" where it could be of
// several. Blocks of Bedrock have no type.
func blockOf(content tree.Node) string {
	for b := range content.Elements() {
		if b.Get("type").Is("thinking") && b.Get("thinking").IsArray() || b.Get("image_url").IsString() && b.Get("type").Is("image_url") {
			return mistral
		}
		if api := blockTypes[b.Get("type").Text()]; api != "" {
			return api
		}
		if b.IsObject() && !b.Get("type").Exists() {
			return bedrock
		}
	}
	return ""
}
