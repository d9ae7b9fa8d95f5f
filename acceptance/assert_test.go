package acceptance_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// assertion is one line of a must section.
type assertion struct {
	rule *rule
	args []string
	line string
}

// rule is an assertion of the language.
type rule struct {
	name string
	// usage names the arguments; those that end in … may be repeated or left
	// out.
	usage string
	// doc says what must hold, as README.md repeats it.
	doc  string
	hold func(o *outcome, args []string) error
}

// rules is the whole language. The parts stand beside their functions.
var rules = slices.Concat(textRules, shapeRules, pairRules, callRules, thinkingRules, imageRules, reportRules, runRules, sessionRules, requestRules)

// always are the assertions that every case is held to without saying so.
const always = "paired\nlegal-calls\nno-blank-text\nno-lone-surrogates\naccounted\ndeterministic\nidempotent\n"

// parseMust reads the lines of a must section.
func parseMust(text string) ([]assertion, error) {
	var list []assertion
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		words, err := split(line)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", line, err)
		}
		r := lookup(words[0])
		if r == nil {
			return nil, fmt.Errorf("%s: unknown assertion %q", line, words[0])
		}
		if !r.takes(len(words) - 1) {
			return nil, fmt.Errorf("%s: want %s %s", line, r.name, r.usage)
		}
		list = append(list, assertion{r, words[1:], line})
	}
	return list, nil
}

func lookup(name string) *rule {
	for i := range rules {
		if rules[i].name == name {
			return &rules[i]
		}
	}
	return nil
}

// takes reports whether n arguments are right.
func (r *rule) takes(n int) bool {
	words := strings.Fields(r.usage)
	if len(words) > 0 && strings.HasSuffix(words[len(words)-1], "…") {
		return n >= len(words)-1
	}
	return n == len(words)
}

// split cuts a line into words; a word may be a Go string literal.
func split(line string) ([]string, error) {
	var words []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if line[0] != '"' && line[0] != '`' {
			end := strings.IndexAny(line, " \t")
			if end < 0 {
				end = len(line)
			}
			words, line = append(words, line[:end]), line[end:]
			continue
		}
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return nil, err
		}
		s, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, err
		}
		words, line = append(words, s), line[len(quoted):]
	}
	return words, nil
}

// each asserts f on the messages and on the body.
func each(f func(v *view, args []string) error) func(*outcome, []string) error {
	return func(o *outcome, args []string) error {
		for _, v := range o.views() {
			if err := f(v, args); err != nil {
				return fmt.Errorf("%s: %w", v.name, err)
			}
		}
		return nil
	}
}

// README.md is the manual: it has one line for every assertion, and no other.
func TestManual(t *testing.T) {
	manual, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(manual), "\n## Assertions\n")
	list, _, _ = strings.Cut(list, "\n## ")
	var got []string
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, "| `") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	var want []string
	for _, r := range rules {
		want = append(want, fmt.Sprintf("| `%s` | %s |", strings.TrimSpace(r.name+" "+r.usage), r.doc))
	}
	if !slices.Equal(got, want) {
		t.Errorf("README.md does not list the assertions; it should have:\n%s", strings.Join(want, "\n"))
	}
}
