package projection

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// fence begins or ends a fenced block.
var fence = regexp.MustCompile("(?m)^ {0,3}(```+|~~~+)[^\n]*$")

// codeSpans returns the fenced blocks and code spans of a text, in order. A
// fenced block that is not closed reaches to the end.
func codeSpans(text string) []span {
	if !strings.ContainsAny(text, "`~") {
		return nil
	}
	var spans []span
	at, open, mark := 0, -1, ""
	for _, m := range fence.FindAllStringSubmatchIndex(text, -1) {
		run := text[m[2]:m[3]]
		switch {
		case open < 0:
			spans = append(spans, inlineSpans(text, at, m[0])...)
			open, mark = m[0], run
		case run[0] == mark[0] && len(run) >= len(mark) && strings.TrimSpace(text[m[3]:m[1]]) == "":
			spans = append(spans, span{open, m[1]})
			at, open = m[1], -1
		}
	}
	if open >= 0 {
		return append(spans, span{open, len(text)})
	}
	return append(spans, inlineSpans(text, at, len(text))...)
}

// ticks is a run of backticks in a paragraph.
type ticks struct{ from, to, paragraph int }

// inlineSpans returns the code spans between two places: from a run of
// backticks to the next one of the same length in the same paragraph.
func inlineSpans(text string, from, to int) []span {
	runs := tickRuns(text, from, to)
	next := make([]int, len(runs)) // the next run of the same length, 0 for none
	seen := map[int]int{}
	for i := len(runs) - 1; i >= 0; i-- {
		n := runs[i].to - runs[i].from
		if j := seen[n]; j > 0 && runs[j].paragraph == runs[i].paragraph {
			next[i] = j
		}
		seen[n] = i
	}
	var spans []span
	for i := 0; i < len(runs); i++ {
		if next[i] > 0 {
			spans = append(spans, span{runs[i].from, runs[next[i]].to})
			i = next[i]
		}
	}
	return spans
}

func tickRuns(text string, from, to int) []ticks {
	var runs []ticks
	paragraph := 0
	for i := from; i < to; i++ {
		switch text[i] {
		case '`':
			start := i
			for i < to && text[i] == '`' {
				i++
			}
			runs = append(runs, ticks{start, i, paragraph})
			i--
		case '\n':
			if i+1 < to && text[i+1] == '\n' {
				paragraph++
			}
		}
	}
	return runs
}

// sorted orders spans by where they begin.
func sorted(spans []span) []span {
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	return spans
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
