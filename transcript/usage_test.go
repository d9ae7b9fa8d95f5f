package transcript

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func read(t testing.TB, text string) *Message {
	t.Helper()
	var r Reader
	m, err := r.Message([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return m
}

// F-34, R-87: one record whatever service spelled it.
func TestUsage(t *testing.T) {
	zero := &Cost{}
	for _, c := range []struct {
		name, usage string
		want        Usage
	}{
		{"as stored", `{"input":10,"output":2,"cacheRead":5,"cacheWrite":3,"totalTokens":99}`, Usage{10, 2, 5, 3, 99, nil, ContextUsage{}}},
		{"total summed", `{"input":10,"output":2,"cacheRead":5,"cacheWrite":3}`, Usage{10, 2, 5, 3, 20, nil, ContextUsage{}}},
		{"parts missing", `{"output":2}`, Usage{0, 2, 0, 0, 2, nil, ContextUsage{}}},
		{"anthropic", `{"input_tokens":10,"output_tokens":2,"cache_read_input_tokens":5,"cache_creation_input_tokens":3}`, Usage{10, 2, 5, 3, 20, nil, ContextUsage{}}},
		{"chat completions", `{"prompt_tokens":10,"completion_tokens":2,"total_tokens":12,"prompt_tokens_details":{"cached_tokens":4}}`, Usage{6, 2, 4, 0, 12, nil, ContextUsage{}}},
		{"responses", `{"input_tokens":10,"output_tokens":2,"input_tokens_details":{"cached_tokens":4}}`, Usage{6, 2, 4, 0, 12, nil, ContextUsage{}}},
		{"cached alone", `{"promptTokens":3,"cached_tokens":4}`, Usage{0, 0, 4, 0, 4, nil, ContextUsage{}}},
		{"llama.cpp", `{"prompt_n":7,"predicted_n":8}`, Usage{7, 8, 0, 0, 15, nil, ContextUsage{}}},
		{"snake", `{"input":1,"cache_read":2,"cache_write":3}`, Usage{1, 0, 2, 3, 6, nil, ContextUsage{}}},
		{"own spelling first", `{"input":1,"input_tokens":9,"cacheRead":0,"cached_tokens":9}`, Usage{1, 0, 0, 0, 1, nil, ContextUsage{}}},
		{"no number is passed over", `{"input":"x","input_tokens":9}`, Usage{9, 0, 0, 0, 9, nil, ContextUsage{}}},
		{"ranges", `{"input":-5,"output":2.9,"cacheRead":1e300,"totalTokens":1e999}`, Usage{0, 2, maxTokens, 0, maxTokens, nil, ContextUsage{}}},
		{"nothing", `{"speed":3}`, Usage{Cost: zero}},
		{"no record", `null`, Usage{Cost: zero}},
		{"cost", `{"input":1,"cost":{"input":0.5,"output":0.25,"total":9,"totalOrigin":"provider-billed"}}`, Usage{1, 0, 0, 0, 1, &Cost{0.5, 0.25, 0, 0, 9, true}, ContextUsage{}}},
		{"cost summed", `{"input":1,"cost":{"input":0.5,"output":2,"cacheRead":0.25,"cacheWrite":4,"totalOrigin":"guess"}}`, Usage{1, 0, 0, 0, 1, &Cost{0.5, 2, 0.25, 4, 6.75, false}, ContextUsage{}}},
		{"cost without a number", `{"input":1,"cost":{"total":"9"}}`, Usage{1, 0, 0, 0, 1, nil, ContextUsage{}}},
		{"cost alone", `{"cost":{"total":9}}`, Usage{Cost: &Cost{Total: 9}}},
		{"context", `{"input":1,"contextUsage":{"state":"available","promptTokens":5,"totalTokens":7}}`, Usage{1, 0, 0, 0, 1, nil, ContextUsage{ContextAvailable, 5, 7}}},
		{"context without an answer", `{"input":1,"contextUsage":{"state":"available","promptTokens":7,"totalTokens":7}}`, Usage{1, 0, 0, 0, 1, nil, ContextUsage{ContextAvailable, 7, 7}}},
		{"context without a prompt", `{"input":1,"contextUsage":{"state":"available","totalTokens":7}}`, Usage{1, 0, 0, 0, 1, nil, ContextUsage{}}},
		{"context unavailable", `{"input":1,"contextUsage":{"state":"unavailable","totalTokens":7}}`, Usage{1, 0, 0, 0, 1, nil, ContextUsage{State: ContextUnavailable}}},
		{"context impossible", `{"input":1,"contextUsage":{"state":"available","promptTokens":8,"totalTokens":7}}`, Usage{1, 0, 0, 0, 1, nil, ContextUsage{}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := read(t, `{"role":"assistant","content":[],"usage":`+c.usage+`}`).Usage()
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
	if d := cmp.Diff(Usage{Cost: zero}, read(t, `{"role":"assistant"}`).Usage()); d != "" {
		t.Error(d)
	}
}

// R-86, D-25: positions decide where they are known, whatever the clocks say.
func TestStaleUsageByPosition(t *testing.T) {
	at := func(position int) *Message {
		return read(t, `{"role":"assistant","timestamp":1}`).WithOrigin(Origin{Index: 3, Position: position})
	}
	c := NewContext(nil)
	c.Compaction = 5
	stale := c.StaleUsage()
	for position, want := range map[int]bool{-1: false, 0: true, 4: true, 5: false, 6: false} {
		if got := stale(at(position)); got != want {
			t.Errorf("position %d: %v", position, got)
		}
	}
}

// R-86, R-B19: in a bare list times decide, the same time being before, else the
// order; the last summary counts.
func TestStaleUsageOfAList(t *testing.T) {
	var r Reader
	list, err := r.Messages([]byte(`[
		{"role":"compactionSummary","timestamp":9000},
		{"role":"assistant","timestamp":999},
		{"role":"assistant"},
		{"role":"compactionSummary","timestamp":1000},
		{"role":"assistant","timestamp":1000},
		{"role":"assistant","timestamp":1001},
		{"role":"assistant"}]`))
	if err != nil {
		t.Fatal(err)
	}
	stale := NewContext(list).StaleUsage()
	for i, want := range []bool{true, true, true, true, true, false, false} {
		if got := stale(list[i]); i != 0 && i != 3 && got != want {
			t.Errorf("message %d: %v", i, got)
		}
	}
	if NewContext(list[4:]).StaleUsage()(list[4]) {
		t.Error("stale without a summary")
	}
	untimed := NewContext([]*Message{list[2], read(t, `{"role":"compactionSummary"}`).WithOrigin(Origin{Index: 5, Position: -1}), list[6]}).StaleUsage()
	if !untimed(list[1]) || untimed(list[6]) || untimed(New(Assistant)) {
		t.Error("order does not decide where a time is missing")
	}
}
