package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/projection"
	"hygeia/runner/tools"
	"hygeia/session"
	"hygeia/transcript"
)

// HistoryTools returns the tools sessions_list and sessions_history for the session
// with that key: they let its model read what was said in the sessions that it may
// reach (H-81, S-32), as people are shown it.
func HistoryTools(d Sessions, a Access, from string) ([]tools.Tool, error) {
	redactor, err := session.NewRedactor()
	if err != nil {
		return nil, err
	}
	r := reach{d, a, from}
	return []tools.Tool{sessionLister{r}, historian{r, redactor}}, nil
}

// reach is what a session may see of the others.
type reach struct {
	Sessions
	access Access
	from   string
}

// refuses says why a session may not be read, "" if it may.
func (r reach) refuses(to Peer) (why string, err error) {
	from, ok, err := r.Find(r.from)
	if err != nil || !ok {
		return "", cmp.Or(err, fmt.Errorf("there is no session %q to read from", r.from))
	}
	return r.access.permits(from, to, func(key string) string {
		peer, _, err := r.Find(key)
		if err != nil {
			return ""
		}
		return peer.Parent
	}), nil
}

type sessionLister struct{ reach }

func (sessionLister) Name() string { return "sessions_list" }

func (sessionLister) Description() string {
	return "List the sessions that can be read with sessions_history, the one that changed last first."
}

func (sessionLister) Schema() string {
	return `{"type":"object","properties":{"limit":{"type":"integer","minimum":1,"maximum":200},"search":{"type":"string"}}}`
}

func (t sessionLister) Run(_ context.Context, c tools.Call) (tools.Result, error) {
	in := struct {
		Limit  int    `json:"limit"`
		Search string `json:"search"`
	}{Limit: 50}
	if err := json.Unmarshal(c.Arguments, &in); err != nil || in.Limit < 1 || in.Limit > 200 {
		return tools.Result{}, errors.New("the arguments of sessions_list are wrong: limit is from 1 to 200, search is a text")
	}
	type row struct {
		SessionKey string  `json:"sessionKey"`
		Title      string  `json:"title,omitempty"`
		UpdatedAt  float64 `json:"updatedAt,omitzero"` // milliseconds
	}
	rows := []row{}
	err := t.Each(func(agent, key string, o jsonline.Object) {
		r := row{SessionKey: key, Title: projection.OneLine(o.Get("label").String())}
		r.UpdatedAt, _ = o.Get("updatedAt").Number()
		p, err := peerOf(session.AgentStore(t.State, agent), agent, key, o)
		if err != nil || !strings.Contains(strings.ToLower(key+"\n"+r.Title), strings.ToLower(in.Search)) {
			return
		}
		if why, err := t.refuses(p); why == "" && err == nil {
			rows = append(rows, r)
		}
	})
	if err != nil {
		return tools.Result{}, err
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(b.UpdatedAt, a.UpdatedAt) })
	text, err := json.Marshal(map[string]any{"sessions": rows[:min(len(rows), in.Limit)], "total": len(rows)}, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	return tools.Result{Text: string(text)}, err
}

// The limits of what a model is shown of another session (H-81).
const (
	longestToldText = 4_000    // characters
	longestTold     = 80 << 10 // bytes of messages
)

type historian struct {
	reach
	redactor *session.Redactor
}

func (historian) Name() string { return "sessions_history" }

func (historian) Description() string {
	return "Read what was said in another session, the newest messages last. offset leaves out that many of the newest; nextOffset of the answer goes on with older ones."
}

func (historian) Schema() string {
	return `{"type":"object","properties":{"sessionKey":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":1000},` +
		`"offset":{"type":"integer","minimum":0},"includeTools":{"type":"boolean"}},"required":["sessionKey"]}`
}

// toldHistory is what a model is told of a session.
type toldHistory struct {
	Status           string           `json:"status"` // ok, forbidden
	SessionKey       string           `json:"sessionKey"`
	SessionID        string           `json:"sessionId,omitempty"`
	Error            string           `json:"error,omitempty"`
	Messages         []jsontext.Value `json:"messages"` // oldest first
	Offset           int              `json:"offset"`
	TotalMessages    int              `json:"totalMessages"`
	HasMore          bool             `json:"hasMore"`
	NextOffset       int              `json:"nextOffset,omitzero"`
	Truncated        bool             `json:"truncated"` // something of this page is missing
	DroppedMessages  int              `json:"droppedMessages"`
	ContentTruncated bool             `json:"contentTruncated"`
	ContentRedacted  bool             `json:"contentRedacted"`
	Bytes            int              `json:"bytes"`
}

func (t historian) Run(_ context.Context, c tools.Call) (tools.Result, error) {
	in := struct {
		SessionKey   string `json:"sessionKey"`
		Limit        int    `json:"limit"`
		Offset       int    `json:"offset"`
		IncludeTools bool   `json:"includeTools"`
	}{Limit: 200}
	if err := json.Unmarshal(c.Arguments, &in); err != nil {
		return tools.Result{}, fmt.Errorf("the arguments of sessions_history are wrong: %w", err)
	}
	if in.Limit < 1 || in.Limit > 1_000 || in.Offset < 0 {
		return tools.Result{}, errors.New("limit must be from 1 to 1000, offset must not be negative")
	}
	p, ok, err := t.Find(in.SessionKey)
	if err != nil {
		return tools.Result{}, err
	}
	if !ok {
		return tools.Result{}, fmt.Errorf("there is no session %q", in.SessionKey)
	}
	out := toldHistory{Status: "ok", SessionKey: p.Key, SessionID: p.ID, Messages: []jsontext.Value{}, Offset: in.Offset}
	if why, err := t.refuses(p); err != nil {
		return tools.Result{}, err
	} else if why != "" {
		out.Status, out.Error = string(Forbidden), why
	} else if err := t.read(p, in.Limit, in.IncludeTools, &out); err != nil {
		return tools.Result{}, err
	}
	text, err := json.Marshal(out, jsontext.AllowInvalidUTF8(true))
	return tools.Result{Text: string(text), Failed: out.Status != "ok"}, err
}

// read tells the page of at most limit messages that ends at the offset.
func (t historian) read(p Peer, limit int, withTools bool, out *toldHistory) error {
	list, err := t.shown(p, withTools, out)
	if err != nil {
		return err
	}
	out.TotalMessages = len(list)
	end := max(0, len(list)-out.Offset)
	begin := max(0, end-limit)
	at := end
	for ; at > begin; at-- {
		text := t.told(list[at-1], out)
		if len(text) > longestTold && at == end { // the newest one has a stand-in
			text = projection.JSON(transcript.NewText(list[at-1].Role(), texts.OmittedOversized))
			out.ContentTruncated = true
		}
		if out.Bytes+len(text) > longestTold {
			break
		}
		out.Bytes += len(text)
		out.Messages = append(out.Messages, text)
	}
	slices.Reverse(out.Messages)
	out.DroppedMessages = at - begin
	out.Truncated = out.DroppedMessages > 0 || out.ContentTruncated
	if out.HasMore = at > 0; out.HasMore {
		out.NextOffset = out.Offset + end - at
	}
	return nil
}

// shown returns what is shown of the active branch of a session.
func (t historian) shown(p Peer, withTools bool, out *toldHistory) ([]*transcript.Message, error) {
	s, _, err := session.Open(p.Path, session.OpenOptions{AsIs: true})
	if session.IsMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	b, err := s.Branch("")
	if err != nil {
		return nil, err
	}
	list := projection.Project(projection.Records(b.Entries()), projection.Options{Tools: withTools, Started: p.Started, Redact: func(text string) string {
		kept := t.redactor.Text(text)
		out.ContentRedacted = out.ContentRedacted || kept != text
		return kept
	}})
	if withTools {
		return list, nil
	}
	return slices.DeleteFunc(list, func(m *transcript.Message) bool {
		return m.Is(transcript.ToolResult) || m.HasToolCall() && projection.Words(m, 0) == ""
	}), nil
}

// told writes a message for a model: without what it costs, with texts of a bounded
// length.
func (t historian) told(m *transcript.Message, out *toldHistory) jsontext.Value {
	m = m.Without("usage", "cost", "details")
	short := func(text string) string {
		if utf8.RuneCountInString(text) <= longestToldText {
			return text
		}
		out.ContentTruncated = true
		return string([]rune(text)[:longestToldText]) + "\n" + texts.ShownTruncated
	}
	if v := m.Text(); v.Exists() {
		return projection.JSON(m.WithText(short(v.String())))
	}
	if len(m.Blocks()) == 0 {
		return projection.JSON(m)
	}
	blocks := slices.Clone(m.Blocks())
	for i, b := range blocks {
		if v := b.Get("text"); v.IsString() {
			blocks[i] = b.With("text", jsonline.Text(short(v.String())))
		}
	}
	return projection.JSON(m.WithBlocks(blocks))
}
