package projection

import (
	"strings"
	"unicode/utf8"

	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/internal/wrappers"
	"hygeia/transcript"
)

// hides reports whether a stored message is not shown.
func (p *Projector) hides(s stripped) bool {
	if v := s.Get("display"); v.Exists() && v.Kind == jsonline.False {
		return true
	}
	switch s.kind {
	case userTurn:
		return s.heartbeat || announced(s.Message) || isEmptyTurn(s.Message)
	case model:
		if s.StopReason() == transcript.StopError {
			return false // people have to know
		}
		return isSilentTurn(selectAnswer(s.Message)) || isCommentary(s.Message) || s.acknowledges
	case nobody:
		return s.Is(transcript.Custom) && s.Get("customType").String() == carrierType
	}
	return false
}

// carrierType marks hidden context of a turn.
const carrierType = "openclaw.runtime-context"

// isEmptyTurn reports whether a user turn says nothing and brings nothing.
func isEmptyTurn(m *transcript.Message) bool {
	return onlyText(m) && blank(words(m)) && !m.Get("MediaPath").Exists() && !m.Get("MediaPaths").Exists()
}

// isSilentTurn reports whether all an answer says is that there is none
// (X-44 a). Thinking on the way to it is no content.
func isSilentTurn(m *transcript.Message) bool {
	return onlyTextOrThinking(m) && wrappers.IsSilentToken(words(m))
}

func onlyTextOrThinking(m *transcript.Message) bool {
	for _, b := range m.Blocks() {
		if _, ok := textOf(b); !ok && !b.IsThinking() {
			return false
		}
	}
	return true
}

// isCommentary reports whether a turn is talk on the way to an answer (X-44 b).
func isCommentary(m *transcript.Message) bool {
	if m.HasToolCall() && !blank(words(m)) {
		return false
	}
	if m.Get("phase").String() == commentary {
		return true
	}
	phased := 0
	for _, b := range m.Blocks() {
		switch phase(b) {
		case "":
		case commentary:
			phased++
		default:
			return false
		}
	}
	return phased > 0
}

// The phases of OpenAI's answers.
const (
	commentary  = "commentary"
	finalAnswer = "final_answer"
)

// phase returns the phase that the signature of a text names, or "".
func phase(b *transcript.Block) string {
	v := b.Get("textSignature")
	if !v.IsString() || b.Type() != "text" {
		return ""
	}
	s := v.String()
	if !strings.HasPrefix(s, "{") {
		return ""
	}
	return jsonline.ParseObject([]byte(s)).Get("phase").String()
}

// mostAcknowledgement is how much else an acknowledgement may say, in
// characters.
const mostAcknowledgement = 300

// acknowledges reports whether an answer is the routine one to a heartbeat
// . Outside a heartbeat only the token itself is (X-B09).
func (p *Projector) acknowledges(m *transcript.Message) bool {
	if m.HasToolCall() || !onlyTextOrThinking(m) || len(m.Blocks()) == 0 && m.ContentKind() != transcript.TextContent {
		return false
	}
	text := words(m)
	if isHeartbeatToken(text) {
		return true
	}
	if !p.heartbeat {
		return false
	}
	rest, found := cutHeartbeatToken(text)
	return blank(text) || found && utf8.RuneCountInString(rest) <= mostAcknowledgement
}

// decoration is what may stand around a token: marks of markdown, and the
// punctuation at its end.
const decoration = " \t\r\n*_`~>#"

func isHeartbeatToken(text string) bool {
	rest, found := cutHeartbeatToken(text)
	return found && rest == ""
}

// cutHeartbeatToken removes the token of a heartbeat from both edges of text.
func cutHeartbeatToken(text string) (rest string, found bool) {
	for {
		s := strings.Trim(text, decoration)
		tail := strings.TrimRight(s, ".!?,;:"+decoration)
		switch {
		case strings.HasPrefix(s, texts.HeartbeatOK) && !startsWord(s[len(texts.HeartbeatOK):]):
			text = strings.TrimLeft(s[len(texts.HeartbeatOK):], ".!?,;:"+decoration)
		case len(s)-len(tail) <= 4 && strings.HasSuffix(tail, texts.HeartbeatOK) && !endsWord(tail[:len(tail)-len(texts.HeartbeatOK)]):
			text = strings.TrimRight(tail[:len(tail)-len(texts.HeartbeatOK)], decoration)
		default:
			return text, found
		}
		found = true
	}
}

func startsWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return isWordRune(r)
}

func endsWord(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return isWordRune(r)
}

// removeHeartbeatToken takes the token from the edges of a text that says more.
// One that is quoted as code is spoken of.
func removeHeartbeatToken(text string) string {
	if !strings.Contains(text, texts.HeartbeatOK) || strings.Contains(text, "`"+texts.HeartbeatOK) {
		return text
	}
	if rest, found := cutHeartbeatToken(text); found && rest != "" {
		return rest
	}
	return text
}
