package measure

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// compare returns the bytes of the messages that were sent, and how many of
// them stand at the beginning of the next request as well.
func compare(before, now [][]byte) (sent, kept int) {
	same := true
	for i, m := range before {
		sent += len(m)
		if !same {
			continue
		}
		var next []byte
		if i < len(now) {
			next = now[i]
		}
		if bytes.Equal(m, next) {
			kept += len(m)
			continue
		}
		same = false
		a, b := plainly(m), plainly(next)
		if bytes.Equal(a, b) {
			kept, same = kept+len(m), true
			continue
		}
		n := 0
		for n < min(len(a), len(b)) && a[n] == b[n] {
			n++
		}
		// What closes the last message does not count: the next one goes on there.
		if i == len(before)-1 && len(bytes.TrimRight(a[n:], "}]\"")) == 0 {
			n = len(a)
		}
		kept += n * len(m) / max(len(a), 1)
	}
	return sent, kept
}

// marker are what caches are told, which D-21 takes out.
var marker = regexp.MustCompile(`,"cache_control":\{"type":"ephemeral"\}|,\{"cachePoint":\{"type":"default"\}\}`)

// plainly takes cache markers out of a message and makes a list of a text that
// is its only block (D-21).
func plainly(m []byte) []byte {
	m = marker.ReplaceAll(m, nil)
	if v := jsonline.Parse(m).Object().Get("content"); v.IsString() {
		i := bytes.Index(m, v.Raw)
		return slices.Concat(m[:i], []byte(`[{"type":"text","text":`), v.Raw, []byte(`}]`), m[i+len(v.Raw):])
	}
	return m
}

// messagesOf returns the messages of a body of any format.
func messagesOf(body []byte) [][]byte {
	o := jsonline.Parse(body).Object()
	if inner := o.Get("request").Object(); inner.Exists() {
		o = inner
	}
	var list [][]byte
	for _, name := range []string{"messages", "input", "contents"} {
		for m := range o.Get(name).Elements() {
			list = append(list, m.Raw)
		}
	}
	return list
}

// changed returns the rules that changed one of the first n messages only now,
// or had put something behind them that is not there any more.
func changed(before, now *hygiene.Report, n int) map[string]bool {
	rules := map[string]bool{}
	more := func(a, b *hygiene.Report, ops ...hygiene.Op) {
		known := map[string]bool{}
		for i := range a.Changes {
			known[keyOf(&a.Changes[i])] = true
		}
		for i := range b.Changes {
			if c := &b.Changes[i]; touches(c, n) && !known[keyOf(c)] && (ops == nil || slices.Contains(ops, c.Op)) {
				rules[c.Rule] = true
			}
		}
	}
	more(before, now)
	more(now, before, hygiene.Insert)
	return rules
}

// touches reports whether a change concerns one of the first n messages: also
// one that a later message was joined with.
func touches(c *hygiene.Change, n int) bool {
	to, ok := c.After.(*transcript.Message)
	return c.Message < n || ok && c.Op == hygiene.Move && to.Origin.Index < n
}

func keyOf(c *hygiene.Change) string { return fmt.Sprint(c.Rule, c.Op, c.Message, " ", c.Block) }
