package acp

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"hygeia/projection"
)

// call tells that a tool is called, and returns the id under which the client knows
// the call: that of the model, which may be none, or one that stood there before.
func (t *teller) call(id, name string, m *meta) string {
	known := id
	for _, taken := t.over[known]; known == "" || taken; _, taken = t.over[known] {
		t.times[id]++
		known = fmt.Sprintf("%s#%d", id, t.times[id])
	}
	t.over[known] = false
	t.started[id] = append(t.started[id], known)
	t.order = append(t.order, known)
	t.tell(update{Kind: toolCall, CallID: known, Title: projection.OneLine(name), ToolKind: kindOf(name), Status: pending, Meta: m})
	return known
}

func kindOf(name string) string {
	if kind := toolKinds[name]; kind != "" {
		return kind
	}
	return "other"
}

// input returns arguments as they are told: JSON as it is, anything else as a text.
func (t *teller) input(arguments []byte) jsontext.Value {
	v := jsontext.Value(t.redact(string(arguments)))
	if len(arguments) == 0 {
		return nil
	}
	if !v.IsValid() {
		text, err := jsontext.AppendQuote(nil, string(v))
		if err != nil {
			return nil // no UTF-8, which arguments that were read from JSON always are
		}
		v = text
	}
	return v
}

// result tells that a call is over. One of a call that was not told is told with it.
func (t *teller) result(id, name, text string, bad bool) {
	if len(t.started[id]) == 0 {
		t.call(id, name, nil)
	}
	known := t.started[id][0]
	t.started[id] = t.started[id][1:]
	t.over[known] = true
	u := update{Kind: toolUpdate, CallID: known, Status: completed}
	if bad {
		u.Status = failed
	}
	if text != "" {
		u.Content = []toolContent{shownContent(textBlock(t.redact(text)))}
	}
	t.tell(u)
}

// finish ends what is open: calls that have no result were not carried out.
func (t *teller) finish() {
	t.end()
	for _, known := range t.order {
		if !t.over[known] {
			t.tell(update{Kind: toolUpdate, CallID: known, Status: failed})
		}
	}
}
