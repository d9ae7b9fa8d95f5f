package policy

import (
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Entry is what the user's configuration says about the target's model, from
// models.providers.* (P-05, P-08, D-29). Its zero value says nothing.
type Entry struct {
	// API is models.providers.<provider>.api: the API of a target that names
	// none, or a second provider id to match (P-08).
	API string
	// UserWritten is true for a model entry that the user wrote, as opposed to
	// one of a catalogue (P-B06).
	UserWritten             bool
	Reasoning               *bool
	SupportsReasoningEffort *bool
	Input                   []string // nil: not said; W-101 asks for "image"
	BaseURL                 string
	CanonicalModelID        string // P-B07
	ContextWindow           int
	MaxOutputTokens         int
}

// Options are the inputs of [Resolve] besides the target.
type Options struct {
	Catalogue *Catalogue // nil: the built-in profiles
	Entry     Entry

	// What the caller of this request says; it outranks everything (D-29).
	Reasoning       *bool
	Images          *bool
	ForeignThinking ForeignThinking
}

// TraceEntry says which layer set a field, to which value and why.
type TraceEntry struct {
	Field    string         `json:"field"`
	Value    jsontext.Value `json:"value"`
	From     string         `json:"from"`
	Source   string         `json:"source"`
	Verified string         `json:"verified,omitempty"` // date, where a profile set the field
}

// Resolution is the answer of [Resolve].
type Resolution struct {
	// Target is folded (P-B02, D-11), its API filled in (P-B09). The model
	// keeps its spelling, since it goes on the wire.
	Target Target  `json:"target"`
	Policy *Policy `json:"policy"`
	// Trace has one entry for each field that a layer above the defaults set,
	// in the order of the record, after entries on the target itself (P-B08).
	Trace []TraceEntry `json:"trace"`
	// Family is the family whose record applies, "fallback" included.
	Family string `json:"family"`
	// DefaultedAPI is the API that was taken because none was named (P-B09).
	DefaultedAPI string `json:"defaultedApi,omitempty"`
	// UnknownProvider is the provider's id if no profile knows it, so that the
	// fallback policy applies.
	UnknownProvider string `json:"unknownProvider,omitempty"`
}

// Resolve decides the policy for a target. It is a pure function of its
// arguments (P-11, P-B08). The only error is a [*TieError], which built-in
// profiles alone do not cause.
func Resolve(t Target, o Options) (*Resolution, error) {
	c := o.Catalogue
	if c == nil {
		c = builtin()
	}
	res := &Resolution{}
	s := c.newSubject(t, &o, res)
	d := decision{won: make([]candidate, len(fields))}
	for _, r := range c.rules {
		if r.layer == layerInvariant {
			break
		}
		d.apply(r, &s)
	}
	d.applyEntry(&o.Entry)
	d.applyOptions(&o)
	for _, r := range c.rules {
		if r.layer == layerInvariant {
			d.apply(r, &s)
		}
	}
	p, err := d.finish(res)
	if err != nil {
		return nil, err
	}
	res.Policy = p
	res.derive(c, &s)
	return res, nil
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

func (r *Resolution) note(field string, value any, from, source string) {
	r.Trace = append(r.Trace, TraceEntry{Field: field, Value: rawOf(value), From: from, Source: source})
}

// rawOf encodes a value of a policy field, which cannot fail but for text that
// is no UTF-8.
func rawOf(value any) jsontext.Value {
	raw, err := json.Marshal(value, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return jsontext.Value("null")
	}
	return raw
}

func hostOf(base string) string {
	u, err := url.Parse(strings.TrimSpace(base))
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// candidate is the value of a field that has the highest rank so far.
type candidate struct {
	assignment
	rule *rule
	tie  *rule // another rule of the same rank with another value
}

// decision collects candidates.
type decision struct{ won []candidate }

func (d *decision) apply(r *rule, s *subject) {
	if !r.match(s) {
		return
	}
	for _, a := range r.sets {
		d.offer(a, r)
	}
}

// offer takes rules in ascending rank.
func (d *decision) offer(a assignment, r *rule) {
	old := &d.won[a.field]
	if old.rule == nil || old.rule.compare(r) < 0 {
		*old = candidate{assignment: a, rule: r}
		return
	}
	if old.tie == nil && string(old.raw) != string(a.raw) {
		old.tie = r
	}
}

// finish builds the record and its trace.
func (d *decision) finish(res *Resolution) (*Policy, error) {
	p := &Policy{}
	v := reflect.ValueOf(p).Elem()
	for i := range d.won {
		w := &d.won[i]
		if w.rule == nil {
			continue
		}
		if w.tie != nil {
			return nil, w.tieError(i)
		}
		v.FieldByIndex(fields[i].index).Set(w.value)
		if w.rule.layer > layerDefaults {
			res.Trace = append(res.Trace, w.entry(w.rule, w.raw))
		}
	}
	return p, nil
}

func (w *candidate) entry(r *rule, raw jsontext.Value) TraceEntry {
	return TraceEntry{Field: fields[w.field].name, Value: raw, From: r.from, Source: r.source, Verified: r.verified}
}

func (w *candidate) tieError(i int) error {
	other := w.raw
	for _, a := range w.tie.sets {
		if a.field == i {
			other = a.raw
		}
	}
	return &TieError{Field: fields[i].name, A: w.entry(w.rule, w.raw), B: w.entry(w.tie, other)}
}
