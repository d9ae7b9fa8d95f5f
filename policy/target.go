package policy

import (
	"fmt"
	"strings"
)

// lower is the lower form of P-02.
func lower(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// Fold returns the provider id under which a profile knows the provider: its
// lower form (P-06) with aliases replaced (P-B02). Ids that only share a
// profile (P-07), such as the regional ones, stay apart.
func Fold(provider string) string { return builtin().Fold(provider) }

// FoldAPI replaces an older or other spelling of an API by its name (D-11,
// P-01). The comparison is exact; an unknown API is returned as it is.
func FoldAPI(api string) string { return builtin().FoldAPI(api) }

// SameRoute reports whether two targets are the same provider, API and model
// after folding (W-111, D-10). Provider and model are compared in lower form,
// the API exactly (P-02).
func SameRoute(a, b Target) bool { return builtin().SameRoute(a, b) }

// Fold is [Fold] with the catalogue's own profiles.
func (c *Catalogue) Fold(provider string) string {
	id := lower(provider)
	if to, ok := c.aliases[id]; ok {
		return to
	}
	return id
}

// FoldAPI is [FoldAPI] with the catalogue's own profiles.
func (c *Catalogue) FoldAPI(api string) string {
	if to, ok := c.apiAliases[api]; ok {
		return to
	}
	return api
}

// SameRoute is [SameRoute] with the catalogue's own profiles.
func (c *Catalogue) SameRoute(a, b Target) bool {
	if a == b {
		return true
	}
	return c.FoldAPI(a.API) == c.FoldAPI(b.API) &&
		lower(a.Model) == lower(b.Model) &&
		c.Fold(a.Provider) == c.Fold(b.Provider)
}

// ParseTarget reads "provider/model". The first segment is the provider, in
// lower form (P-06); the rest, slashes included, is the model. The provider's
// spelling is kept apart from that, since the default API can depend on it
// (P-B09); [Resolve] folds it. The error wraps [ErrTarget] and quotes s.
func ParseTarget(s string) (Target, error) {
	provider, model, ok := strings.Cut(s, "/")
	t := Target{Provider: lower(provider), Model: strings.TrimSpace(model)}
	if !ok || t.Provider == "" || t.Model == "" {
		return Target{}, fmt.Errorf("%w %q: want provider/model, for example anthropic/claude-opus-4-6", ErrTarget, s)
	}
	return t, nil
}

// canonicalID is the form of P-B07: lower, with runs of '.', '_' and white
// space as one '-'.
func canonicalID(s string) string {
	if !strings.ContainsAny(s, "._ \t\r\n") {
		return s
	}
	var b strings.Builder
	run := false
	for _, r := range s {
		if strings.ContainsRune("._ \t\r\n", r) {
			if !run {
				b.WriteByte('-')
			}
			run = true
			continue
		}
		run = false
		b.WriteRune(r)
	}
	return b.String()
}
