package model_test

import (
	"testing"

	"hygeia/emulator"
)

// TestSwitch carries one session from every provider to the next and back, with
// calls on the way: what each of them stored hinders none of the others.
func TestSwitch(t *testing.T) {
	step := emulator.Step{Times: -1, Contains: "Read.", Answer: emulator.Answer{Content: []emulator.Part{
		{Thinking: "I read it."}, {Text: "Reading."}, {Call: "read", Arguments: []byte(`{"path":"a"}`)}, {Call: "read", Arguments: []byte(`{"path":"b"}`)},
	}}}
	s := begin(t, roads[0], emulator.Options{Respond: emulator.Script(step)})
	ids := map[string]bool{}
	for _, r := range append(append([]road{}, roads...), roads[0], roads[6], roads[9], roads[14]) {
		s.road = r
		s.say("Read.")
		a, _ := s.must()
		if len(a.Calls) != 2 {
			t.Fatalf("%s: %s", r.name(), a.Message)
		}
		for _, c := range a.Calls {
			if ids[c.ID] {
				t.Errorf("%s: the id %s was used before", r.name(), c.ID)
			}
			ids[c.ID] = true
		}
		s.results(a)
		s.must()
	}
}
