package hygeia

import (
	"sync"

	"hygeia/hygiene"
	"hygeia/hygiene/passes"
)

// Rule is a rule of hygiene together with where it is carried out.
type Rule struct {
	hygiene.Rule
	// Stage is the name of the pass, or of the wire format whose converter
	// carries the rule out.
	Stage string
	// Doc describes the stage.
	Doc string
}

var allRules = sync.OnceValue(func() []Rule {
	var rules []Rule
	for _, r := range pastRules {
		rules = append(rules, Rule{r, pastStage, "Carried out where the caller asks for it, as the runner does, before and behind the passes."})
	}
	for _, p := range passes.Suite {
		for _, r := range p.Rules {
			rules = append(rules, Rule{r, p.Name, p.Doc})
		}
	}
	for _, f := range formats {
		for _, r := range f.rules {
			rules = append(rules, Rule{r, f.name, "Carried out by the converter of the wire format " + f.name + "."})
		}
	}
	return rules
})

// Rules lists every rule of hygiene in the order in which it is carried out. A
// rule that several stages carry out is listed once for each.
func Rules() []Rule { return allRules() }

// FindRule returns the first rule of that name, nil if there is none.
func FindRule(id string) *Rule {
	for i := range allRules() {
		if allRules()[i].ID == id {
			return &allRules()[i]
		}
	}
	return nil
}
