package runner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"hygeia/internal/wrappers"
	"hygeia/runner/tools"
)

// Tool returns the tool sessions_send for the session with that key (S-30).
func (p *Post) Tool(from string) tools.Tool { return sender{p, from} }

type sender struct {
	post *Post
	from string
}

func (sender) Name() string { return sendTool }

func (sender) Description() string {
	return "Send a message to another session and wait for its reply. The target is named by sessionKey, or by label, or by agentId " +
		"for the main session of an agent. timeoutSeconds 0 does not wait."
}

func (sender) Schema() string {
	return `{"type":"object","properties":{"message":{"type":"string"},"sessionKey":{"type":"string"},` +
		`"label":{"type":"string","minLength":1,"maxLength":512},"agentId":{"type":"string","minLength":1,"maxLength":64},` +
		`"timeoutSeconds":{"type":"integer","minimum":0}},"required":["message"]}`
}

// sendArguments are those of the tool. The aliases of message count where it is
// blank.
type sendArguments struct {
	Message     string `json:"message"`
	SendMessage string `json:"SendMessage"`
	Content     string `json:"content"`
	Text        string `json:"text"`
	SessionKey  string `json:"sessionKey"`
	Label       string `json:"label"`
	AgentID     string `json:"agentId"`
	Timeout     *int64 `json:"timeoutSeconds"`
}

// The waiting time where the call names none, and the longest, in seconds.
const (
	defaultReply = 30
	longestReply = 24 * 60 * 60
)

func (t sender) Run(ctx context.Context, c tools.Call) (tools.Result, error) {
	var in sendArguments
	if err := json.Unmarshal(c.Arguments, &in); err != nil {
		return tools.Result{}, fmt.Errorf("the arguments of %s are wrong: %w", sendTool, err)
	}
	seconds := int64(defaultReply)
	if in.Timeout != nil {
		seconds = *in.Timeout
	}
	switch {
	case seconds < 0:
		return tools.Result{}, errors.New("timeoutSeconds must not be negative")
	case utf8.RuneCountInString(in.Label) > 512:
		return tools.Result{}, errors.New("label has more than 512 characters")
	case utf8.RuneCountInString(in.AgentID) > 64:
		return tools.Result{}, errors.New("agentId has more than 64 characters")
	}
	r := t.post.Send(ctx, Message{
		Text: in.text(), From: t.from, SessionKey: strings.TrimSpace(in.SessionKey), Label: in.Label, Agent: in.AgentID,
		Wait: time.Duration(min(seconds, longestReply)) * time.Second, Run: runOf(t.from, c), Origin: originIn(ctx),
	})
	text, err := json.Marshal(r)
	return tools.Result{Text: string(text), Failed: r.Status == Errored || r.Status == Forbidden || r.Status == TimedOut}, err
}

func (in *sendArguments) text() string {
	if strings.TrimSpace(in.Message) != "" {
		return in.Message
	}
	for _, alias := range []string{in.SendMessage, in.Content, in.Text} {
		if alias = wrappers.StripThinking(alias); strings.TrimSpace(alias) != "" {
			return alias
		}
	}
	return ""
}

// runOf returns the id of the run that a call starts: the same for the same call.
func runOf(from string, c tools.Call) string {
	sum := sha256.Sum256([]byte(from + "\x00" + c.Session + "\x00" + c.Turn + "\x00" + c.ID))
	return hex.EncodeToString(sum[:16])
}

// originKey is the key of the origin of the prompt that is being answered, in the
// context of tools.
type originKey struct{}

func withOrigin(ctx context.Context, o *Origin) context.Context {
	return context.WithValue(ctx, originKey{}, o)
}

func originIn(ctx context.Context) *Origin {
	o, _ := ctx.Value(originKey{}).(*Origin)
	return o
}
