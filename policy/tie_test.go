package policy

import (
	"slices"
	"testing"
)

// TestNoTiePossible proves for the built-in profiles, whatever the model id,
// that two rules of equal rank which set a field to different values never hold
// together: they belong to different entries or routes, or one excludes the
// models of the other.
func TestNoTiePossible(t *testing.T) {
	rules := Builtin().rules
	for i, a := range rules {
		for _, b := range rules[i+1:] {
			if a.compare(b) != 0 || apart(a, b) {
				continue
			}
			for _, x := range a.sets {
				for _, y := range b.sets {
					if x.field == y.field && string(x.raw) != string(y.raw) {
						t.Errorf("%s: %q and %q can tie", fields[x.field].name, a.from, b.from)
					}
				}
			}
		}
	}
}

func apart(a, b *rule) bool {
	differ := func(x, y string) bool { return x != "" && y != "" && x != y }
	return differ(a.api, b.api) || differ(a.family, b.family) || differ(a.owner, b.owner) ||
		disjoint(apisOf(a), apisOf(b)) || disjoint(a.Providers, b.Providers) ||
		excludes(a.NotModels, b.Models) || excludes(b.NotModels, a.Models) ||
		excludes(a.NotCanonicalModels, b.CanonicalModels) || excludes(b.NotCanonicalModels, a.CanonicalModels)
}

func apisOf(r *rule) []string {
	var out []string
	for id, a := range Builtin().apis {
		if (r.APIs == nil || containsAPI(r.APIs, id, a.Family)) && (r.api == "" || r.api == id) {
			out = append(out, id)
		}
	}
	return out
}

func disjoint(a, b []string) bool {
	return a != nil && b != nil && !slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}

func excludes(not, models []string) bool {
	return models != nil && !slices.ContainsFunc(models, func(m string) bool { return !slices.Contains(not, m) })
}
