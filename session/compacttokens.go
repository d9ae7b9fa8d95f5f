package session

import (
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// How tokens are estimated (C-03).
const (
	charsPerToken = 4
	charsPerImage = 4800
)

// EstimateTokens estimates how many tokens a message takes: four characters for
// each, a picture counting as 4 800 characters (C-03). Characters are UTF-16
// units. What never goes out takes none.
func EstimateTokens(m *transcript.Message) int {
	return tokensOf(charsOf(m))
}

func tokensOf(chars int) int { return (chars + charsPerToken - 1) / charsPerToken }

// ContextTokens says how many tokens a context takes: what the service counted
// for the newest assistant turn that says so, and an estimate of what stands
// behind it; an estimate of all where no usage counts any more (C-07, R-86).
func ContextTokens(c *transcript.Context) int {
	stale := c.StaleUsage()
	n := 0
	for i := len(c.Messages) - 1; i >= 0; i-- {
		m := c.Messages[i]
		if m.Is(transcript.Assistant) && !m.Failed() && !stale(m) {
			if used := filled(m.Usage()); used > 0 {
				return n + used
			}
		}
		n += EstimateTokens(m)
	}
	return n
}

// filled returns how much of the context was in use behind a turn, 0 for
// unknown.
func filled(u transcript.Usage) int {
	switch u.Context.State {
	case transcript.ContextAvailable:
		return int(u.Context.Total)
	case transcript.ContextUnavailable:
		return 0
	}
	return int(u.Total)
}

func charsOf(m *transcript.Message) int {
	switch m.Role() {
	case transcript.BashExecution:
		if m.Get("excludeFromContext").Bool() {
			return 0
		}
		return length(m.Get("command")) + length(m.Get("output"))
	case transcript.BranchSummary, transcript.CompactionSummary:
		return length(m.Get("summary"))
	}
	n := length(m.Text())
	for _, b := range m.Blocks() {
		n += charsOfBlock(b)
	}
	return n
}

func charsOfBlock(b *transcript.Block) int {
	switch {
	case b.IsText():
		return length(b.Get("text"))
	case b.Is(transcript.TypeThinking):
		return length(b.Get("thinking"))
	case b.IsToolCall():
		return length(b.Get("name")) + len(b.Get("arguments").Raw) + len(b.Get("input").Raw)
	case b.Is(transcript.TypeImage):
		return charsPerImage
	}
	// Sealed thinking, sound, and what nobody here knows: no more than a picture.
	return min(b.Members().Size(), charsPerImage)
}

func length(v jsonline.Value) int { return lengthOf(v.String()) }

// lengthOf counts the UTF-16 units of a text.
func lengthOf(text string) int {
	n := 0
	for _, r := range text {
		if n++; r > 0xFFFF {
			n++
		}
	}
	return n
}
