package projection

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// RemoveScaffolding removes control text that models write as prose: tool calls
// as markup, control tokens, reasoning tags (X-70, X-71, X-B02). Code spans and
// fenced blocks are never looked into. The time is linear.
func RemoveScaffolding(text string) string {
	if !strings.ContainsAny(text, "<[🔧🛠⚙🔨🧰") {
		return text
	}
	lower := strings.ToLower(text)
	for _, stage := range stages {
		if slices.ContainsFunc(stage.hints, func(hint string) bool { return strings.Contains(lower, hint) }) {
			text = cut(text, stage.find)
		}
	}
	return text
}

// span is a part of a text, from its start to before its end.
type span struct{ from, to int }

// prose is a text whose code is hidden from patterns.
type prose struct {
	text string
	code []span // in order
}

// stages find what goes, one after the other. In every text in which one
// finds something stands one of its hints, in lower case.
var stages = []struct {
	find  func(prose) []span
	hints []string
}{
	{invocations, []string{"invoke", "minimax:tool_call"}},
	{controlTokens, []string{"<|", "<｜"}},
	{memories, []string{"relevant"}},
	{toolMarkup, []string{"<tool_", "</tool_", "<function", "</function"}},
	{trailingEnds, []string{"</"}},
	{traceLines, []string{"🔧", "🛠", "⚙", "🔨", "🧰"}},
	{brackets, []string{"[tool ", "[historical context"}},
	{reasoning, []string{"think", "thought", "final"}},
}

// cut removes the spans that a stage finds. They may overlap.
func cut(text string, stage func(prose) []span) string {
	spans := stage(prose{text, codeSpans(text)})
	if len(spans) == 0 {
		return text
	}
	gone := make([]span, 0, len(spans))
	for _, s := range spans { // in order of their ends or of their starts
		for len(gone) > 0 && gone[len(gone)-1].to >= s.from {
			last := gone[len(gone)-1]
			s = span{min(s.from, last.from), max(s.to, last.to)}
			gone = gone[:len(gone)-1]
		}
		gone = append(gone, s)
	}
	var b strings.Builder
	at := 0
	for _, s := range gone {
		b.WriteString(text[at:s.from])
		if joins(text[:s.from], text[s.to:]) {
			b.WriteByte(' ')
		}
		at = s.to
	}
	b.WriteString(text[at:])
	return b.String()
}

// joins reports whether two words would become one.
func joins(a, b string) bool { return endsWord(a) && startsWord(b) }

// find returns the matches of a pattern that begin outside code, with their
// groups.
func (p prose) find(pattern *regexp.Regexp) [][]int {
	var found [][]int
	code := p.code
	for _, m := range pattern.FindAllStringSubmatchIndex(p.text, -1) {
		for len(code) > 0 && code[0].to <= m[0] {
			code = code[1:]
		}
		if len(code) == 0 || m[0] < code[0].from {
			found = append(found, m)
		}
	}
	return found
}

var invocation = regexp.MustCompile(`(?i)<(/?)(?:minimax:tool_call|invoke)(\s[^<>]*)?>`)

// invocations finds what is left of MiniMax's calls: from the first opening tag
// to the last closing one behind it, and tags that stand alone at the end.
func invocations(p prose) []span {
	return blocks(p, p.find(invocation), func(rest string) bool {
		rest = strings.TrimSpace(rest)
		return strings.HasPrefix(rest, "<")
	})
}

var toolTag = regexp.MustCompile(`(?i)<(/?)(?:tool_call|tool_result|function_calls?|function_response|tool_calls|function)([=\s][^<>]*)?>`)

// toolMarkup finds tool calls and results as markup, also unclosed ones, where
// what they hold looks like JSON or nested markup.
func toolMarkup(p prose) []span {
	return blocks(p, p.find(toolTag), func(rest string) bool {
		rest = strings.TrimSpace(rest)
		return rest != "" && strings.IndexByte("{[<", rest[0]) >= 0
	})
}

var memory = regexp.MustCompile(`(?i)<(/?)relevant[-_]memories(\s[^<>]*)?>`)

func memories(p prose) []span {
	return blocks(p, p.find(memory), func(string) bool { return true })
}

// blocks pairs opening and closing tags. An opening one counts only if what
// follows it is wanted; one that is never closed reaches to the end.
func blocks(p prose, tags [][]int, wanted func(rest string) bool) []span {
	var spans []span
	var open []int
	for _, t := range tags {
		if t[2] == t[3] { // no slash
			if len(open) > 0 || wanted(head(p.text[t[1]:])) {
				open = append(open, t[0])
			}
			continue
		}
		if n := len(open) - 1; n >= 0 {
			spans = append(spans, span{open[n], t[1]})
			open = open[:n]
		}
	}
	if len(open) > 0 {
		spans = append(spans, span{open[0], len(p.text)})
	}
	return spans
}

// head is the beginning of a text, enough to see what it is.
func head(text string) string { return text[:min(len(text), 256)] }

// controlToken is a token of a chat template, with ASCII or full-width bars.
var controlToken = regexp.MustCompile(`<[|｜][^|｜<>\n]{1,64}[|｜]>`)

func controlTokens(p prose) []span { return whole(p.find(controlToken)) }

var trailingEnd = regexp.MustCompile(`(?i)(?:\s*</(?:tool_call|tool_result|tool_calls|function|function_calls?|function_response|parameter|arg_key|arg_value|invoke|minimax:tool_call)>)+\s*$`)

// trailingEnds finds closing tags of markup at the end whose beginnings are
// gone.
func trailingEnds(p prose) []span { return whole(p.find(trailingEnd)) }

// traceLine is a line that tells of the use of a tool.
var traceLine = regexp.MustCompile(`(?m)^[ \t]*(?:🔧|🛠️|🛠|⚙️|⚙|🔨|🧰)[ \t]*[A-Za-z_][\w.-]*[ \t]*(?:[:(].*)?$\n?`)

func traceLines(p prose) []span { return whole(p.find(traceLine)) }

// bracket is the first line of a call or result in brackets; it owns what
// follows up to a blank line.
var bracket = regexp.MustCompile(`(?mi)^[ \t]*\[(?:Tool Call:|Tool Result\b|Historical context\b)[^\n]*(?:\n[ \t]*\S[^\n]*)*\n?`)

func brackets(p prose) []span { return whole(p.find(bracket)) }

func whole(found [][]int) []span {
	spans := make([]span, len(found))
	for i, m := range found {
		spans[i] = span{m[0], m[1]}
	}
	return spans
}

var reasoningTag = regexp.MustCompile(`(?i)<(/?)\s*(?:(?:antml:|mm:)?(?:thinking|think|thought|antthinking)|(final))(?:\s[^<>]*)?>`)

// reasoning finds reasoning in tags: closed blocks, all that stands in
// front of a closing tag without an opening one, and of an opening tag without
// a closing one only the tag. Of <final> only the tags go.
func reasoning(p prose) []span {
	var spans []span
	var open []int // tags that are not closed yet, as indexes of tags
	tags := p.find(reasoningTag)
	for i, t := range tags {
		switch {
		case t[4] >= 0:
			spans = append(spans, span{t[0], t[1]})
		case t[2] == t[3]:
			open = append(open, i)
		case len(open) == 0:
			spans = append(spans[:0], span{0, t[1]})
		default:
			spans = append(spans, span{tags[open[len(open)-1]][0], t[1]})
			open = open[:len(open)-1]
		}
	}
	for _, i := range open {
		spans = append(spans, span{tags[i][0], tags[i][1]})
	}
	return sorted(spans)
}

// OpenReasoning returns where reasoning in tags begins that a growing text has not
// closed yet, -1 for nowhere: what it holds is not to be shown before that is known.
func OpenReasoning(text string) int {
	open := -1
	for _, t := range reasoningTag.FindAllStringSubmatchIndex(text, -1) {
		switch {
		case t[4] >= 0: // <final>
		case t[2] != t[3]:
			open = -1
		case open < 0:
			open = t[0]
		}
	}
	return open
}

// isWordRune reports whether r belongs to a word.
func isWordRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= utf8.RuneSelf && isLetter(r)
}
