package policy

import "reflect"

// applyEntry offers what the user's model entry says (D-29).
func (d *decision) applyEntry(e *Entry) {
	r := &rule{layer: layerEntry, from: "model entry", source: "D-29"}
	if e.Reasoning != nil {
		d.set(r, "model.reasoning", *e.Reasoning)
	}
	if e.SupportsReasoningEffort != nil {
		d.set(r, "model.supportsReasoningEffort", e.SupportsReasoningEffort)
	}
	if e.Input != nil {
		d.set(r, "model.images", containsFold(e.Input, "image"))
	}
	if e.BaseURL != "" {
		d.set(r, "model.baseUrl", e.BaseURL)
	}
	if e.CanonicalModelID != "" {
		d.set(r, "model.canonicalModelId", e.CanonicalModelID)
	}
	if e.ContextWindow > 0 {
		d.set(r, "model.contextWindow", e.ContextWindow)
	}
	if e.MaxOutputTokens > 0 {
		d.set(r, "model.maxOutputTokens", e.MaxOutputTokens)
	}
}

// applyOptions offers what the caller says.
func (d *decision) applyOptions(o *Options) {
	r := &rule{layer: layerOption, from: "option", source: "D-29"}
	if o.Reasoning != nil {
		d.set(r, "model.reasoning", *o.Reasoning)
	}
	if o.Images != nil {
		d.set(r, "model.images", *o.Images)
	}
	if o.ForeignThinking != "" {
		d.set(r, "foreignThinking", o.ForeignThinking)
	}
}

func (d *decision) set(r *rule, name string, value any) {
	d.offer(&assignment{field: fieldIndex(name), value: reflect.ValueOf(value), raw: rawOf(value)}, r)
}

func containsFold(list []string, word string) bool {
	for _, s := range list {
		if lower(s) == word {
			return true
		}
	}
	return false
}
