package policy

import "github.com/go-json-experiment/json/jsontext"

// The types of this file are the members of a profile file. A test compares
// them with profiles/schema.json.

// profileFile is one file of profiles/ or of the user.
type profileFile struct {
	Schema    string              `json:"$schema,omitempty"`
	About     string              `json:"about,omitempty"`
	Patterns  map[string][]string `json:"patterns,omitempty"`
	APIs      []apiProfile        `json:"apis,omitempty"`
	Families  []familyProfile     `json:"families,omitempty"`
	Providers []providerProfile   `json:"providers,omitempty"`
	Rules     []ruleProfile       `json:"rules,omitempty"`
}

// apiProfile is one wire format (P-01).
type apiProfile struct {
	ID      string   `json:"id"`
	Aliases []string `json:"aliases,omitempty"`
	// Family is the API family of P-01.
	Family string `json:"family"`
	// NamesOwner marks an API that is also a provider id in the sense of P-08.
	NamesOwner bool          `json:"namesOwner,omitempty"`
	Source     string        `json:"source"`
	Verified   string        `json:"verified"`
	Rules      []ruleProfile `json:"rules,omitempty"`
}

// familyProfile is a record that providers share (P-13, P-14).
type familyProfile struct {
	ID    string `json:"id"`
	About string `json:"about,omitempty"`
	// APIs are those the family has a record for; empty: all. On any other API
	// its providers take the fallback (P-B03).
	APIs     []string      `json:"apis,omitempty"`
	Source   string        `json:"source"`
	Verified string        `json:"verified"`
	Rules    []ruleProfile `json:"rules,omitempty"`
}

// providerProfile is one row of P-15.
type providerProfile struct {
	ID string `json:"id"`
	// Aliases are other spellings of the same provider (P-B02): they fold.
	Aliases []string `json:"aliases,omitempty"`
	// AlsoAnswersTo are ids of their own that take the same profile (P-07).
	AlsoAnswersTo []string      `json:"alsoAnswersTo,omitempty"`
	Family        string        `json:"family,omitempty"`
	FamilyFor     []familyFor   `json:"familyFor,omitempty"`
	DefaultAPI    []defaultAPI  `json:"defaultApi,omitempty"`
	Hosts         []string      `json:"hosts,omitempty"`
	SignedThought bool          `json:"signedThinking,omitempty"` // P-04
	Source        string        `json:"source"`
	Verified      string        `json:"verified"`
	Rules         []ruleProfile `json:"rules,omitempty"`
}

// familyFor names the family of a provider for some APIs.
type familyFor struct {
	APIs   []string `json:"apis"`
	Family string   `json:"family"`
}

// defaultAPI is a choice of P-B09; the first that holds is taken.
type defaultAPI struct {
	WrittenAs []string `json:"writtenAs,omitempty"` // provider as written, in lower form
	Models    []string `json:"models,omitempty"`
	API       string   `json:"api"`
}

// ruleProfile sets fields of the policy when its condition holds. Source and
// verified are inherited from the entry it stands in.
type ruleProfile struct {
	Name        string         `json:"name,omitempty"`
	Layer       string         `json:"layer,omitempty"` // only of rules outside of an entry
	Specificity int            `json:"specificity,omitempty"`
	When        condition      `json:"when,omitzero"`
	Set         jsontext.Value `json:"set"`
	Source      string         `json:"source,omitempty"`
	Verified    string         `json:"verified,omitempty"`
}

// condition holds when all its members hold. A list holds when one of its
// elements does, a "not" list when none does. APIs take an id or "@family";
// model patterns are regular expressions on the id in lower form (P-02), or
// "@name" of a pattern list.
type condition struct {
	Providers    []string `json:"providers,omitempty"`
	NotProviders []string `json:"notProviders,omitempty"`
	APIs         []string `json:"apis,omitempty"`
	NotFamilies  []string `json:"notFamilies,omitempty"`
	// Hosts compares the host of the endpoint: of the entry's base URL, else of
	// the provider's own hosts (W-521).
	Hosts     []string `json:"hosts,omitempty"`
	Models    []string `json:"models,omitempty"`
	NotModels []string `json:"notModels,omitempty"`
	// CanonicalModels and its negation look at the canonical id of P-B07: the
	// entry's canonicalModelId or the id, with runs of '.', '_' and space as '-'.
	CanonicalModels         []string `json:"canonicalModels,omitempty"`
	NotCanonicalModels      []string `json:"notCanonicalModels,omitempty"`
	Reasoning               *bool    `json:"reasoning,omitempty"` // what entry or caller say (P-23)
	SupportsReasoningEffort *bool    `json:"supportsReasoningEffort,omitempty"`
	UserWritten             *bool    `json:"userWritten,omitempty"` // P-B06
}
