package hygeia

import (
	"slices"
	"strings"
	"time"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	words "hygeia/internal/texts"
	"hygeia/internal/wrappers"
	"hygeia/projection"
	"hygeia/transcript"
)

// Past says how much of the past a run takes along, and how it is told (D-26).
// Heartbeats that were answered with nothing go in any case.
type Past struct {
	// Heartbeat is the prompt of heartbeats in the configuration, "" for the usual
	// ones alone.
	Heartbeat string
	// Limit is how many user turns go out, the newest; 0 for all.
	Limit int
	// Zone puts the time of each user turn in front of it, as a clock there shows it
	// nil leaves the time out.
	Zone *time.Location
	// Seal is that of the installation: turns that say that a user wrote them count
	// as those of another session unless they are signed with it (S-B09); nil
	// believes them.
	Seal *Seal
}

// pastRules are the rules that Past carries out.
var pastRules = []hygiene.Rule{
	{ID: "R-96", Title: "heartbeats that were answered with nothing are left out", Lossy: true, Unstable: "a heartbeat gets its answer"},
	{ID: "R-97", Title: "user turns in front of the history limit are left out", Lossy: true, Unstable: "the newest turns move the limit"},
	{ID: "S-B09", Title: "a turn that says that a user wrote it, and is not signed, is told as that of another session"},
	{ID: "X-07", Title: "a user turn begins with its time", Synthetic: true},
}

const pastStage = "past"

// trim takes out of the context what a run does not take along.
func (h *Past) trim(c *transcript.Context, report *hygiene.Report) *transcript.Context {
	if h == nil {
		return c
	}
	out := *c
	drop := h.heartbeats(c.Messages)
	for i := range h.limited(c.Messages) {
		if _, twice := drop[i]; !twice {
			drop[i] = hygiene.Edit{Rule: "R-97", Reason: "the turn is older than the history limit", Lossy: true}
		}
	}
	if len(drop) == 0 {
		return c
	}
	out.Messages = nil
	for i, m := range c.Messages {
		if e, ok := drop[i]; ok {
			report.Record(pastStage, hygiene.Drop, m, -1, m, nil, e)
			continue
		}
		out.Messages = append(out.Messages, m)
	}
	return &out
}

// heartbeats returns which messages belong to heartbeats that were answered with
// nothing: the prompt, the acknowledgement, and the tools between.
func (h *Past) heartbeats(list []*transcript.Message) map[int]hygiene.Edit {
	drop := map[int]hygiene.Edit{}
	for i := 0; i < len(list); {
		end := i + 1
		for end < len(list) && !list[end].SpeaksAsUser() {
			end++
		}
		if list[i].Is(transcript.User) && wrappers.IsHeartbeatPrompt(textOf(list[i]), h.Heartbeat) && acknowledged(list[i+1:end]) {
			for j := i; j < end; j++ {
				drop[j] = hygiene.Edit{Rule: "R-96", Reason: "a heartbeat that was answered with nothing", Lossy: true}
			}
		}
		i = end
	}
	return drop
}

// acknowledged reports whether the messages behind a heartbeat say nothing to
// anybody, the last of them included.
func acknowledged(list []*transcript.Message) bool {
	done := false
	for _, m := range list {
		if !m.Is(transcript.Assistant) {
			continue
		}
		switch {
		case respondsQuietly(m):
			done = true
		case !m.HasToolCall():
			done = projection.AcknowledgesHeartbeat(m)
			if !done && textOf(m) != "" {
				return false // somebody saw it
			}
		}
	}
	return done
}

// respondsQuietly reports whether a turn answers a heartbeat by the tool for that,
// without a notice to anybody.
func respondsQuietly(m *transcript.Message) bool {
	return m.Any(func(b *transcript.Block) bool {
		return b.IsToolCall() && b.Name() == words.HeartbeatRespond && !b.Get("arguments").Object().Get("notify").Bool()
	})
}

// limited returns the indexes in front of the history limit.
func (h *Past) limited(list []*transcript.Message) map[int]bool {
	if h.Limit <= 0 {
		return nil
	}
	at, left := len(list), h.Limit
	for at > 0 && left > 0 {
		at--
		if list[at].Is(transcript.User) {
			left--
		}
	}
	if left > 0 {
		return nil
	}
	for at > 0 && list[at-1].Is(transcript.Custom) { // context of the turn stands in front of it
		at--
	}
	drop := map[int]bool{}
	began := false
	for i := range at {
		began = began || list[i].Is(transcript.User) || list[i].Is(transcript.Assistant)
		if began { // what stands in front of all turns is a summary
			drop[i] = true
		}
	}
	return drop
}

// stamp puts its time in front of each user turn of the result. It does not
// change when turns are added, since it is the time of the turn itself.
func (h *Past) stamp(c *transcript.Context, run *hygiene.Result) {
	if h == nil || h.Zone == nil {
		return
	}
	users := map[string]bool{}
	for _, m := range c.Messages {
		if m.Is(transcript.User) && m.Origin.Entry != "" {
			users[m.Origin.Entry] = true
		}
	}
	own := false
	for i, m := range run.Messages {
		if !m.Is(transcript.User) || !users[m.Origin.Entry] {
			continue
		}
		n := h.stamped(m)
		if n == m {
			continue
		}
		if !own {
			run.Messages, own = slices.Clone(run.Messages), true
		}
		run.Messages[i] = n
		run.Report.Record(pastStage, hygiene.Replace, m, -1, m, n, hygiene.Edit{Rule: "X-07", Reason: "the turn has a time", Synthetic: true})
	}
}

// stamped returns a user turn with its time, itself if that has no place there.
func (h *Past) stamped(m *transcript.Message) *transcript.Message {
	ms, ok := m.Timestamp()
	if p, _ := m.Provenance(); !ok || ms <= 0 || p.Kind == transcript.InterSession {
		return m
	}
	prefix := time.UnixMilli(int64(ms)).In(h.Zone).Format("[Mon 2006-01-02 15:04 MST] ")
	if m.ContentKind() != transcript.ListContent {
		if v := m.Text(); bare(v) {
			return m.WithText(prefix + v.String())
		}
		return m
	}
	for j, b := range m.Blocks() {
		if !b.IsText() {
			continue
		}
		if !bare(b.TextValue()) {
			return m
		}
		blocks := slices.Clone(m.Blocks())
		blocks[j] = b.WithText(prefix + b.Text())
		return m.WithBlocks(blocks)
	}
	return m
}

// bare reports whether a text says nothing of a time yet.
func bare(v jsonline.Value) bool {
	if !v.IsString() || v.Blank() {
		return false
	}
	text := v.String()
	if strings.HasPrefix(text, words.InterSessionMarker) || strings.Contains(text, "Current time: ") {
		return false
	}
	return wrappers.ShowUser(text).Text == text || !strings.HasPrefix(text, "[")
}

// textOf returns the texts of a message, one behind the other.
func textOf(m *transcript.Message) string {
	if m.ContentKind() != transcript.ListContent {
		return m.Text().String()
	}
	var b strings.Builder
	for _, block := range m.Blocks() {
		if block.IsText() {
			b.WriteString(block.Text())
		}
	}
	return b.String()
}
