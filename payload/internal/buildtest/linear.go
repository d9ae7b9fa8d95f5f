package buildtest

import (
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// Linear proves G-6: ten times as many turns or blocks take about ten times as
// much memory, also where turns are joined, left out or paired. Work that is
// not linear and takes none does not end within the time of a test.
func Linear(t *testing.T, f Format) {
	for name, list := range map[string]func(n int) string{
		"user turns": func(n int) string { return strings.Repeat(`,{"role":"user","content":"(continue)"}`, n) },
		"empty turns": func(n int) string {
			return strings.Repeat(`,{"role":"assistant","content":[{"type":"thinking","thinking":"t"},{"type":"text","text":"x"}]},{"role":"user","content":[]}`, n)
		},
		"turns with a call": func(n int) string {
			return strings.Repeat(`,{"role":"assistant","content":[{"type":"toolCall","id":"a","name":"read","arguments":{}}]}`, n)
		},
		"blocks": func(n int) string {
			return `,{"role":"user","content":[` + strings.Repeat(`{"type":"text","text":"x"},`, n) + picture + `]}`
		},
		"calls of one turn, answered backwards": calls,
	} {
		t.Run(name, func(t *testing.T) {
			run := func(n int) uint64 {
				in := f.input()
				in.Messages = Messages(t, `[{"role":"user","content":"q"}`+list(n)+`]`)
				return allocated(func() {
					if _, err := f.Build(in); err != nil && !f.refuses(in, err) {
						t.Fatal(err)
					}
				})
			}
			short, long := run(2000), run(20_000)
			if long > 20*short {
				t.Errorf("%d bytes for 2 000, %d for 20 000", short, long)
			}
			if f.Decode == nil {
				return
			}
			if short, long = f.back(t, list(2000)), f.back(t, list(20_000)); long > 20*short {
				t.Errorf("read as a request: %d bytes for 2 000, %d for 20 000", short, long)
			}
		})
	}
}

// back returns how many bytes it takes to read the body for a list and to write
// it again.
func (f *Format) back(t *testing.T, list string) uint64 {
	in := f.input()
	in.Messages = Messages(t, `[{"role":"user","content":"q"}`+list+`]`)
	body, err := f.Build(in)
	if err != nil {
		return 0 // nothing to read
	}
	return allocated(func() {
		again := fresh(in)
		again.Request = f.decode(t, body)
		again.Messages = again.Request.Messages
		if _, err := f.Build(again); err != nil && !f.refuses(again, err) {
			t.Fatal(err)
		}
	})
}

// calls are a turn with that many calls and their results, the last one first.
func calls(n int) string {
	var blocks, results []string
	for i := range n {
		blocks = append(blocks, `{"type":"toolCall","id":"c`+strconv.Itoa(10_000_000+i)+`","name":"read","arguments":{}}`)
		results = append(results, `,{"role":"toolResult","toolCallId":"c`+strconv.Itoa(10_000_000+n-1-i)+`","content":"ok"}`)
	}
	return `,{"role":"assistant","content":[` + strings.Join(blocks, ",") + `]}` + strings.Join(results, "")
}

// allocated returns how many bytes a function takes in all.
func allocated(run func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
