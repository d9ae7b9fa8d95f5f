package bedrock

import (
	"hygeia/transcript"
)

// Why a cache point goes (W-711, BR-19).
const (
	noPoints      = "the model knows no cache points"
	tooManyPoints = "the request holds more than four cache points"
)

// limitPoints finds the cache points of a request that are too many (BR-19). The
// oldest in the messages go, never the newest; then those in front of the
// messages, from the front.
func (b *builder) limitPoints(messages []*transcript.Message) {
	var points []any
	for _, m := range messages {
		for _, k := range m.Blocks() {
			if k.Is("cachePoint") {
				points = append(points, k)
			}
		}
		if m.Is(transcript.ToolResult) && m.Get("cachePoint").Exists() {
			points = append(points, m)
		}
	}
	front := 0
	for _, path := range [][]string{{config, "tools"}, {"system"}} {
		for v := range at(b.own.Body, path...).Elements() {
			if v.Object().Has("cachePoint") {
				front++
			}
		}
	}
	surplus := len(points) + front - maxMarks
	b.surplus = map[any]bool{}
	for i := 0; i < len(points)-1 && surplus > 0; i++ {
		b.surplus[points[i]] = true
		surplus--
	}
	b.frontSurplus = max(surplus, 0)
}
