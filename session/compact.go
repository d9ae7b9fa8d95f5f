package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"hygeia/transcript"
)

// DefaultKeepTokens is about how many tokens of the newest messages a compaction
// keeps as they are (C-03).
const DefaultKeepTokens = 20_000

// What a compaction answers. The errors around them name the file.
var (
	ErrNothingToCompact = errors.New("nothing to compact")
	ErrNoCut            = errors.New("no place where the conversation may be cut") // C-03
	ErrEmptySummary     = errors.New("the summary is empty")                       // C-B05
)

// CompactOptions says what a compaction keeps. The zero value keeps about
// [DefaultKeepTokens].
type CompactOptions struct {
	// KeepTokens is about how many tokens of the newest messages stay as they
	// are, by [EstimateTokens]. 0 means DefaultKeepTokens. More stay where the
	// last round of calls is larger.
	KeepTokens int
	// KeepFrom is the id of the first entry that stays, instead of KeepTokens.
	KeepFrom string
	// Hard keeps nothing: the conversation goes on from the summary alone (C-05).
	Hard bool

	// Summary is what stands for all that is not kept, if it is there already.
	Summary string
	// Summarise makes a summary otherwise. Where the cut splits a turn it is called
	// for what is in front of the turn and for the beginning of the turn, and the
	// two are joined (C-03). Others may write to the file meanwhile (F-43).
	Summarise func(context.Context, CompactionInput) (summary string, err error)

	// Redactor takes secrets out of the summary (F-48); nil means the built-in one,
	// one that is empty takes out nothing.
	Redactor *Redactor

	// Rotate writes a successor of the file, as [Writer.Rotate] does.
	Rotate bool
	// Reason is why, "" means CompactedManually.
	Reason CompactionReason
	// Record is told of what was done as long as the file is locked, to note it in
	// the index (C-09, [Index.AddCheckpoint]). nil means nobody is.
	Record func(Checkpoint) error
}

// CompactionInput is what a summary is to be made of.
type CompactionInput struct {
	// Messages are the ones to sum up, as they are stored: what goes to a model has
	// to pass a replay first.
	Messages []*transcript.Message
	// Previous is an earlier summary that the new one has to take in, "" for none.
	Previous string
	// OfTurn says that the messages are the beginning of a turn that goes on behind
	// them.
	OfTurn bool
}

// CompactionPlan says what a compaction of a branch would do. Nothing of the file
// goes: the messages to sum up are only left out of the context from then on.
type CompactionPlan struct {
	// KeptFrom is the id of the first entry that stays in the context, "" for a
	// hard boundary.
	KeptFrom string
	// Previous is the summary of the compaction before, which the new one takes
	// the place of (C-02), "" for none.
	Previous string
	// Messages are to be summed up. Prefix are too, but by themselves: they begin
	// the turn that goes on with the first kept message (C-03).
	Messages, Prefix []*transcript.Message
	Kept             []*transcript.Message
	// TokensBefore is the size of the context as it is, by [ContextTokens]: what a
	// service counted, where one did. Estimated is that by [EstimateTokens], which
	// compares with what is kept: services count pictures in ways of their own.
	TokensBefore, Estimated int

	previous *transcript.Message // with the summary of the compaction before, nil for none
}

// TokensKept estimates how many tokens stay, without the summary.
func (p *CompactionPlan) TokensKept() int { return tokensIn(p.Kept) }

func tokensIn(list []*transcript.Message) (n int) {
	for _, m := range list {
		n += EstimateTokens(m)
	}
	return n
}

// PlanCompaction says where a compaction would cut the branch. It writes nothing.
// The errors are ErrNothingToCompact, ErrNoCut and ErrUnknownEntry, wrapped with
// the file.
func (b *Branch) PlanCompaction(o CompactOptions) (*CompactionPlan, error) {
	p, err := b.planCompaction(o)
	if err != nil {
		return nil, failed(b.s.file, err)
	}
	return p, nil
}

func (b *Branch) planCompaction(o CompactOptions) (*CompactionPlan, error) {
	if b.endsCompacted() {
		return nil, fmt.Errorf("%w: the conversation ends with a compaction", ErrNothingToCompact) // C-04
	}
	c := b.Context()
	p := &CompactionPlan{TokensBefore: ContextTokens(c), Estimated: tokensIn(c.Messages)}
	list := c.Messages
	if c.Compaction >= 0 {
		p.previous = list[0]
		p.Previous = list[0].Get("summary").String()
		list = list[1:]
	}
	at, err := b.cutAt(list, o)
	if err != nil {
		return nil, err
	}
	if at == 0 {
		return nil, fmt.Errorf("%w: all of the conversation is kept", ErrNothingToCompact)
	}
	start := at
	if at < len(list) {
		p.KeptFrom = b.firstKeptEntry(list, at)
		start = turnStart(list, at)
	}
	p.Messages, p.Prefix, p.Kept = list[:start:start], list[start:at:at], list[at:]
	return p, nil
}

// cutAt returns in front of which message to cut, the length of the list for
// behind all.
func (b *Branch) cutAt(list []*transcript.Message, o CompactOptions) (int, error) {
	legal := cuts(list)
	switch {
	case o.Hard:
		return len(list), nil
	case o.KeepFrom == "":
		at := cutFor(list, legal, cmp.Or(max(0, o.KeepTokens), DefaultKeepTokens))
		for at > 0 && b.attached(list, at-1) {
			at--
		}
		return at, nil
	}
	at, err := b.messageOf(list, o.KeepFrom)
	switch {
	case err != nil:
		return 0, err
	case at == len(list):
		return 0, fmt.Errorf("entry %q: %w: no message stands there or behind", clip(o.KeepFrom), ErrNoCut)
	case !legal[at]:
		return 0, fmt.Errorf("entry %q: %w: it would part a tool call from its result", clip(o.KeepFrom), ErrNoCut)
	}
	return at, nil
}

// messageOf returns the index of the first message that stands at the named entry
// or behind it.
func (b *Branch) messageOf(list []*transcript.Message, id string) (int, error) {
	p := b.standsFor(b.s.first(keyOf(id)))
	if p < 0 {
		return 0, fmt.Errorf("entry %q: %w on the branch", clip(id), ErrUnknownEntry)
	}
	for i, m := range list {
		if m.Origin.Position >= p {
			return i, nil
		}
	}
	return len(list), nil
}

// endsCompacted reports whether nothing stands behind the newest compaction of
// the branch, or on the branch at all.
func (b *Branch) endsCompacted() bool {
	for p := len(b.path) - 1; p >= 0; p-- {
		switch {
		case b.typ(p) == compaction:
			return true
		case b.speaks(p):
			return false
		}
	}
	return false
}

// attached reports whether message i comes from no message entry and so stays
// with what stands behind it (C-03).
func (b *Branch) attached(list []*transcript.Message, i int) bool {
	if i+1 >= len(list) || b.typ(list[i].Origin.Position) == message {
		return false
	}
	for p := list[i].Origin.Position; p < list[i+1].Origin.Position; p++ {
		if b.typ(p) == compaction {
			return false
		}
	}
	return true
}

// firstKeptEntry returns the id of the entry from which on a cut in front of
// message at keeps the branch: notes right in front of it stay with it (C-03).
func (b *Branch) firstKeptEntry(list []*transcript.Message, at int) string {
	p, least := list[at].Origin.Position, list[at-1].Origin.Position+1
	for p > least && b.typ(p-1) != compaction {
		p--
	}
	return b.entry(p).ID
}
