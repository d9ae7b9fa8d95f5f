package policy

import "slices"

// ProfileInfo is a row of the provider table.
type ProfileInfo struct {
	ID            string   `json:"id"`
	Aliases       []string `json:"aliases,omitempty"`       // fold to the id (P-B02)
	AlsoAnswersTo []string `json:"alsoAnswersTo,omitempty"` // ids of their own (P-07)
	DefaultAPI    string   `json:"defaultApi"`              // where model and spelling do not decide (P-B09)
	Family        string   `json:"family"`                  // on the default API (P-14)
	User          bool     `json:"user,omitempty"`          // added or changed by the user
	Source        string   `json:"source"`
	Verified      string   `json:"verified"`
}

// Profiles lists the built-in providers by id.
func Profiles() []ProfileInfo { return builtin().Profiles() }

// Profiles lists the providers of the catalogue by id.
func (c *Catalogue) Profiles() []ProfileInfo {
	out := make([]ProfileInfo, 0, len(c.order))
	for _, p := range c.order {
		api := c.defaultAPI(p, p.ID, "")
		out = append(out, ProfileInfo{
			ID:            p.ID,
			Aliases:       slices.Clone(p.Aliases),
			AlsoAnswersTo: slices.Clone(p.AlsoAnswersTo),
			DefaultAPI:    api,
			Family:        c.familyOf(p, api, c.apis[api].Family),
			User:          p.user,
			Source:        p.Source,
			Verified:      p.Verified,
		})
	}
	return out
}

// APIs lists the names of the wire formats (P-01), without aliases.
func APIs() []string {
	var out []string
	for id := range builtin().apis {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}
