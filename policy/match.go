package policy

import (
	"slices"
	"strings"
)

// matcher is a compiled condition. The entry that a rule stands in (api,
// family, owner) is part of it.
type matcher struct {
	condition
	api, family, owner      string
	models, notModels       *patternList
	canonical, notCanonical *patternList
}

func (m *matcher) match(s *subject) bool {
	return m.matchEntry(s) && m.matchRoute(s) && m.matchFacts(s) && m.matchModel(s)
}

func (m *matcher) matchEntry(s *subject) bool {
	return (m.api == "" || m.api == s.api) &&
		(m.family == "" || m.family == s.family) &&
		(m.owner == "" || m.owner == s.owner)
}

func (m *matcher) matchRoute(s *subject) bool {
	return (m.APIs == nil || containsAPI(m.APIs, s.api, s.apiFamily)) &&
		(m.Providers == nil || slices.Contains(m.Providers, s.provider)) &&
		!slices.Contains(m.NotProviders, s.provider) &&
		!slices.Contains(m.NotFamilies, s.family) &&
		(m.Hosts == nil || slices.ContainsFunc(m.Hosts, func(h string) bool { return onHost(s.host, h) }))
}

func (m *matcher) matchFacts(s *subject) bool {
	return sameFact(m.Reasoning, s.reasoning) &&
		sameFact(m.SupportsReasoningEffort, s.effort) &&
		(m.UserWritten == nil || *m.UserWritten == s.userWritten)
}

func (m *matcher) matchModel(s *subject) bool {
	return (m.models == nil || m.models.match(s.model)) &&
		(m.canonical == nil || m.canonical.match(s.canonical)) &&
		(m.notModels == nil || !m.notModels.match(s.model)) &&
		(m.notCanonical == nil || !m.notCanonical.match(s.canonical))
}

// sameFact holds when nothing is asked or the fact is known and equal.
func sameFact(want, have *bool) bool {
	return want == nil || have != nil && *have == *want
}

func containsAPI(list []string, api, family string) bool {
	for _, a := range list {
		if a == api || family != "" && a[0] == '@' && a[1:] == family {
			return true
		}
	}
	return false
}

// onHost holds for the domain itself and everything below it.
func onHost(host, domain string) bool {
	rest, ok := strings.CutSuffix(host, domain)
	return ok && (rest == "" || strings.HasSuffix(rest, "."))
}
