package calls

import (
	_ "embed"
	"maps"
	"slices"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/pairs"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/policy"
	"hygeia/transcript"
)

//go:embed doc.go
var doc string

// comesBack is why a call without a result may change an earlier turn.
const comesBack = "the real result of the call arrives"

// Pass carries out R-50…, R-B03, R-B04 and D-41.
var Pass = &hygiene.Pass{
	Name: "calls",
	Doc:  hygiene.DocText(doc),
	Rules: []hygiene.Rule{
		{ID: "R-50", Title: "a call without arguments, id or legal name is left out", Lossy: true, Unstable: comesBack},
		{ID: "R-51", Title: "a call with partial arguments is left out", Lossy: true, Unstable: comesBack},
		{ID: "R-52", Title: "names of calls are trimmed; a turn that lost all it held is left out", Unstable: comesBack},
		{ID: "R-54", Title: "an unanswered call of a tool that is not offered is left out", Lossy: true, Unstable: comesBack},
		{ID: "R-102", Title: "an unanswered call gets the name of the one tool that it can mean", Unstable: comesBack},
		{ID: "R-B03", Title: "a turn that lost a call loses its signed thinking too", Lossy: true, Synthetic: true, Unstable: comesBack},
		turns.R25,
	},
	After: []string{"shapes", "content", "signatures"},
	Mixed: true,
	Run:   run,
}

// state is what the pass finds out about the list.
type state struct {
	run      *hygiene.Run
	tools    *toolSet
	lost     []bool // turns that lost a call, nil while none did
	doubtful bool   // a call stays only if it has a real result
}

func run(r *hygiene.Run) {
	s := &state{run: r, tools: newToolSet(r.Context.Tools)}
	for i := range r.Len() {
		if r.At(i).Is(transcript.Assistant) {
			s.malformed(i)
		}
	}
	if s.doubtful {
		table := pairs.Match(r.Messages())
		for i := range r.Len() {
			if r.At(i).Is(transcript.Assistant) {
				s.unanswered(i, table)
			}
		}
	}
	for i, lost := range s.lost {
		if lost {
			settle(r, i)
		}
	}
}

// malformed drops the calls of turn i that no result can save and puts the
// others into shape.
func (s *state) malformed(i int) {
	m := s.run.At(i)
	if !m.HasToolCall() {
		return
	}
	turns.Rewrite(s.run, i, func(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
		if !b.IsToolCall() {
			return b, hygiene.Edit{}
		}
		switch v, e := judge(m, b, s.tools); v {
		case malformed:
			s.lose(i)
			return nil, e
		case doubtful:
			s.doubtful = true
			return b, hygiene.Edit{}
		}
		return tidy(b)
	})
}

// unanswered drops the doubtful calls of turn i that have no real result, or
// gives them the name that they can only mean.
func (s *state) unanswered(i int, table *pairs.Table) {
	m, j := s.run.At(i), -1
	standIns := map[int]string{} // by index, with the rule under which their call goes
	turns.Rewrite(s.run, i, func(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
		j++
		if !b.IsToolCall() {
			return b, hygiene.Edit{}
		}
		v, e := judge(m, b, s.tools)
		switch {
		case v != doubtful:
			return b, hygiene.Edit{}
		case table.Real(i, j):
			return tidy(b)
		}
		if name := s.tools.resolve(b); name != "" && e.Rule != "R-51" {
			b, _ = tidy(b)
			return b.With("name", jsonline.Text(name)), hygiene.Edit{Rule: "R-102", Reason: "the name means one of the tools"}
		}
		s.lose(i)
		if n := table.StandIn(i, j); n >= 0 {
			standIns[n] = e.Rule
		}
		return nil, e
	})
	for _, n := range slices.Sorted(maps.Keys(standIns)) { // they would answer the next calls with their ids
		s.run.Drop(n, hygiene.Edit{Rule: standIns[n], Reason: "the call that it stands in for is left out"})
	}
}

func (s *state) lose(i int) {
	if s.lost == nil {
		s.lost = make([]bool, s.run.Len())
	}
	s.lost[i] = true
}

// settle decides what becomes of a turn that lost a call.
func settle(r *hygiene.Run, i int) {
	if turns.DropReasoningOnly(r, i) {
		return
	}
	m := r.At(i)
	thinking := m.HasThinking() && bindsThinking(r.Policy)
	if thinking {
		turns.Rewrite(r, i, func(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
			if b.IsThinking() {
				return nil, hygiene.Edit{Rule: "R-B03", Reason: "the turn of the thinking lost a call", Lossy: true}
			}
			return b, hygiene.Edit{}
		})
	}
	switch {
	case len(r.At(i).Blocks()) > 0:
	case thinking && !m.Failed():
		turns.KeepPlace(r, i, "R-B03", texts.OmittedCalls)
	default:
		r.Drop(i, hygiene.Edit{Rule: "R-52", Reason: "nothing is left of the turn"})
	}
}

// bindsThinking reports whether thinking goes back only with the unchanged turn
// that it was signed in.
func bindsThinking(p *policy.Policy) bool {
	return p.AnthropicFamily || p.SignatureHygiene || p.SanitizeThinkingSignatures
}

// tidy trims the name of a call that stays and takes off what a stream left
// behind.
func tidy(b *transcript.Block) (*transcript.Block, hygiene.Edit) {
	e := hygiene.Edit{Rule: "R-51", Reason: "the arguments are complete, their partial form is left over"}
	n := b
	if b.Get("partialJson").IsString() {
		n = b.Without("partialJson")
	}
	if name := b.Name(); len(name) != len(b.Get("name").String()) {
		if n == b {
			e = hygiene.Edit{Rule: "R-52", Reason: "white space around the name of the call"}
		}
		n = n.With("name", jsonline.Text(name))
	}
	return n, e
}
