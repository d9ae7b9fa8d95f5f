package runner

import (
	"regexp"
	"strings"
)

// Channel is what the configuration says about the history of a channel, under
// channels.NAME. Limits count user turns; 0 is none.
type Channel struct {
	HistoryLimit   int `json:"historyLimit"`   // of groups and channels
	DMHistoryLimit int `json:"dmHistoryLimit"` // of direct messages
	// DMs are single users.
	DMs map[string]struct {
		HistoryLimit *int `json:"historyLimit"`
	} `json:"dms"`
}

// part of a channel that a user's id names, which is no part of the user.
var inThread = regexp.MustCompile(`:(?:thread|topic):[^:]*$`)

// HistoryLimit returns how many user turns of the session with that key go out, for
// hygeia.Past; 0 means all.
func HistoryLimit(key string, channels map[string]Channel) int {
	name, rest, _ := strings.Cut(atAgent(key), ":")
	kind, user, _ := strings.Cut(rest, ":")
	var c Channel
	for n, is := range channels {
		if strings.EqualFold(n, name) {
			c = is
		}
	}
	switch kind {
	case "dm", "direct":
		if own, ok := c.DMs[inThread.ReplaceAllString(user, "")]; ok && own.HistoryLimit != nil {
			return max(0, *own.HistoryLimit)
		}
		return max(0, c.DMHistoryLimit)
	case "channel", "group":
		return max(0, c.HistoryLimit)
	}
	return 0
}
