package policy

import (
	"net/url"
	"slices"
	"strings"
)

// subject is what a condition looks at.
type subject struct {
	provider, api, apiFamily string
	model, canonical, host   string
	owner, family            string
	reasoning, effort        *bool
	userWritten              bool
}

// newSubject folds the target, finds its owner and fills the API in.
func (c *Catalogue) newSubject(t Target, o *Options, res *Resolution) subject {
	s := subject{provider: c.Fold(t.Provider), model: lower(t.Model)}
	owner := c.ownerOf(s.provider, o.Entry.API)
	s.api = c.apiOf(t, owner, o, res)
	if a := c.apis[s.api]; a != nil {
		s.apiFamily = a.Family
	}
	s.family = c.familyOf(owner, s.api, s.apiFamily)
	if owner != nil {
		s.owner = owner.ID
		if len(owner.Hosts) > 0 {
			s.host = owner.Hosts[0]
		}
	} else {
		res.UnknownProvider = s.provider
	}
	if o.Entry.BaseURL != "" {
		s.host = hostOf(o.Entry.BaseURL)
	}
	s.canonical = canonicalID(s.model)
	if id := lower(o.Entry.CanonicalModelID); id != "" {
		s.canonical = canonicalID(id)
	}
	s.reasoning, s.effort, s.userWritten = o.Entry.Reasoning, o.Entry.SupportsReasoningEffort, o.Entry.UserWritten
	if o.Reasoning != nil {
		s.reasoning = o.Reasoning
	}
	res.Family = s.family
	res.Target = Target{Provider: s.provider, API: s.api, Model: strings.TrimSpace(t.Model)}
	if written := lower(t.Provider); written != s.provider {
		res.note("target.provider", s.provider, "alias "+written, "P-B02")
	}
	return s
}

// ownerOf finds the profile of a provider, by the entry's API when nothing is
// called like the provider itself (P-07, P-08).
func (c *Catalogue) ownerOf(id, hint string) *provider {
	if p := c.providers[id]; p != nil {
		return p
	}
	if a := c.apis[c.FoldAPI(hint)]; a != nil && !a.NamesOwner {
		return nil
	}
	return c.providers[c.Fold(hint)]
}

// apiOf is the API of the target: the named one, the entry's, the default of
// the provider (P-B09). Without a provider there is none (P-05).
func (c *Catalogue) apiOf(t Target, owner *provider, o *Options, res *Resolution) string {
	if t.API != "" {
		api := c.FoldAPI(t.API)
		if api != t.API {
			res.note("target.api", api, "alias "+t.API, "D-11")
		}
		return api
	}
	if api := c.FoldAPI(o.Entry.API); c.apis[api] != nil {
		res.note("target.api", api, "entry api", "P-08")
		return api
	}
	written := lower(t.Provider)
	if written == "" {
		return ""
	}
	res.DefaultedAPI = c.defaultAPI(owner, written, lower(t.Model))
	from := "default api of unknown provider " + written
	if owner != nil {
		from = "default api of provider " + owner.ID
	}
	res.note("target.api", res.DefaultedAPI, from, "P-B09")
	return res.DefaultedAPI
}

// unnamedAPI is what every provider speaks that says nothing else (P-B09).
const unnamedAPI = "openai-completions"

func (c *Catalogue) defaultAPI(owner *provider, written, model string) string {
	if owner == nil {
		return unnamedAPI
	}
	for i, d := range owner.DefaultAPI {
		named := d.WrittenAs == nil || slices.Contains(d.WrittenAs, written)
		if models := owner.defaultModels[i]; named && (models == nil || models.match(model)) {
			return d.API
		}
	}
	return unnamedAPI
}

func hostOf(base string) string {
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}
