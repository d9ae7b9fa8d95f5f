package policy

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// field is one settable or derived member of the policy record.
type field struct {
	name  string // as in a trace: "wire.prefill"
	index []int
	typ   reflect.Type
}

// assignment gives a field a value.
type assignment struct {
	field int // index in fields
	value reflect.Value
	raw   jsontext.Value
}

// derivedFields follow from the others (P-01, P-04); no profile sets them.
var derivedFields = []string{"responses", "anthropicFamily", "signatureHygiene", "providerOwnedThinking"}

// fields lists the record in the order of its declaration.
var fields = listFields(reflect.TypeFor[Policy](), "", nil)

// groups are the members of the record that have members of their own.
var groups = []string{"model", "wire"}

// enums lists the legal values of text fields: a misspelt value in a profile
// would otherwise switch a rule off without a word.
var enums = map[string][]string{
	"sanitizeMode":             {string(SanitizeFull), string(SanitizeImagesOnly)},
	"toolCallIdMode":           {"", string(IDStrict), string(IDStrict9)},
	"duplicateToolCallIdStyle": {"", "openai"},
	"foreignThinking":          {string(ForeignDrop), string(ForeignText)},
	"model.thinking":           {"", string(ThinkingManual), string(ThinkingAdaptive)},
	"model.thinkingDefault":    {"", string(ThinksOff), string(ThinksOn), string(ThinksAlways)},
	"wire.prefill":             {string(PrefillAllowed), string(PrefillThinking), string(PrefillNever)},
	"wire.sampling":            {"", string(SamplingAny), string(SamplingOne), string(SamplingDefaultOnly)},
	"wire.reasoningReplay": {
		"", string(ReasoningNone), string(ReasoningRound), string(ReasoningRecorded),
		string(ReasoningContent), string(ReasoningOpenRouter), string(ReasoningDetails),
	},
	"wire.reasoningRequired": {"", "calls", "all"},
	"wire.maxTokensField":    {"", "max_tokens", "max_completion_tokens"},
	"wire.reasoningEffort":   {"", "reasoning_effort", "reasoning", "thinking", "chat_template_kwargs"},
}

func listFields(t reflect.Type, prefix string, index []int) []field {
	var out []field
	for i := range t.NumField() {
		f := t.Field(i)
		name := memberName(f)
		at := append(slices.Clone(index), i)
		if prefix == "" && slices.Contains(groups, name) {
			out = append(out, listFields(f.Type, name+".", at)...)
			continue
		}
		out = append(out, field{name: prefix + name, index: at, typ: f.Type})
	}
	return out
}

func memberName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

func fieldIndex(name string) int {
	return slices.IndexFunc(fields, func(f field) bool { return f.name == name })
}

// decodeSet reads the fields that a rule sets. Paths of errors are relative to
// the set object.
func decodeSet(raw jsontext.Value) ([]assignment, error) {
	return decodeMembers(raw, "", "")
}

func decodeMembers(raw jsontext.Value, prefix, path string) ([]assignment, error) {
	var members map[string]jsontext.Value
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, at(path, err)
	}
	var out []assignment
	for name, value := range members {
		here := path + "/" + name
		if prefix == "" && slices.Contains(groups, name) {
			inner, err := decodeMembers(value, name+".", here)
			if err != nil {
				return nil, err
			}
			out = append(out, inner...)
			continue
		}
		a, err := decodeField(prefix+name, value)
		if err != nil {
			return nil, at(here, err)
		}
		out = append(out, a)
	}
	slices.SortFunc(out, func(a, b assignment) int { return a.field - b.field })
	return out, nil
}

func decodeField(name string, raw jsontext.Value) (assignment, error) {
	i := fieldIndex(name)
	if i < 0 || slices.Contains(derivedFields, name) {
		return assignment{}, fmt.Errorf("unknown policy field %q", name)
	}
	v := reflect.New(fields[i].typ)
	if err := json.Unmarshal(raw, v.Interface(), json.RejectUnknownMembers(true)); err != nil {
		return assignment{}, err
	}
	if allowed, ok := enums[name]; ok && !slices.Contains(allowed, v.Elem().String()) {
		return assignment{}, fmt.Errorf("%q is none of %q", v.Elem().String(), allowed)
	}
	if err := raw.Canonicalize(); err != nil { // equal values have equal text
		return assignment{}, err
	}
	return assignment{field: i, value: v.Elem(), raw: raw}, nil
}
