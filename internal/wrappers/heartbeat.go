package wrappers

import (
	"strings"

	"hygeia/internal/texts"
)

// IsHeartbeatPrompt reports whether user text is a heartbeat that a program sent. configured is the prompt of
// the configuration, or "".
func IsHeartbeatPrompt(text, configured string) bool {
	text = strings.TrimSpace(text)
	if text == texts.KnownHeartbeatPoll || text == texts.HeartbeatPoll {
		return true
	}
	if configured = strings.TrimSpace(configured); configured != "" && strings.HasPrefix(text, configured) {
		return true
	}
	line, _ := cutLine(text)
	switch {
	case isDeliveryHint(line):
		return strings.HasSuffix(text, texts.KnownHeartbeatPoll) || strings.HasSuffix(text, texts.HeartbeatPoll)
	case strings.HasPrefix(line, texts.HeartbeatOpening):
		return strings.Contains(line, texts.HeartbeatOK) || strings.Contains(line, texts.HeartbeatRespond)
	case strings.HasPrefix(text, texts.PeriodicTasksOpening):
		return strings.Contains(text, texts.PeriodicTasksSentence)
	}
	return false
}
