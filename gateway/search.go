package gateway

import (
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"

	"hygeia/projection"
	"hygeia/runner"
	"hygeia/transcript"
)

// match is a message that holds what is searched for.
type match struct {
	ID      string `json:"id,omitempty"`
	Seq     int    `json:"seq"`
	Role    string `json:"role"`
	Excerpt string `json:"excerpt"`
}

const longestExcerpt = 160 // characters

// search serves the messages of a session that hold a text, in what is shown of them,
// the newest first (H-B18).
func (g *Gateway) search(c *call) error {
	p, o, limit, err := g.listing(c, 50)
	if err != nil {
		return err
	}
	text := strings.ToLower(strings.TrimSpace(c.query.Get("text")))
	if text == "" {
		return badRequest("text is missing")
	}
	now, err := g.view(p, c.query.Get("leaf"), o)
	if err != nil {
		return err
	}
	out := struct {
		Matches []match `json:"matches"`
		Total   int     `json:"total"`
	}{Matches: []match{}}
	for _, m := range slices.Backward(now.messages) {
		excerpt := found(m, text)
		if excerpt == "" {
			continue
		}
		if out.Total++; len(out.Matches) < limit {
			meta := projection.MetaOf(m)
			out.Matches = append(out.Matches, match{meta.ID, meta.Seq, string(m.Role()), excerpt})
		}
	}
	return c.answer(http.StatusOK, out)
}

// found returns what stands around a text in the words of a message, "" where it does
// not hold it. The text is in lower form.
func found(m *transcript.Message, text string) string {
	words := projection.Words(m, 0)
	at := strings.Index(strings.ToLower(words), text)
	if at < 0 {
		return ""
	}
	const before = 40
	from := max(0, min(at, len(words))-before) // lower form may have another length
	if from > 0 {
		from += strings.IndexByte(words[from:]+" ", ' ') + 1
		from = min(from, len(words), max(0, at))
	}
	return projection.Short(strings.ToValidUTF8(words[from:], ""), longestExcerpt)
}

// holding leaves of the rows those whose title, key or words hold what is searched for.
func (g *Gateway) holding(rows []row, l listing) []row {
	keep := make([]bool, len(rows))
	next := make(chan int)
	var w sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(rows)) {
		w.Go(func() {
			for i := range next {
				keep[i] = l.names(rows[i]) || g.says(rows[i].file, l.search)
			}
		})
	}
	for i := range rows {
		next <- i
	}
	close(next)
	w.Wait()
	kept := rows[:0]
	for i, r := range rows {
		if keep[i] {
			kept = append(kept, r)
		}
	}
	return kept
}

// says reports whether a shown message of a session holds a text. One that cannot be
// read holds nothing.
func (g *Gateway) says(p runner.Peer, text string) bool {
	messages, err := g.glance(p)
	return err == nil && slices.ContainsFunc(messages, func(m *transcript.Message) bool { return found(m, text) != "" })
}
