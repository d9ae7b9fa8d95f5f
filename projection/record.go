package projection

import (
	"strconv"

	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// metaName is the member of a shown message that holds its Meta.
const metaName = "__openclaw"

// Kinds of shown messages that are no turns.
const (
	KindCompaction = "compaction" // the history before was compacted
	KindBranch     = "branch"     // summary of a branch that was left (X-B12)
	KindNote       = "note"       // a turn that a program wrote for itself (X-B13)
)

// Meta is what a surface is told about a shown message besides its content. It
// is a reading of the member "__openclaw", which may hold more.
type Meta struct {
	// ID is that of the entry. Where several messages are shown for one entry, all
	// but the last have #1, #2 and so on behind it.
	ID   string
	Seq  int    // from 1, the position among the visible records of the branch; 0 if unknown
	Kind string // "" for a turn
	// RecordTime is when the entry was written, in epoch milliseconds, 0 if unknown.
	RecordTime     float64
	IdempotencyKey string // of the prompt, as whoever sent it chose it; "" for none
	Truncated      bool   // text was cut; FullLength is what it was, in characters
	FullLength     int
	// Sender is the author's name where it is known.
	Sender string
}

// MetaOf reads the Meta of a shown message.
func MetaOf(m *transcript.Message) Meta {
	o := m.Get(metaName).Object()
	return Meta{
		ID: o.Get("id").String(), Seq: int(number(o.Get("seq"))), Kind: o.Get("kind").String(),
		RecordTime: number(o.Get("recordTimestampMs")), IdempotencyKey: o.Get("idempotencyKey").String(),
		Truncated: o.Get("truncated").Bool(), FullLength: int(number(o.Get("fullLength"))),
		Sender: m.Get("senderLabel").String(),
	}
}

// Records returns the visible records among the entries of a branch as
// messages, with their Meta (X-30, X-31, X-B12).
func Records(entries []*transcript.Entry) []*transcript.Message {
	var messages []*transcript.Message
	for _, e := range entries {
		if m := record(e, len(messages)+1); m != nil {
			messages = append(messages, m)
		}
	}
	return messages
}

// record is Records for one entry that is appended behind seq−1 visible ones.
// It returns nil for an entry that is not visible.
func record(e *transcript.Entry, seq int) *transcript.Message {
	m, kind := visible(e)
	if m == nil {
		return nil
	}
	return m.With(metaName, meta(e, m, kind, seq).Value())
}

// visible returns the message of an entry, nil for one that is not shown.
func visible(e *transcript.Entry) (m *transcript.Message, kind string) {
	switch e.Type {
	case transcript.EntryCompaction:
		return transcript.NewText("system", texts.CompactionLabel), KindCompaction
	case transcript.EntryBranchSummary:
		if summary := e.Get("summary"); !summary.Blank() && summary.IsString() {
			return transcript.NewText("system", summary.String()), KindBranch
		}
		return nil, ""
	case transcript.EntryCustomMessage:
		return custom(e), ""
	}
	return e.Message, ""
}

// custom returns a row that entered the model's context and says that people
// may see it (X-B12).
func custom(e *transcript.Entry) *transcript.Message {
	if !e.Get("display").Bool() {
		return nil
	}
	o := jsonline.Object{}.With("role", jsonline.Text(string(transcript.Custom)))
	for _, name := range []string{"customType", "content", "display", "details", "timestamp"} {
		if v := e.Get(name); v.Exists() {
			o = o.With(name, v)
		}
	}
	var r transcript.Reader
	m, err := r.Message(o.AppendTo(nil))
	if err != nil {
		return nil // cannot be: its parts were read before
	}
	return m
}

func meta(e *transcript.Entry, m *transcript.Message, kind string, seq int) jsonline.Object {
	o := m.Get(metaName).Object()
	if e.ID != "" {
		o = o.With("id", jsonline.Text(e.ID))
	}
	o = o.With("seq", jsonline.Int(seq))
	if at, ok := e.Timestamp(); ok {
		o = o.With("recordTimestampMs", jsonline.Parse(strconv.AppendFloat(nil, at, 'f', -1, 64)))
	}
	if key := m.Get("idempotencyKey"); key.IsString() {
		o = o.With("idempotencyKey", key)
	}
	if kind != "" {
		o = o.With("kind", jsonline.Text(kind))
	}
	return o
}

func number(v jsonline.Value) float64 {
	if v.Kind != jsonline.Number {
		return 0
	}
	f, _ := strconv.ParseFloat(string(v.Raw), 64)
	return f
}

// note adds members to the Meta of a message.
func note(m *transcript.Message, f func(jsonline.Object) jsonline.Object) *transcript.Message {
	return m.With(metaName, f(m.Get(metaName).Object()).Value())
}

// noteRemoved adds to the counts of what was left out of a message (X-B10).
func noteRemoved(m *transcript.Message, what string, n int) *transcript.Message {
	if n == 0 {
		return m
	}
	return note(m, func(o jsonline.Object) jsonline.Object {
		counts := o.Get("projection").Object()
		counts = counts.With(what, jsonline.Int(n+int(number(counts.Get(what)))))
		return o.With("projection", counts.Value())
	})
}
