package acceptance_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"hygeia"
)

// message is a message of any of the forms; absent members stay zero.
type message struct {
	Role             string          `json:"role"`
	Content          jsontext.Value  `json:"content"`
	ToolCallID       string          `json:"toolCallId"`
	ToolName         string          `json:"toolName"`
	IsError          bool            `json:"isError"`
	Summary          string          `json:"summary"`
	WireCallID       string          `json:"tool_call_id"`
	ToolCalls        []chatCall      `json:"tool_calls"`
	ReasoningContent string          `json:"reasoning_content"`
	Reasoning        string          `json:"reasoning"`
	ReasoningDetails []chatReasoning `json:"reasoning_details"`
}

type chatCall struct {
	ID       string `json:"id"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type chatReasoning struct {
	Text      string `json:"text"`
	Signature string `json:"signature"`
	Data      string `json:"data"`
}

// block is a content block of any of the forms.
type block struct {
	Type              string         `json:"type"`
	Text              string         `json:"text"`
	Thinking          string         `json:"thinking"`
	ThinkingSignature string         `json:"thinkingSignature"`
	ThoughtSignature  string         `json:"thoughtSignature"`
	SnakeSignature    string         `json:"thought_signature"`
	Signature         string         `json:"signature"`
	Data              string         `json:"data"`
	MimeType          string         `json:"mimeType"`
	ID                jsontext.Value `json:"id"`
	Name              jsontext.Value `json:"name"`
	Arguments         jsontext.Value `json:"arguments"`
	Input             jsontext.Value `json:"input"`
	ToolUseID         string         `json:"tool_use_id"`
	IsError           bool           `json:"is_error"`
	Content           jsontext.Value `json:"content"`
	Source            struct {
		MediaType string `json:"media_type"`
		Data      string `json:"data"`
	} `json:"source"`
	ImageURL struct {
		URL string `json:"url"`
	} `json:"image_url"`
}

// loose reads what a stored transcript may hold. A body is read strictly: it
// must be JSON that any provider takes.
var (
	loose  = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	strict = json.JoinOptions()
)

// readMessages reads a list of canonical messages.
func readMessages(name string, list []byte) (*view, error) {
	var raw []jsontext.Value
	if err := json.Unmarshal(list, &raw, loose); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return newView(name, list, raw, loose)
}

// viewBody reads the messages of a request body of any format. Those that do not
// speak in messages are seen through their decoder.
func viewBody(api string, body []byte) (*view, error) {
	switch api {
	case "openai-responses", "openai-chatgpt-responses", "azure-openai-responses",
		"google-generative-ai", "google-vertex", "google-gemini-cli", "bedrock-converse-stream":
	default:
		return readBody(body)
	}
	if err := json.Unmarshal(body, new(jsontext.Value), strict); err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	t, err := hygeia.Read(bytes.NewReader(body), "body", hygeia.OpenOptions{Format: hygeia.FormatRequest(api)})
	if err != nil {
		return nil, err
	}
	v, err := readMessages("body", join(t.Context.Messages))
	if err != nil {
		return nil, err
	}
	v.json = body
	return v, nil
}

// readBody reads the messages of a request body that has a list of them.
func readBody(body []byte) (*view, error) {
	var request struct {
		Messages []jsontext.Value `json:"messages"`
	}
	if err := json.Unmarshal(body, &request, strict); err != nil {
		return nil, fmt.Errorf("body: %w", err)
	}
	return newView("body", body, request.Messages, strict)
}

func newView(name string, document []byte, raw []jsontext.Value, o json.Options) (*view, error) {
	v := &view{name: name, json: document}
	for i, r := range raw {
		var m message
		if err := json.Unmarshal(r, &m, o); err != nil {
			return nil, fmt.Errorf("%s: message %d: %w", name, i, err)
		}
		t, err := m.turn(o)
		if err != nil {
			return nil, fmt.Errorf("%s: message %d: %w", name, i, err)
		}
		t.raw = r
		v.turns = append(v.turns, t)
	}
	return v, nil
}

func (m *message) turn(o json.Options) (turn, error) {
	t := turn{role: m.Role}
	parts, err := content(m.Content, o)
	if err != nil {
		return t, err
	}
	if string(m.Content) == `""` && len(m.ToolCalls) > 0 {
		parts = nil // as good as null beside calls
	}
	switch id := m.ToolCallID + m.WireCallID; {
	case m.Role == "toolResult" || m.Role == "tool":
		t.parts = []part{{kind: resultPart, id: id, name: m.ToolName, isError: m.IsError, inner: parts, text: joined(parts)}}
		return t, nil
	case m.Summary != "":
		parts = append(parts, part{kind: textPart, text: m.Summary})
	}
	t.parts = append(m.reasoning(), parts...)
	for _, c := range m.ToolCalls {
		t.parts = append(t.parts, part{kind: callPart, id: c.ID, name: c.Function.Name, arguments: c.Function.Arguments})
	}
	return t, nil
}

// reasoning returns the thinking that Chat Completions keeps beside the
// content.
func (m *message) reasoning() []part {
	var parts []part
	for _, s := range []string{m.ReasoningContent, m.Reasoning} {
		if s != "" {
			parts = append(parts, part{kind: thinkingPart, text: s})
		}
	}
	for _, d := range m.ReasoningDetails {
		parts = append(parts, part{kind: thinkingPart, text: d.Text, signature: d.Signature + d.Data})
	}
	return parts
}

// content reads a string, a block or a list of blocks.
func content(v jsontext.Value, o json.Options) ([]part, error) {
	switch v.Kind() {
	case '"':
		var s string
		err := json.Unmarshal(v, &s, o)
		return []part{{kind: textPart, text: s}}, err
	case '{':
		v = jsontext.Value("[" + string(v) + "]")
	case '[':
	default:
		return nil, nil
	}
	var list []jsontext.Value
	if err := json.Unmarshal(v, &list, o); err != nil {
		return nil, err
	}
	var parts []part
	for _, raw := range list {
		var b block
		if raw.Kind() == '{' {
			if err := json.Unmarshal(raw, &b, o); err != nil {
				return nil, err
			}
		}
		p, err := b.part(o)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}

func (b *block) part(o json.Options) (part, error) {
	switch b.Type {
	case "text":
		return part{kind: textPart, text: b.Text}, nil
	case "thinking", "redacted_thinking":
		return part{kind: thinkingPart, text: b.Thinking, signature: b.ThinkingSignature + b.Signature + b.Data}, nil
	case "toolCall", "tool_use", "functionCall", "toolUse", "tool_call", "function_call":
		arguments := b.Arguments
		if arguments == nil {
			arguments = b.Input
		}
		signature := b.ThoughtSignature + b.SnakeSignature
		return part{kind: callPart, id: word(b.ID), name: word(b.Name), arguments: string(arguments), signature: signature}, nil
	case "image", "image_url":
		p := part{kind: imagePart, mime: b.MimeType + b.Source.MediaType, data: b.Data + b.Source.Data}
		if head, data, ok := strings.Cut(b.ImageURL.URL, ";base64,"); ok {
			p.mime, p.data = strings.TrimPrefix(head, "data:"), data
		}
		return p, nil
	case "tool_result":
		inner, err := content(b.Content, o)
		return part{kind: resultPart, id: b.ToolUseID, isError: b.IsError, inner: inner, text: joined(inner)}, err
	}
	return part{kind: otherPart}, nil
}

// word returns a string, or "" for anything else.
func word(v jsontext.Value) string {
	var s string
	if v.Kind() == '"' && json.Unmarshal(v, &s, loose) != nil {
		return ""
	}
	return s
}

func joined(parts []part) string {
	var texts []string
	for _, p := range parts {
		if p.kind == textPart {
			texts = append(texts, p.text)
		}
	}
	return strings.Join(texts, "\n")
}
