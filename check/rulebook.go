package check

import (
	_ "embed"
	"sync"

	"github.com/go-json-experiment/json"
)

// Certainty says how well a rule is known: documented by the provider, reported
// with its text in a public issue, commonly seen, or inferred; some are several.
type Certainty string

// Rule is one thing that a provider rejects.
type Rule struct {
	ID     string `json:"id"`     // public name, e.g. AN-03
	Format string `json:"format"` // the wire format or provider it belongs to
	Rule   string `json:"rule"`   // what must hold
	// Messages are the texts of the answer, with N, M, ID, X and L in the place
	// of indexes and values. Empty where no text is known.
	Messages  []string  `json:"messages"`
	Status    int       `json:"status"` // HTTP status of the answer
	Source    string    `json:"source"`
	Certainty Certainty `json:"certainty"`
	On        string    `json:"on"` // "yes": checked by default, "opt": for stricter hosts
}

//go:embed rulebook.json
var rulebookJSON []byte

var rulebook = sync.OnceValue(func() []Rule {
	var rules []Rule
	if err := json.Unmarshal(rulebookJSON, &rules, json.RejectUnknownMembers(true)); err != nil {
		panic("check: rulebook.json: " + err.Error()) // embedded, covered by a test
	}
	return rules
})

var byID = sync.OnceValue(func() map[string]*Rule {
	m := map[string]*Rule{}
	for i := range rulebook() {
		m[rulebook()[i].ID] = &rulebook()[i]
	}
	return m
})

// Rules returns the rulebook in its own order. The caller must not change it.
func Rules() []Rule { return rulebook() }

// Lookup returns the rule of that name, nil if there is none.
func Lookup(id string) *Rule { return byID()[id] }
