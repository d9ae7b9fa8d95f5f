package hygeia

import (
	"hash/maphash"
	"maps"
	"strings"

	"hygeia/policy"
	"hygeia/transcript"
)

// facts are what rules ask of all messages together.
type facts struct {
	ids      map[uint64]bool // sums of the ids of calls, of their parts and of responses
	last     int             // index in the list that was read, of the last one
	messages int
	pictures int
	bytes    int
	results  bool // there is a tool result
	summary  bool // there is the summary of a compaction
}

// none are the facts of no message.
var none = facts{last: -1}

// with returns the facts with those of more messages, whose ids are not among them
// yet, and are not taken up either. It is false where an id is, or a message does not
// stand behind the one in front of it.
func (f *facts) with(list []*transcript.Message) (facts, bool) {
	all := *f
	for _, m := range list {
		if i := m.Origin.Index; i >= 0 { // else it was made for this request
			if i <= all.last {
				return all, false
			}
			all.last = i
		}
		all.messages++
		all.bytes += m.Size()
		all.results = all.results || m.Is(transcript.ToolResult)
		all.summary = all.summary || m.Is(transcript.CompactionSummary)
		for _, b := range m.Blocks() {
			if pictured[b.Type()] {
				all.pictures++
			}
		}
	}
	return all, !f.knows(list)
}

// pictured are the types of blocks that may be pictures.
var pictured = map[transcript.BlockType]bool{transcript.TypeImage: true, "image_url": true, "input_image": true}

// knows reports whether an id of the messages is among those of the facts.
func (f *facts) knows(list []*transcript.Message) bool {
	known := false
	eachID(list, func(id uint64) { known = known || f.ids[id] })
	return known
}

// learn takes the ids of messages up, in a set of its own.
func (f *facts) learn(lists ...[]*transcript.Message) {
	f.ids = maps.Clone(f.ids)
	if f.ids == nil {
		f.ids = map[uint64]bool{}
	}
	for _, list := range lists {
		eachID(list, func(id uint64) { f.ids[id] = true })
	}
}

// eachID visits the sums of what messages are told apart by.
func eachID(list []*transcript.Message, visit func(uint64)) {
	see := func(kind, id string) {
		if id != "" {
			visit(maphash.String(seed, kind+id))
		}
	}
	call := func(id string) {
		see("", id)
		if front, tail, composite := strings.Cut(id, "|"); composite {
			see("", strings.TrimSpace(front))
			see("", strings.TrimSpace(tail))
		}
	}
	for _, m := range list {
		switch {
		case m.Is(transcript.ToolResult):
			call(m.ToolCallID())
		case m.Is(transcript.Assistant):
			see("response ", strings.TrimSpace(m.ResponseID()))
			if !m.HasToolCall() {
				continue
			}
			for _, b := range m.Blocks() {
				if b.IsToolCall() {
					call(b.ID())
				}
			}
		}
	}
}

// within reports whether the target surely takes so many pictures (W-104). What the
// passes put into messages before they are weighed is less than what they hold and
// slack.
func (f *facts) within(w *policy.Wire) bool {
	const slack = 512 // bytes of a message
	return f.pictures == 0 || (w.MaxImages == 0 || f.pictures <= w.MaxImages) &&
		(w.MaxBodyBytes == 0 || 2*f.bytes+slack*f.messages <= w.MaxBodyBytes)
}
