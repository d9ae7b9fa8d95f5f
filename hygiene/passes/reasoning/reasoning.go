package reasoning

import (
	_ "embed"

	"hygeia/hygiene"
	"hygeia/hygiene/passes/internal/turns"
	"hygeia/policy"
	"hygeia/transcript"
)

//go:embed doc.go
var doc string

// Pass carries out, R-B05 and P-27.
var Pass = &hygiene.Pass{
	Name: "reasoning",
	Doc:  hygiene.DocText(doc),
	Rules: append([]hygiene.Rule{
		{
			ID: "R-42", Title: "reasoning goes out only in the tool round in progress", Lossy: true, Synthetic: true,
			Unstable: "the tool round is over",
		},
		{
			ID: "R-43", Title: "thinking goes out only in the latest turn and the tool round in progress", Lossy: true, Synthetic: true,
			Unstable: "the tool round is over",
		},
		{ID: "P-27", Title: "no thinking goes out", Lossy: true, Synthetic: true},
	}, turns.FailedRules...),
	After: []string{"shapes", "signatures", "pairing"},
	When: func(p *policy.Policy) bool {
		return p.DropReasoningFromHistory || p.DropThinkingBlocks || p.DropAllThinkingBlocks
	},
	Run: run,
}

func run(r *hygiene.Run) {
	rules, empty := rulesOf(r), false
	for i := range r.Len() {
		m := r.At(i)
		if !m.Is(transcript.Assistant) || !m.HasThinking() {
			continue
		}
		for _, rule := range rules {
			if !rule.keeps(i, m) {
				turns.DropThinking(r, i, rule.id, func(*transcript.Block) string { return rule.reason })
				empty = empty || turns.FailedEmpty(r.At(i))
				break
			}
		}
	}
	if empty {
		turns.SettleFailed(r)
	}
}

// rule is one of the rules as the policy switches it on.
type rule struct {
	id, reason string
	keeps      func(i int, m *transcript.Message) bool
}

// rulesOf returns the rules of the policy, the widest first.
func rulesOf(r *hygiene.Run) []rule {
	var rules []rule
	if r.Policy.DropAllThinkingBlocks {
		rules = append(rules, rule{"P-27", "the service takes no thinking back", func(int, *transcript.Message) bool { return false }})
	}
	if r.Policy.DropThinkingBlocks {
		list := outbound(r)
		start, latest := transcript.RoundStart(list), latest(list)
		rules = append(rules, rule{"R-43", "the turn is no part of the tool round in progress", func(i int, _ *transcript.Message) bool {
			return i >= start || i == latest
		}})
	}
	if r.Policy.DropReasoningFromHistory {
		from, to := transcript.ChatRound(r.Messages())
		rules = append(rules, rule{"R-42", "the turn is no part of the tool round in progress", func(i int, m *transcript.Message) bool {
			return from <= i && i < to && m.HasToolCall()
		}})
	}
	return rules
}

// outbound returns the list up to where it ends on the wire: under Anthropic
// validation trailing assistant turns without calls are cut later.
func outbound(r *hygiene.Run) []*transcript.Message {
	list := r.Messages()
	for n := len(list); r.Policy.ValidateAnthropicTurns && n > 0; n-- {
		if m := list[n-1]; !m.Is(transcript.Assistant) || m.HasToolCall() {
			return list[:n]
		}
	}
	return list
}

// latest returns the index of the last assistant turn, -1 when there is none.
func latest(list []*transcript.Message) int {
	i := len(list) - 1
	for i >= 0 && !list[i].Is(transcript.Assistant) {
		i--
	}
	return i
}
