package wrappers

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"hygeia/internal/texts"
)

// IsSilent reports whether an assistant's text says that no reply is wanted: the token alone or repeated, as a JSON
// string, as the action of a JSON object, or behind closed think blocks (D-47).
func IsSilent(text string) bool {
	if isToken(text, texts.NoReply) {
		return true
	}
	text = strings.TrimSpace(text)
	if text == "" {
		return false
	}
	switch text[0] {
	case '"', '{':
		return isSilentJSON(text)
	case '<':
		answer, ok := afterThinking(text)
		return ok && isToken(answer, texts.NoReply)
	}
	return false
}

// IsSilentToken reports whether a shown text is one of the silent tokens, alone or repeated.
func IsSilentToken(text string) bool {
	return isToken(text, texts.NoReply, texts.AnnounceSkip, texts.ReplySkip)
}

// IsNonDeliverable reports whether a reply to another session is not passed on (S-43).
func IsNonDeliverable(text string) bool {
	return IsSilentToken(text) || isToken(text, texts.HeartbeatOK)
}

// isToken reports whether text is one of the tokens, once or several times, ignoring case and what is white space or
// punctuation at both ends.
func isToken(text string, tokens ...string) bool {
	text = strings.TrimFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) })
	for _, token := range tokens {
		if repeats(text, token) {
			return true
		}
	}
	return false
}

func repeats(text, token string) bool {
	for {
		if len(text) < len(token) || !strings.EqualFold(text[:len(token)], token) {
			return false
		}
		text = text[len(token):]
		if text == "" {
			return true
		}
		if r, _ := utf8.DecodeRuneInString(text); !unicode.IsSpace(r) {
			return false
		}
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
	}
}

// isSilentJSON recognises "NO_REPLY" as a JSON string and {"action":"NO_REPLY"} (R-24 b, c).
func isSilentJSON(text string) bool {
	d := jsontext.NewDecoder(strings.NewReader(text))
	token, err := d.ReadToken()
	if err != nil {
		return false
	}
	object := token.Kind() == '{'
	if object {
		name, err := d.ReadToken()
		if err != nil || name.Kind() != '"' || name.String() != "action" {
			return false
		}
		if token, err = d.ReadToken(); err != nil {
			return false
		}
	}
	if token.Kind() != '"' || strings.TrimSpace(token.String()) != texts.NoReply {
		return false
	}
	if object {
		if end, err := d.ReadToken(); err != nil || end.Kind() != '}' {
			return false
		}
	}
	return int(d.InputOffset()) == len(text)
}

// afterThinking returns what follows the closed think blocks at the start of text, if there is one (R-24 d).
func afterThinking(text string) (rest string, ok bool) {
	for {
		name, body, found := cutThinkTag(text)
		if !found {
			return text, ok
		}
		rest, found := afterClosing(body, name)
		if !found {
			return "", false
		}
		text, ok = strings.TrimLeftFunc(rest, unicode.IsSpace), true
	}
}

// cutThinkTag splits an opening think tag from what follows.
func cutThinkTag(s string) (name, rest string, ok bool) {
	const longest = 16 // a tag with the longer prefix
	head := s[:min(len(s), longest)]
	end := strings.IndexByte(head, '>')
	if end < 0 || head[0] != '<' {
		return "", "", false
	}
	name = strings.ToLower(head[1:end])
	bare := strings.TrimPrefix(strings.TrimPrefix(name, "antml:"), "mm:")
	switch bare {
	case "think", "thinking", "thought":
		return name, s[end+1:], true
	case "antthinking":
		return name, s[end+1:], bare == name
	}
	return "", "", false
}

// afterClosing returns what follows the first closing tag of that name.
func afterClosing(s, name string) (rest string, ok bool) {
	for {
		_, after, found := strings.Cut(s, "</")
		if !found {
			return "", false
		}
		if len(after) > len(name) && strings.EqualFold(after[:len(name)], name) && after[len(name)] == '>' {
			return after[len(name)+1:], true
		}
		s = after
	}
}

// StripThinking removes the closed think blocks at the start of text (S-30, R-24 d).
func StripThinking(text string) string {
	if rest, ok := afterThinking(strings.TrimSpace(text)); ok {
		return rest
	}
	return text
}
