package session

import (
	"strconv"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// RejectedThinking is the customType of the entry that names the last turn whose
// thinking a provider rejected, in data.entryId (R-112, D-22).
const RejectedThinking = "hygeia.rejected-thinking"

const modelSnapshot = "model-snapshot" // customType of R-84

// Context returns what a replay of the branch starts from that ends at the named
// entry; "" means the active branch. Errors are those of Branch.
func (s *Session) Context(leaf string) (*transcript.Context, error) {
	b, err := s.Branch(leaf)
	if err != nil {
		return nil, err
	}
	return b.Context(), nil
}

// Context returns the messages of the branch and what the passes need to know
// from its other entries (F-70, F-71, C-02). The caller must not change the list
// of messages.
func (b *Branch) Context() *transcript.Context {
	if b == b.s.active {
		c := *b.s.context
		return &c
	}
	return b.context(copyOf)
}

// context builds the context. own turns a message into one whose origin may be
// set.
func (b *Branch) context(own func(*transcript.Message) *transcript.Message) *transcript.Context {
	c := transcript.NewContext(nil)
	c.SessionID = b.s.header.ID
	b.readState(c)
	cut := b.compaction()
	c.Compaction = cut.at
	w := writer{b: b, own: own, list: make([]*transcript.Message, 0, len(b.path)-cut.from+1)}
	if cut.at >= 0 {
		w.summary(cut)
	}
	for p := cut.from; p < len(b.path); p++ {
		if p != cut.at && b.speaks(p) {
			w.message(p)
		}
	}
	c.Messages = w.list
	return c
}

// readState fills in what entries without a message say about the branch.
func (b *Branch) readState(c *transcript.Context) {
	for p := range b.path {
		switch b.typ(p) {
		case thinkingLevel:
			c.ThinkingLevel = b.entry(p).Get("thinkingLevel").String()
		case custom:
			b.readCustom(c, p)
		}
	}
	if c.RejectedThinking >= 0 {
		c.RejectedThinking = b.rejected(c.RejectedThinking) // the newest names the last turn
	}
}

// readCustom reads the custom entry at position p.
func (b *Branch) readCustom(c *transcript.Context, p int) {
	e := b.entry(p)
	switch e.Get("customType").String() {
	case modelSnapshot:
		data := e.Get("data").Object()
		c.Snapshots = append(c.Snapshots, transcript.Snapshot{Position: p, Route: transcript.Route{
			Provider: data.Get("provider").String(),
			API:      data.Get("modelApi").String(),
			Model:    data.Get("modelId").String(),
		}})
	case RejectedThinking:
		c.RejectedThinking = p
	}
}

// rejected returns the position of the turn that the entry of RejectedThinking at
// position p names. Where that is not on the branch, everything in front of p
// counts.
func (b *Branch) rejected(p int) int {
	id := b.entry(p).Get("data").Object().Get("entryId").String()
	if at := b.standsFor(b.s.holder(keyOf(id), b.path[p])); 0 <= at && at < p {
		return at
	}
	return p
}

// writer makes the list of messages.
type writer struct {
	b      *Branch
	own    func(*transcript.Message) *transcript.Message
	reader transcript.Reader
	list   []*transcript.Message

	timed int // position in front of which time is that of the last entry with one
	time  float64
}

// add appends m and says where it comes from.
func (w *writer) add(m *transcript.Message, p int) {
	if o := (transcript.Origin{Entry: w.b.entry(p).ID, Index: len(w.list), Position: p}); m.Origin != o {
		m = w.own(m)
		m.Origin = o
	}
	w.list = append(w.list, m)
}

// message appends the message that the entry at position p gives (F-71).
func (w *writer) message(p int) {
	switch w.b.typ(p) {
	case customMessage:
		w.made(transcript.Custom, p, "customType", "content", "display", "details")
	case branchSummary:
		w.made(transcript.BranchSummary, p, "summary", "fromId", "details")
	default:
		w.add(w.b.entry(p).Message, p)
	}
}

// summary appends the message of a compaction.
func (w *writer) summary(c cut) {
	w.made(transcript.CompactionSummary, c.at, "summary", "tokensBefore", "firstKeptEntryId", "details")
	w.timed, w.time = 0, 0
}

// made appends a message of that role with the named members of the entry at
// position p and its time in milliseconds.
func (w *writer) made(role transcript.Role, p int, names ...string) {
	e := w.b.entry(p)
	text := jsonline.AppendQuoted([]byte(`{"role":`), string(role))
	for _, name := range names {
		if v := e.Get(name); v.Exists() {
			text = append(append(jsonline.AppendQuoted(append(text, ','), name), ':'), v.Raw...)
		}
	}
	text = strconv.AppendFloat(append(text, `,"timestamp":`...), w.timeOf(p), 'f', -1, 64)
	m, err := w.reader.Message(append(text, '}'))
	if err != nil {
		return // unreachable: every member was read from JSON
	}
	w.add(m, p)
}

// timeOf returns the time of the entry at position p, else that of the nearest
// entry in front of it that has one, else 0 (F-B14).
func (w *writer) timeOf(p int) float64 {
	at := p
	for ; at >= w.timed; at-- {
		if ms, ok := entryTime(w.b.entry(at)); ok {
			w.time = ms
			break
		}
	}
	w.timed = max(w.timed, p+1)
	return w.time
}

func entryTime(e *transcript.Entry) (float64, bool) {
	if ms, ok := e.Timestamp(); ok || e.Message == nil {
		return ms, ok
	}
	return e.Message.Timestamp()
}
