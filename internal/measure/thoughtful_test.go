package measure

import (
	"fmt"
	"slices"
	"strings"

	"hygeia"
	"hygeia/internal/gen"
	"hygeia/internal/jsonline"
	"hygeia/policy"
	"hygeia/transcript"
)

// thoughtful returns the list as it would be had the target written each
// assistant turn, and thought about it.
func thoughtful(list []*transcript.Message, target hygeia.Target) []*transcript.Message {
	form := formOf(target)
	list = slices.Clone(list)
	for i, m := range list {
		if !m.Is(transcript.Assistant) || len(m.Blocks()) == 0 {
			continue
		}
		m = m.With("provider", jsonline.Text(target.Provider)).With("api", jsonline.Text(target.API)).With("model", jsonline.Text(target.Model))
		if form != nil && form.Thinking != nil {
			m = m.WithBlocks(append([]*transcript.Block{thought(form, i)}, m.Blocks()...))
		}
		list[i] = m
	}
	return list
}

// formOf returns how the service of a target writes what only it understands.
func formOf(target hygeia.Target) *gen.Form {
	var form *gen.Form
	for _, r := range gen.Routes {
		switch {
		case policy.Fold(r.Provider) == target.Provider && policy.FoldAPI(r.API) == target.API && r.Model == target.Model:
			return r.Form
		case policy.Fold(r.Provider) == target.Provider && policy.FoldAPI(r.API) == target.API:
			form = r.Form
		}
	}
	return form
}

// thought is a thinking block of 300 characters.
func thought(form *gen.Form, n int) *transcript.Block {
	text := form.Thinking(n, fmt.Sprintf("%q", fmt.Sprintf("thought %d. %s", n, strings.Repeat("I look at it again. ", 15))))
	var r transcript.Reader
	m, err := r.Message([]byte(`{"content":[` + text + `]}`))
	if err != nil {
		panic(err) // a fixed text
	}
	return m.Blocks()[0]
}
