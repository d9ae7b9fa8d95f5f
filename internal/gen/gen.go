// Package gen makes transcripts for property tests: conversations that hang
// together, with every fault that the specification knows strewn in. A third of
// them are tidy: what a service would record, ids and signatures included, with
// at most two faults of the list as a whole. All choices are drawn with rapid,
// so a failing transcript shrinks.
//
// Transcripts come out as JSON text, which allows spellings that no encoder
// would produce: odd escapes, lone surrogates, number literals, duplicate
// members.
package gen

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"

	"hygeia/transcript"
)

// Context draws the context of a replay: messages and, half of the time,
// positions, a compaction, rejected thinking and route snapshots.
func Context(t *rapid.T) *transcript.Context { return context(t, Messages(t)) }

// Recorded draws the context of a tidy transcript that mostly one route wrote.
func Recorded(t *rapid.T, r Route) *transcript.Context {
	return context(t, messages(t, &generator{home: r, tidy: true}))
}

// Long is Recorded with that many turns of a user at least.
func Long(t *rapid.T, r Route, least int) *transcript.Context {
	return context(t, messages(t, &generator{home: r, tidy: true, least: least}))
}

func context(t *rapid.T, text string) *transcript.Context {
	var r transcript.Reader
	list, err := r.Messages([]byte(text))
	if err != nil {
		t.Fatalf("generated text is no message list: %v\n%s", err, text)
	}
	c := transcript.NewContext(list)
	if rapid.IntRange(0, 3).Draw(t, "named") == 0 {
		c.SessionID = rapid.SampledFrom([]string{"s", strings.Repeat("session-", 9), "sítzung"}).Draw(t, "session id")
	}
	if !rapid.Bool().Draw(t, "positions") {
		return c
	}
	position := 0
	for i, m := range list {
		position += rapid.IntRange(1, 2).Draw(t, "step")
		m.Origin = transcript.Origin{Entry: fmt.Sprintf("e%d", i), Index: i, Position: position}
	}
	if rapid.IntRange(0, 2).Draw(t, "compacted") == 0 {
		c.Compaction = rapid.IntRange(0, position+1).Draw(t, "compaction")
	}
	if rapid.IntRange(0, 7).Draw(t, "rejected") == 0 {
		c.RejectedThinking = rapid.IntRange(0, position+1).Draw(t, "rejected thinking")
	}
	if rapid.IntRange(0, 3).Draw(t, "snapshots") == 0 {
		at := rapid.IntRange(0, position+1).Draw(t, "at")
		r := anyRoute(t)
		c.Snapshots = []transcript.Snapshot{{Position: at, Route: transcript.Route{Provider: r.Provider, API: r.API, Model: r.Model}}}
	}
	return c
}

// Messages draws a message list as JSON text.
func Messages(t *rapid.T) string {
	return messages(t, &generator{home: anyRoute(t), tidy: rapid.IntRange(1, 3).Draw(t, "tidy") == 3})
}

func messages(t *rapid.T, g *generator) string {
	g.t, g.clock = t, 1_700_000_000_000
	if g.tidy && g.chance(5, "summed up") {
		g.out = append(g.out, `{"role":"compactionSummary","summary":"What was said.","tokensBefore":10,"timestamp":1700000000000}`)
	}
	for range max(g.length(), g.least) {
		if g.tidy {
			g.exchange()
		} else {
			g.turn()
		}
	}
	if g.tidy {
		for range rapid.IntRange(0, 2).Draw(t, "faults") {
			g.fault()
		}
	}
	return "[" + strings.Join(g.out, ",") + "]"
}

// generator remembers what later messages refer to.
type generator struct {
	t     *rapid.T
	home  Route // the one that most turns were written by
	tidy  bool
	least int // turns
	out   []string
	clock int64
	n     int    // the newest number given out
	open  []call // calls without a result so far
	past  []call
	now   Route // that of the turn being made
	first bool  // no call of the turn was made yet
}

type call struct{ id, name string }

// length draws the number of turns: most lists are short, so that they are many
// and shrink well, some are long, a few very long.
func (g *generator) length() int {
	switch {
	case g.chance(200, "very long"):
		return rapid.IntRange(40, 150).Draw(g.t, "turns")
	case g.chance(12, "long"):
		return rapid.IntRange(10, 40).Draw(g.t, "turns")
	}
	return rapid.IntRange(0, 9).Draw(g.t, "turns")
}

// chance is true once in n draws.
func (g *generator) chance(n int, what string) bool {
	return rapid.IntRange(1, n).Draw(g.t, what) == n
}

func (g *generator) pick(from []string, what string) string {
	return rapid.SampledFrom(from).Draw(g.t, what)
}

// number returns one that no earlier value was made of.
func (g *generator) number() int {
	g.n++
	return g.n
}

// turn adds one message, or a round of call and results.
func (g *generator) turn() {
	switch rapid.IntRange(0, 11).Draw(g.t, "turn") {
	case 0, 1, 2:
		g.user()
	case 3, 4:
		g.assistant()
	case 5, 6, 7, 8:
		g.round()
	case 9:
		g.result()
	case 10:
		g.other()
	case 11:
		if len(g.out) > 0 && g.chance(2, "repeat") {
			g.out = append(g.out, g.out[len(g.out)-1])
		} else {
			g.assistant()
		}
	}
}

// round is an assistant turn and the results of its calls, mostly in order.
func (g *generator) round() {
	g.open = nil
	g.assistant()
	if g.chance(6, "interrupted") {
		g.user()
	}
	for len(g.open) > 0 && !g.chance(8, "lost") {
		g.result()
	}
}

// fault does to a tidy list what happens to lists: a message is lost, stored
// twice, stands in the wrong place, or the rest never came.
func (g *generator) fault() {
	if len(g.out) < 2 {
		return
	}
	i := rapid.IntRange(0, len(g.out)-2).Draw(g.t, "at")
	switch g.pick([]string{"lost", "twice", "swapped", "cut", "later"}, "fault") {
	case "lost":
		g.out = append(g.out[:i], g.out[i+1:]...)
	case "twice":
		g.out = append(g.out[:i+1], g.out[i:]...)
	case "swapped":
		g.out[i], g.out[i+1] = g.out[i+1], g.out[i]
	case "cut":
		g.out = g.out[:i+1]
	case "later":
		j := rapid.IntRange(i, len(g.out)-1).Draw(g.t, "to")
		m := g.out[i]
		copy(g.out[i:j], g.out[i+1:j+1])
		g.out[j] = m
	}
}
