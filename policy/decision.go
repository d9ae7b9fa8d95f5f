package policy

import (
	"reflect"

	"github.com/go-json-experiment/json/jsontext"
)

// candidate is the value of a field that has the highest rank so far.
type candidate struct {
	*assignment
	rule *rule
	tie  *rule // another rule of the same rank with another value
}

// decision collects candidates.
type decision struct{ won []candidate }

func (d *decision) apply(r *rule, s *subject) {
	if !r.match(s) {
		return
	}
	for i := range r.sets {
		d.offer(&r.sets[i], r)
	}
}

// offer takes rules in ascending rank.
func (d *decision) offer(a *assignment, r *rule) {
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
