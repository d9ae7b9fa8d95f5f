package check

import (
	"regexp"
	"strings"
	"sync"
)

// Recognise returns the rule whose answer a provider's error text is, nil if it
// is that of none. Numbers, ids and names in the text may be any; the text may
// stand inside another one, as gateways put it. Of several rules the one counts
// of whose words most are found.
func Recognise(text string) *Rule {
	var best *Rule
	most := 0
	for _, k := range wordings() {
		if k.size > most && k.in(text) {
			best, most = k.rule, k.size
		}
	}
	return best
}

// wording is the text of a rule, cut into what stands in every such answer.
type wording struct {
	rule  *Rule
	parts []string
	size  int // bytes in parts
}

func (a *wording) in(text string) bool {
	for _, part := range a.parts {
		_, rest, ok := strings.Cut(text, part)
		if !ok {
			return false
		}
		text = rest
	}
	return true
}

var (
	// variable is what stands in the rulebook in the place of values: N, M, ID,
	// X, Y, L and MODEL, dots, and the numbers and types of examples.
	variable = regexp.MustCompile(`…|\b(?:N|M|ID|X|Y|L|MODEL)\b|\[\d+\]|\.\d+\b|\b(?:rs|fc|msg|resp|call)_`)
	// code is an answer that is the name of an error.
	code = regexp.MustCompile(`^[a-z]+(?:_[a-z]+){2,}$`)
)

// leastWords is how many bytes of an answer must be its own words. Fewer stand
// in many answers.
const leastWords = 20

var wordings = sync.OnceValue(func() []wording {
	var list []wording
	rules := rulebook()
	for i := range rules {
		for _, m := range rules[i].Messages {
			a := wording{rule: &rules[i]}
			for _, part := range variable.Split(m, -1) {
				if part = strings.Trim(part, " :"); len(part) > 2 { // an answer may name no values behind a colon
					a.parts = append(a.parts, part)
					a.size += len(part)
				}
			}
			if a.size >= leastWords && strings.Contains(m, " ") || code.MatchString(m) {
				list = append(list, a)
			}
		}
	}
	return list
})
