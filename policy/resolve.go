package policy

import (
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
	Reasoning               *bool    // the model reasons; nil: not said
	SupportsReasoningEffort *bool    // its effort can be chosen; nil: not said
	Input                   []string // what it takes; nil: not said; W-101 asks for "image"
	BaseURL                 string   // of the endpoint; its host may decide (W-332), "": not said
	CanonicalModelID        string   // what the id stands for, such as that of a deployment (P-B07)
	ContextWindow           int      // tokens, 0: not said
	MaxOutputTokens         int      // tokens, 0: not said
}

// Options are the inputs of [Resolve] besides the target.
type Options struct {
	Catalogue *Catalogue // nil: the built-in profiles
	Entry     Entry

	// What the caller of this request says; it outranks everything (D-29).
	Reasoning       *bool           // the model reasons; nil: not said
	Images          *bool           // the model takes pictures; nil: not said
	ForeignThinking ForeignThinking // "": as the profile says
}

// TraceEntry says which layer set a field, to which value and why.
type TraceEntry struct {
	Field    string         `json:"field"`              // its path in the JSON of a policy, such as wire.maxImages
	Value    jsontext.Value `json:"value"`              // as it is in the result
	From     string         `json:"from"`               // the layer and its name, such as "family am"
	Source   string         `json:"source"`             // rules of the specification or documents
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
	i := 0
	for ; i < len(c.rules) && c.rules[i].layer < layerInvariant; i++ {
		d.apply(c.rules[i], &s)
	}
	d.applyEntry(&o.Entry)
	d.applyOptions(&o)
	for _, r := range c.rules[i:] {
		d.apply(r, &s)
	}
	p, err := d.finish(res)
	if err != nil {
		return nil, err
	}
	res.Policy = p
	res.derive(c, &s)
	return res, nil
}

func (r *Resolution) note(field string, value any, from, source string) {
	r.Trace = append(r.Trace, TraceEntry{Field: field, Value: rawOf(value), From: from, Source: source})
}

// rawOf encodes a value of a policy field, which cannot fail but for text that
// is no UTF-8.
func rawOf(value any) jsontext.Value {
	raw, err := json.Marshal(value, jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
	if err != nil {
		return jsontext.Value("null")
	}
	return raw
}
