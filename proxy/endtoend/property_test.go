package endtoend_test

import (
	"bytes"
	"flag"
	"fmt"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"hygeia"
	"hygeia/internal/gen"
	"hygeia/internal/jsonline"
	"hygeia/policy"
)

// bodiesPerCheck returns how many bodies each check sends: 2 000 checks of the
// property step of test.sh make 20 000, in any other run fewer do.
func bodiesPerCheck() int {
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		return 1
	}
	return 10
}

// TestPropertyProxy sends random bodies of every format, whole ones and ones that
// lost, gained, swapped or spoiled something on the way, directly and through the
// proxy: what the provider takes arrives as it was sent (D-39), and what it
// refuses it takes through the proxy (G-1, G-9).
func TestPropertyProxy(t *testing.T) {
	h := newHouse(t, trusting)
	rapid.Check(t, func(t *rapid.T) {
		faults := make([]string, bodiesPerCheck())
		var w sync.WaitGroup
		for i := range faults {
			r := rapid.SampledFrom(roads).Draw(t, "road")
			body := spoiled(t, r, whole(t, r))
			if body == nil {
				continue
			}
			// On its way a body has company, and the next one is drawn.
			w.Go(func() {
				direct, through, arrived, err := h.both(r.provider, r.path, body)
				fault := ""
				if err != nil {
					fault = err.Error()
				} else {
					fault = judge(direct, through, body, arrived)
				}
				if fault != "" {
					faults[i] = fmt.Sprintf("%s %s: %s\nbody: %s", r.provider, r.path, fault, body)
				}
			})
		}
		w.Wait()
		for _, fault := range faults {
			if fault != "" {
				t.Fatal(fault)
			}
		}
	})
}

// whole draws a conversation and returns it as a request, nil if nothing of it
// can be sent.
func whole(t *rapid.T, r road) []byte {
	route := gen.Route{Provider: r.provider, API: r.api, Model: r.model}
	for _, known := range gen.Routes {
		if known.Provider == r.provider && policy.FoldAPI(known.API) == r.api && known.Model == r.model {
			route = known
		}
	}
	c := gen.Context(t)
	if route.Form != nil {
		c = gen.Recorded(t, route)
	}
	in := &hygeia.Transcript{Name: "generated", Format: hygeia.FormatMessages, Context: c}
	target := hygeia.Target{Provider: r.provider, API: r.api, Model: r.model}
	out, err := in.Replay(target, hygeia.ReplayOptions{})
	if err != nil {
		return nil
	}
	return out.Body
}

// lists are the names of the lists of turns.
var lists = []string{"messages", "contents", "input"}

// turnsOf returns the object that holds the list of turns of a body, and its name.
func turnsOf(body []byte) (o jsonline.Object, list string) {
	o = jsonline.ParseObject(body)
	if inner := o.Get("request"); inner.Kind == jsonline.ObjectKind {
		o = inner.Object()
	}
	for _, list = range lists {
		if o.Get(list).Kind == jsonline.Array {
			return o, list
		}
	}
	return o, ""
}

// spoiled does to the turns of a body what clients do to them.
func spoiled(t *rapid.T, r road, body []byte) []byte {
	if body == nil {
		return nil
	}
	o, name := turnsOf(body)
	var turns [][]byte
	for turn := range o.Get(name).Elements() {
		turns = append(turns, turn.Raw)
	}
	for range rapid.IntRange(0, 3).Draw(t, "faults") {
		if len(turns) == 0 {
			break
		}
		i := rapid.IntRange(0, len(turns)-1).Draw(t, "turn")
		switch rapid.SampledFrom([]string{"lost", "twice", "swapped", "renamed", "blank", "torn"}).Draw(t, "fault") {
		case "lost":
			turns = append(turns[:i:i], turns[i+1:]...)
		case "twice":
			turns = append(turns[:i+1:i+1], turns[i:]...)
		case "swapped":
			if i > 0 {
				turns = append([][]byte{}, turns...)
				turns[i-1], turns[i] = turns[i], turns[i-1]
			}
		case "renamed":
			turns[i] = replaceFirst(turns[i], `_id":"`, `_id":"x`)
		case "blank":
			turns[i] = replaceFirst(turns[i], `"text":"`, `"text":" ","was":"`)
		case "torn":
			turns[i] = replaceFirst(turns[i], `"text":"`, `"text":"\ud800`)
		}
	}
	list := append(append([]byte{'['}, bytes.Join(turns, []byte(", "))...), ']')
	o = o.With(name, jsonline.Value{Raw: list, Kind: jsonline.Array})
	if whole := jsonline.ParseObject(body); whole.Get("request").Kind == jsonline.ObjectKind {
		o = whole.With("request", o.Value())
	}
	return o.AppendTo(nil)
}

func replaceFirst(turn []byte, old, by string) []byte {
	return bytes.Replace(turn, []byte(old), []byte(by), 1)
}

// TestSpoiled holds that the faults above are faults: a fair part of the bodies
// is refused, and a fair part is taken.
func TestSpoiled(t *testing.T) {
	h := newHouse(t, trusting)
	refused, taken := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		for range 4 {
			r := rapid.SampledFrom(roads).Draw(t, "road")
			body := spoiled(t, r, whole(t, r))
			if body == nil {
				continue
			}
			got, err := h.post(h.emulator.BaseURL(r.provider)+r.path, body)
			if err != nil {
				t.Fatal(err)
			}
			if got.status == 200 {
				taken++
			} else {
				refused++
			}
		}
	})
	if refused < 20 || taken < 20 {
		t.Errorf("%d bodies refused, %d taken", refused, taken)
	}
}
