package wrappers

import (
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"hygeia/internal/texts"
)

// SenderLabel returns the name of the sender that the metadata around a user's text gives, or "".
func SenderLabel(text string) string {
	if !strings.Contains(text, texts.SenderHeader) && !strings.Contains(text, texts.ConversationHeader) {
		return ""
	}
	return ShowUser(text).Sender
}

// learn keeps the first JSON body of each kind that names a sender.
func (c *stripper) learn(header, body string) {
	switch {
	case header == texts.SenderHeader && c.sender == "":
		c.sender = body
	case header == texts.ConversationHeader && c.conversation == "":
		c.conversation = body
	}
}

// senderLabel reads the name from the sender block, else from the conversation's sender.
func (c *stripper) senderLabel() string {
	if label := firstName(members(c.sender), "label", "name", "username", "e164", "id"); label != "" {
		return label
	}
	sender, ok := members(c.conversation)["sender"]
	if !ok {
		return ""
	}
	if label := plain(sender); label != "" {
		return label
	}
	return firstName(members(string(sender)), "name", "username", "e164", "id")
}

func firstName(object map[string]jsontext.Value, names ...string) string {
	for _, name := range names {
		if label := plain(object[name]); label != "" {
			return label
		}
	}
	return ""
}

// members decodes a JSON object leniently. The zero-width space that keeps a fence from closing inside it goes.
func members(body string) map[string]jsontext.Value {
	if body == "" {
		return nil
	}
	var object map[string]jsontext.Value
	body = strings.ReplaceAll(body, "`\u200b", "`")
	err := json.Unmarshal([]byte(body), &object, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return nil
	}
	return object
}

// plain is the trimmed text of a JSON string, the literal of a number, else "".
func plain(value jsontext.Value) string {
	switch value.Kind() {
	case '"':
		text, err := jsontext.AppendUnquote(nil, value)
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(text))
	case '0':
		return string(value)
	}
	return ""
}
