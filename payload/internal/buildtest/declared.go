package buildtest

import "hygeia/hygiene"

// Declared asserts that every change names one of the rules and claims no loss
// or invention that the rule does not declare.
func Declared(t interface{ Errorf(string, ...any) }, r *hygiene.Report, list []hygiene.Rule) {
	rules := map[string]hygiene.Rule{}
	for _, rule := range list {
		rules[rule.ID] = rule
	}
	for i := range r.Changes {
		c := &r.Changes[i]
		rule, ok := rules[c.Rule]
		switch {
		case !ok:
			t.Errorf("rule %s is not declared", c.Rule)
		case c.Lossy && !rule.Lossy, c.Synthetic && !rule.Synthetic:
			t.Errorf("rule %s does not declare that it takes away or makes up content", c.Rule)
		case c.Reason == "":
			t.Errorf("rule %s gives no reason", c.Rule)
		}
	}
}
