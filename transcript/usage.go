package transcript

import (
	"math"

	"hygeia/internal/jsonline"
)

// Usage is what an assistant turn used, in tokens from 0 to 2^53-1 (F-34, R-87).
type Usage struct {
	Input, Output         int64 // Input without what came from the cache
	CacheRead, CacheWrite int64 // tokens of the prompt that a cache held, and that went into one
	Total                 int64 // as recorded, else the sum of the others
	// Cost is nil when the record has tokens but no cost.
	Cost *Cost
	// Context is how full the context window was.
	Context ContextUsage
}

// Cost is the price of a turn, in the currency of whoever recorded it.
type Cost struct {
	Input, Output, CacheRead, CacheWrite, Total float64
	ProviderBilled                              bool // Total is what the provider says
}

// ContextState says whether the size of the context is known.
type ContextState string

// The states of ContextUsage. None means that the record says nothing.
const (
	ContextNone        ContextState = ""
	ContextAvailable   ContextState = "available"
	ContextUnavailable ContextState = "unavailable"
)

// ContextUsage is how much of the context window a turn filled, in tokens.
type ContextUsage struct {
	State ContextState
	// Prompt is what went in, Total that and the answer: at least Prompt. Both are 0
	// unless State is ContextAvailable.
	Prompt, Total int64
}

const maxTokens = 1<<53 - 1

// The spellings of R-87, in the order in which they count. A slice of two names
// is a member of a member.
var (
	inputNames      = [][]string{{"input"}, {"input_tokens"}, {"prompt_tokens"}, {"promptTokens"}, {"prompt_n"}}
	outputNames     = [][]string{{"output"}, {"output_tokens"}, {"completion_tokens"}, {"predicted_n"}}
	cacheReadNames  = [][]string{{"cacheRead"}, {"cache_read"}, {"cache_read_input_tokens"}}
	cachedNames     = [][]string{{"cached_tokens"}, {"prompt_tokens_details", "cached_tokens"}, {"input_tokens_details", "cached_tokens"}}
	cacheWriteNames = [][]string{{"cacheWrite"}, {"cache_write"}, {"cache_creation_input_tokens"}}
	totalNames      = [][]string{{"totalTokens"}, {"total_tokens"}}
)

// Usage returns the usage of an assistant turn, whatever service spelled it. A
// turn without one has used nothing and cost nothing.
func (m *Message) Usage() Usage {
	o := m.obj.Get("usage").Object()
	some := false
	read := func(names [][]string) (int64, bool) {
		n, ok := tokens(o, names)
		some = some || ok
		return n, ok
	}
	var u Usage
	var ok bool
	u.Input, _ = read(inputNames)
	u.Output, _ = read(outputNames)
	u.CacheWrite, _ = read(cacheWriteNames)
	if u.CacheRead, ok = read(cacheReadNames); !ok {
		// Services that name it so count it as input too.
		u.CacheRead, _ = read(cachedNames)
		u.Input = max(0, u.Input-u.CacheRead)
	}
	if u.Total, ok = read(totalNames); !ok {
		u.Total = min(maxTokens, u.Input+u.Output+u.CacheRead+u.CacheWrite)
	}
	if u.Cost = cost(o.Get("cost").Object()); u.Cost == nil && !some {
		u.Cost = &Cost{}
	}
	u.Context = contextUsage(o.Get("contextUsage").Object())
	return u
}

// tokens returns the first number that one of the names has.
func tokens(o jsonline.Object, names [][]string) (int64, bool) {
	for _, path := range names {
		v := o.Get(path[0])
		if len(path) > 1 {
			v = v.Object().Get(path[1])
		}
		if n, ok := count(v); ok {
			return n, true
		}
	}
	return 0, false
}

// count reads a number of tokens, cut to a whole number in range.
func count(v jsonline.Value) (int64, bool) {
	f, ok := v.Number()
	return int64(math.Min(math.Max(f, 0), maxTokens)), ok
}

// cost returns the cost, nil if none of its numbers is there.
func cost(o jsonline.Object) *Cost {
	var c Cost
	var some, total bool
	for _, part := range []struct {
		name string
		to   *float64
	}{
		{"input", &c.Input},
		{"output", &c.Output},
		{"cacheRead", &c.CacheRead},
		{"cacheWrite", &c.CacheWrite},
		{"total", &c.Total},
	} {
		f, ok := o.Get(part.name).Number()
		*part.to, some, total = f, some || ok, ok
	}
	if !some {
		return nil
	}
	if !total {
		c.Total = c.Input + c.Output + c.CacheRead + c.CacheWrite
	}
	c.ProviderBilled = o.Get("totalOrigin").String() == "provider-billed"
	return &c
}

func contextUsage(o jsonline.Object) ContextUsage {
	switch state := ContextState(o.Get("state").String()); state {
	case ContextUnavailable:
		return ContextUsage{State: state}
	case ContextAvailable:
		prompt, ok := count(o.Get("promptTokens"))
		total, ok2 := count(o.Get("totalTokens"))
		if ok && ok2 && total >= prompt {
			return ContextUsage{state, prompt, total}
		}
	}
	return ContextUsage{}
}

// StaleUsage returns a function that says whether the usage of a message is from
// before the newest compaction, so that it says nothing about the context as it
// is now. What is before is decided by the positions of the entries
// (D-25); in a bare list by the times of message and last summary, at the same
// time being before (R-B19), else by the order of the list.
func (c *Context) StaleUsage() func(*Message) bool {
	if c.Compaction >= 0 {
		return func(m *Message) bool { return 0 <= m.Origin.Position && m.Origin.Position < c.Compaction }
	}
	var last *Message
	for _, m := range c.Messages {
		if m.Is(CompactionSummary) {
			last = m
		}
	}
	if last == nil {
		return func(*Message) bool { return false }
	}
	border, timed := last.Timestamp()
	return func(m *Message) bool {
		if t, ok := m.Timestamp(); ok && timed {
			return t <= border
		}
		return 0 <= m.Origin.Index && m.Origin.Index < last.Origin.Index
	}
}
