package policy

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
)

// loader merges files and compiles their rules.
type loader struct {
	Catalogue
	patterns map[string][]string
}

// source is a decoded file.
type source struct {
	File
	profileFile
}

func compile(files []File) (*Catalogue, error) {
	l := &loader{patterns: map[string][]string{}}
	l.aliases, l.apiAliases = map[string]string{}, map[string]string{}
	l.apis, l.families, l.providers = map[string]*apiProfile{}, map[string]*familyProfile{}, map[string]*provider{}

	sources := make([]source, len(files))
	for i, f := range files {
		sources[i].File = f
		if err := json.Unmarshal(f.Data, &sources[i].profileFile, json.RejectUnknownMembers(true)); err != nil {
			return nil, inFile(f.Name, inText(f.Data, err))
		}
		if err := l.merge(&sources[i]); err != nil {
			return nil, inFile(f.Name, err)
		}
	}
	for i := range sources {
		if err := l.compileFile(&sources[i]); err != nil {
			return nil, inFile(sources[i].Name, err)
		}
	}
	slices.SortStableFunc(l.rules, (*rule).compare)
	l.order = slices.SortedFunc(maps.Values(l.providers), func(a, b *provider) int { return cmp.Compare(a.ID, b.ID) })
	l.order = slices.Compact(l.order)
	return &l.Catalogue, nil
}

func (l *loader) merge(s *source) error {
	maps.Copy(l.patterns, s.Patterns)
	for i := range s.APIs {
		if err := l.mergeAPI(&s.APIs[i], s.user); err != nil {
			return at(fmt.Sprintf("/apis/%d", i), err)
		}
	}
	for i := range s.Families {
		f := &s.Families[i]
		if err := checkEntry(f.ID, f.Source, f.Verified); err != nil {
			return at(fmt.Sprintf("/families/%d", i), err)
		}
		l.families[f.ID] = f
	}
	for i := range s.Providers {
		if err := l.mergeProvider(s.Providers[i], s.user); err != nil {
			return at(fmt.Sprintf("/providers/%d", i), err)
		}
	}
	return nil
}

// mergeAPI lets a user add rules to a known API without repeating what it is.
func (l *loader) mergeAPI(a *apiProfile, user bool) error {
	if err := checkEntry(a.ID, a.Source, a.Verified); err != nil {
		return err
	}
	if old := l.apis[a.ID]; old != nil {
		if !user {
			return fmt.Errorf("api %q is defined twice", a.ID)
		}
		a.Family = cmp.Or(a.Family, old.Family)
		a.NamesOwner = a.NamesOwner || old.NamesOwner
	}
	if a.Family == "" {
		return fmt.Errorf("api %q has no family", a.ID)
	}
	l.apis[a.ID] = a
	return claim(l.apiAliases, a.ID, a.Aliases)
}

// mergeProvider lets a user's profile of a known id override the members it
// has.
func (l *loader) mergeProvider(p providerProfile, user bool) error {
	if err := checkEntry(p.ID, p.Source, p.Verified); err != nil {
		return err
	}
	if old := l.providers[p.ID]; old != nil && old.ID == p.ID {
		if !user {
			return fmt.Errorf("provider %q is defined twice", p.ID)
		}
		p.inherit(&old.providerProfile)
	}
	entry := &provider{providerProfile: p, user: user}
	for _, id := range append([]string{p.ID}, p.AlsoAnswersTo...) {
		if id != lower(id) || id == "" {
			return fmt.Errorf("provider id %q is not in lower form", id)
		}
		if other := l.providers[id]; other != nil && other.ID != p.ID {
			return fmt.Errorf("provider id %q belongs to %q", id, other.ID)
		}
		if other, ok := l.aliases[id]; ok {
			return fmt.Errorf("provider id %q is an alias of %q", id, other)
		}
		l.providers[id] = entry
	}
	for _, a := range p.Aliases {
		if l.providers[a] != nil {
			return fmt.Errorf("alias %q is the id of a provider", a)
		}
	}
	return claim(l.aliases, p.ID, p.Aliases)
}

// inherit takes from old what p does not say. A family that p names holds for
// every API.
func (p *providerProfile) inherit(old *providerProfile) {
	if p.Family == "" {
		p.Family = old.Family
		p.FamilyFor = slices.Concat(p.FamilyFor, old.FamilyFor)
	}
	if p.Hosts == nil {
		p.Hosts = old.Hosts
	}
	p.SignedThought = p.SignedThought || old.SignedThought
	p.Aliases = union(old.Aliases, p.Aliases)
	p.AlsoAnswersTo = union(old.AlsoAnswersTo, p.AlsoAnswersTo)
	p.DefaultAPI = slices.Concat(p.DefaultAPI, old.DefaultAPI)
}

func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// claim records that the aliases mean id.
func claim(table map[string]string, id string, aliases []string) error {
	for _, a := range aliases {
		if other, ok := table[a]; ok && other != id {
			return fmt.Errorf("alias %q belongs to %q", a, other)
		}
		table[a] = id
	}
	return nil
}

func checkEntry(id, source, verified string) error {
	if strings.TrimSpace(id) == "" {
		return errors.New("id is missing")
	}
	if strings.TrimSpace(source) == "" {
		return fmt.Errorf("%s: source is missing", id)
	}
	if _, err := time.Parse(time.DateOnly, verified); err != nil {
		return fmt.Errorf("%s: verified: %w", id, err)
	}
	return nil
}
