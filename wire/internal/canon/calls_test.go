package canon

import (
	"strconv"
	"testing"
)

// Results take calls by id, else by name, else in order, each once.
func TestCalls(t *testing.T) {
	var c Calls
	c.Turn()
	for _, call := range [][2]string{{"", "f"}, {"own", "g"}, {"", "f"}, {"", "h"}} {
		c.Call(call[0], call[1])
	}
	for _, want := range []struct {
		id, name, answered string
		unnamed            bool
	}{
		{"own", "g", "own", false},
		{"", "h", "call4", true},
		{"", "f", "call1", true},
		{"", "", "call3", true},
		{"", "f", "result4f", true},
		{"", "", "result4", true},
		{"other", "f", "other", false},
	} {
		if got, unnamed := c.Answer(want.id, want.name); got != want.answered || unnamed != want.unnamed {
			t.Errorf("%q %q: %q, %v", want.id, want.name, got, unnamed)
		}
	}
	c.Turn()
	if got, _ := c.Answer("", "f"); got != "result4f" {
		t.Errorf("a call of an earlier turn is answered: %q", got)
	}
	if got, unnamed := c.Call("", "f"); got != "call5" || !unnamed {
		t.Errorf("%q", got)
	}
}

// G-6: a turn of many calls costs about as many times what a call costs.
func TestManyCalls(t *testing.T) {
	cost := func(n int) float64 {
		return testing.AllocsPerRun(1, func() {
			var c Calls
			for i := range n {
				c.Call("", "f"+strconv.Itoa(i%3))
			}
			for range n {
				c.Answer("", "")
			}
			for i := range n {
				c.Answer("", "f"+strconv.Itoa(i%3))
			}
		})
	}
	if small, large := cost(1_000), cost(20_000); large > 30*small {
		t.Errorf("%v allocations for 1 000 calls, %v for 20 000", small, large)
	}
}
