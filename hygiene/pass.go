package hygiene

import (
	"errors"
	"fmt"

	"hygeia/policy"
)

// Rule is one rule of the specification as a pass carries it out.
type Rule struct {
	ID    string // public name, e.g. "R-72"
	Title string // one line, lower case, what the rule does
	// Lossy reports that a change under the rule may take content away that
	// the model would otherwise have seen.
	Lossy bool
	// Synthetic reports that a change under the rule may put content in that
	// nobody wrote.
	Synthetic bool
	// Unstable says why the rule may change an earlier turn when turns are
	// appended (D-21). Empty: it never does.
	Unstable string
	// Walk says on which of its ways over the list the pass makes the changes of the
	// rule, 0 for the first: so they stand in the report. For a converter 0 says nothing.
	Walk int
	// Far reports that a change under the rule hangs on messages anywhere in front: the
	// end of a list alone does not tell it. It is for rules that ask for more than which
	// ids, pictures and results there are.
	Far bool
}

// Pass is one step of the pipeline.
type Pass struct {
	Name  string
	Doc   string // first line: what it does; then the details, as docs show them
	Rules []Rule
	After []string                  // names of passes that must come before
	When  func(*policy.Policy) bool // nil: always
	// Mixed reports that the pass goes over the list in ways in which the changes of one
	// part come between those of another.
	Mixed bool
	Run   func(*Run)
}

// Validate checks a list of passes: names and docs present, every rule titled,
// every prerequisite earlier in the list. The error joins all that is wrong, each
// with the name of its pass.
func Validate(passes []*Pass) error {
	var errs []error
	seen := map[string]bool{}
	for _, p := range passes {
		if p.Name == "" || p.Doc == "" || p.Run == nil || len(p.Rules) == 0 {
			errs = append(errs, fmt.Errorf("pass %q: name, doc, rules and run are required", p.Name))
		}
		if seen[p.Name] {
			errs = append(errs, fmt.Errorf("pass %q stands in the list twice", p.Name))
		}
		for _, r := range p.Rules {
			if r.ID == "" || r.Title == "" {
				errs = append(errs, fmt.Errorf("pass %q: a rule needs an id and a title", p.Name))
			}
		}
		for _, a := range p.After {
			if !seen[a] {
				errs = append(errs, fmt.Errorf("pass %q must run after %q", p.Name, a))
			}
		}
		seen[p.Name] = true
	}
	return errors.Join(errs...)
}
