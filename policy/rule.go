package policy

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// layer is the coarse rank of a rule; a higher one wins.
type layer int

// The layers, lowest first. An invariant cannot be overridden: P-B04 says that
// a field "is ignored", whoever set it.
const (
	layerDefaults layer = iota
	layerAPI
	layerFamily
	layerProvider
	layerModel
	layerUser
	layerEntry
	layerOption
	layerInvariant
)

// topLayers are the layers that a rule outside of an entry can name.
var topLayers = map[string]layer{
	"defaults": layerDefaults, "api": layerAPI, "model": layerModel, "invariant": layerInvariant,
}

// fallbackFamily is the family of P-13.
const fallbackFamily = "fallback"

// rule is a compiled rule.
type rule struct {
	matcher
	layer       layer
	specificity int
	sets        []assignment

	from, source, verified string
}

func (r *rule) compare(other *rule) int {
	return cmp.Or(cmp.Compare(r.layer, other.layer), cmp.Compare(r.specificity, other.specificity))
}

// compileFile compiles the rules of a file after all files were merged.
func (l *loader) compileFile(s *source) error {
	for i := range s.APIs {
		a := &s.APIs[i]
		base := rule{layer: layerAPI, from: "api " + a.ID, source: a.Source, verified: a.Verified}
		base.api = a.ID
		if err := l.compileRules(s, base, a.Rules); err != nil {
			return at(fmt.Sprintf("/apis/%d", i), err)
		}
	}
	for i := range s.Families {
		f := &s.Families[i]
		if l.families[f.ID] != f {
			continue // replaced by a user
		}
		base := rule{layer: layerFamily, from: "family " + f.ID, source: f.Source, verified: f.Verified}
		base.family = f.ID
		err := l.checkAPIs(f.APIs)
		if err == nil {
			err = l.compileRules(&source{}, base, f.Rules)
		}
		if err != nil {
			return at(fmt.Sprintf("/families/%d", i), err)
		}
	}
	for i := range s.Providers {
		if err := l.compileProvider(s, &s.Providers[i]); err != nil {
			return at(fmt.Sprintf("/providers/%d", i), err)
		}
	}
	return l.compileTopRules(s)
}

func (l *loader) compileProvider(s *source, p *providerProfile) error {
	entry := l.providers[p.ID]
	for _, f := range entry.FamilyFor {
		if err := errors.Join(l.checkFamily(f.Family), l.checkAPIs(f.APIs)); err != nil {
			return at("/familyFor", err)
		}
	}
	if err := l.checkFamily(entry.Family); err != nil {
		return at("/family", err)
	}
	entry.defaultModels = nil
	for i, d := range entry.DefaultAPI {
		models, err := compilePatterns(d.Models, l.patterns)
		if err := errors.Join(err, l.checkAPIs([]string{d.API})); err != nil {
			return at(fmt.Sprintf("/defaultApi/%d", i), err)
		}
		entry.defaultModels = append(entry.defaultModels, models)
	}
	base := rule{layer: layerProvider, from: "provider " + p.ID, source: p.Source, verified: p.Verified}
	base.owner = p.ID
	return l.compileRules(s, base, p.Rules)
}

func (l *loader) compileTopRules(s *source) error {
	for i, r := range s.Rules {
		base := rule{layer: topLayers[r.Layer], from: strings.TrimSpace(r.Layer + " " + r.Name), source: r.Source, verified: r.Verified}
		err := checkEntry(r.Name, r.Source, r.Verified)
		if _, known := topLayers[r.Layer]; err == nil && known == s.user {
			err = fmt.Errorf("layer %q: built-in rules name one of defaults, api, model, invariant, rules of a user none", r.Layer)
		}
		if err == nil {
			err = l.compileRule(s, base, r)
		}
		if err != nil {
			return at(fmt.Sprintf("/rules/%d", i), err)
		}
	}
	return nil
}

func (l *loader) compileRules(s *source, base rule, rules []ruleProfile) error {
	for i, r := range rules {
		if r.Layer != "" {
			return at(fmt.Sprintf("/rules/%d/layer", i), errors.New("only a rule outside of an entry has a layer"))
		}
		if err := l.compileRule(s, base, r); err != nil {
			return at(fmt.Sprintf("/rules/%d", i), err)
		}
	}
	return nil
}

// compileRule fills base from r.
func (l *loader) compileRule(s *source, base rule, r ruleProfile) error {
	base.condition = r.When
	base.specificity = r.Specificity
	base.source, base.verified = cmp.Or(r.Source, base.source), cmp.Or(r.Verified, base.verified)
	if s.user {
		base.layer, base.from = layerUser, "user "+s.Name+": "+base.from
	}
	var errs [6]error
	base.models, errs[0] = compilePatterns(r.When.Models, l.patterns)
	base.notModels, errs[1] = compilePatterns(r.When.NotModels, l.patterns)
	base.canonical, errs[2] = compilePatterns(r.When.CanonicalModels, l.patterns)
	base.notCanonical, errs[3] = compilePatterns(r.When.NotCanonicalModels, l.patterns)
	errs[4] = l.checkAPIs(r.When.APIs)
	for _, f := range r.When.NotFamilies {
		errs[5] = errors.Join(errs[5], l.checkFamily(f))
	}
	if err := errors.Join(errs[:]...); err != nil {
		return at("/when", err)
	}
	var err error
	if base.sets, err = decodeSet(r.Set); err != nil {
		return at("/set", err)
	}
	l.rules = append(l.rules, &base)
	return nil
}

func (l *loader) checkFamily(id string) error {
	if _, ok := l.families[id]; !ok && id != "" {
		return fmt.Errorf("no family %q", id)
	}
	return nil
}

func (l *loader) checkAPIs(ids []string) error {
	for _, id := range ids {
		known := l.apis[id] != nil
		if family, ok := strings.CutPrefix(id, "@"); ok {
			for _, a := range l.apis {
				known = known || a.Family == family
			}
		}
		if !known {
			return fmt.Errorf("no api %q", id)
		}
	}
	return nil
}

// familyOf names the family whose record applies: that of the provider for
// this API, or the fallback where there is no record (P-09, P-B03).
func (c *Catalogue) familyOf(p *provider, api, apiFamily string) string {
	if p == nil {
		return fallbackFamily
	}
	id := p.Family
	for _, f := range p.FamilyFor {
		if containsAPI(f.APIs, api, apiFamily) {
			id = f.Family
			break
		}
	}
	f := c.families[id]
	if f == nil || len(f.APIs) > 0 && !slices.Contains(f.APIs, api) {
		return fallbackFamily
	}
	return id
}
