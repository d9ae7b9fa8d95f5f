package conformance_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
)

// The kinds of difference.
const (
	lost    = "lost"    // we wrote the member, the SDK does not send it
	added   = "added"   // the SDK sends a member that we did not write
	changed = "changed" // both have the member, with different values
)

// diff is one difference between what we wrote and what the SDK sends.
type diff struct {
	op   string
	path string // members joined by dots, "[]" for any element of a list
	// sent is our value, again that of the SDK, each nil where there is none.
	sent, again any
}

func (d diff) String() string {
	return fmt.Sprintf("%s %s: %s, the SDK sends %s", d.op, d.path, show(d.sent), show(d.again))
}

// compare finds the differences of two JSON values by meaning. Numbers are
// compared exactly.
func compare(path string, sent, again any, found func(diff)) {
	switch a := sent.(type) {
	case map[string]any:
		if b, ok := again.(map[string]any); ok {
			compareMembers(path, a, b, found)
			return
		}
	case []any:
		if b, ok := again.([]any); ok && len(a) == len(b) {
			for i := range a {
				compare(path+"[]", a[i], b[i], found)
			}
			return
		}
	case json.Number:
		if b, ok := again.(json.Number); ok && exactly(a).Cmp(exactly(b)) == 0 {
			return
		}
	default:
		if sent == again {
			return
		}
	}
	found(diff{changed, path, sent, again})
}

func compareMembers(path string, a, b map[string]any, found func(diff)) {
	if path != "" {
		path += "."
	}
	for name, v := range a {
		if w, ok := b[name]; ok {
			compare(path+name, v, w, found)
		} else {
			found(diff{op: lost, path: path + name, sent: v})
		}
	}
	for name, w := range b {
		if _, ok := a[name]; !ok {
			found(diff{op: added, path: path + name, again: w})
		}
	}
}

// exactly reads a number; what it reads was parsed as JSON before.
func exactly(n json.Number) *big.Rat {
	r, _ := new(big.Rat).SetString(string(n))
	return r
}

// parse reads JSON and keeps the digits of numbers.
func parse(t reporter, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v: %.2000s", err, text)
	}
	return v
}

// show is a value as errors print it.
func show(v any) string {
	text, _ := json.Marshal(v) // made of JSON
	if len(text) > 200 {
		return string(text[:200]) + "… (" + strconv.Itoa(len(text)) + " bytes)"
	}
	return string(text)
}
