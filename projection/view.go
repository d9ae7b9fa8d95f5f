package projection

import (
	"bytes"
	"slices"

	"hygeia/transcript"
)

// View is what is shown of a branch that others write to. To follow it costs what
// was added since the last time.
type View struct {
	o       Options
	p       *Projector
	entries []*transcript.Entry // that were taken
	seq     int                 // of the last visible one
	shown   []*transcript.Message
	events  []Event // that made it
	counts  []int   // how many of them there were behind each entry
}

// NewView returns the view of a branch without entries.
func NewView(o Options) *View { return &View{o: o, p: NewProjector(o)} }

// Shown returns the messages that are shown, oldest first. The list does not change
// afterwards.
func (v *View) Shown() []*transcript.Message { return v.shown[:len(v.shown):len(v.shown)] }

// Events returns what made the list, in order, and how many of them each entry and
// those in front of it made. Neither changes afterwards.
func (v *View) Events() (events []Event, counts []int) {
	return v.events[:len(v.events):len(v.events)], v.counts[:len(v.counts):len(v.counts)]
}

// Follow brings the view to what the branch holds now and returns what changed, in
// order. Not grew says that the entries are no longer those of before with some
// behind them: another branch, a file that was rewritten. Then the view begins
// anew, and nothing that was told of it holds.
func (v *View) Follow(entries []*transcript.Entry) (changes []Event, grew bool) {
	if grew = continues(v.entries, entries); !grew {
		*v = *NewView(v.o)
	}
	n := len(v.events)
	for _, e := range entries[len(v.entries):] {
		v.take(e)
		v.counts = append(v.counts, len(v.events))
	}
	v.entries = entries
	return v.events[n:len(v.events):len(v.events)], grew
}

// take shows an entry.
func (v *View) take(e *transcript.Entry) {
	m := record(e, v.seq+1)
	if m == nil {
		return
	}
	v.seq++
	for _, change := range v.p.Push(m) {
		if change.At < len(v.shown) { // whoever holds the list keeps what it saw
			v.shown = slices.Clone(v.shown)
		}
		v.shown = change.Apply(v.shown)
		v.events = append(v.events, change)
	}
}

// continues reports whether entries begin with those of before. A session that only
// grew has the same ones; of one that was read anew their bytes count.
func continues(before, entries []*transcript.Entry) bool {
	n := len(before)
	if len(entries) < n {
		return false
	}
	if n == 0 || before[n-1] == entries[n-1] {
		return true
	}
	var a, b []byte
	for i, e := range before {
		if a, b = e.AppendJSON(a[:0]), entries[i].AppendJSON(b[:0]); e.ID != entries[i].ID || !bytes.Equal(a, b) {
			return false
		}
	}
	return true
}
