package policy

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

// patternList is a compiled list of model patterns. The words are those that
// are plain text.
type patternList struct {
	words []string
	exprs []expression
}

// expression is a regular expression and a text that every match contains.
// Most ids fail on the text, which costs a fraction of running the expression.
type expression struct {
	*regexp.Regexp
	needs string
}

func (l *patternList) match(s string) bool {
	for _, w := range l.words {
		if strings.Contains(s, w) {
			return true
		}
	}
	for _, e := range l.exprs {
		if strings.Contains(s, e.needs) && e.MatchString(s) {
			return true
		}
	}
	return false
}

// compilePatterns compiles patterns; "@name" takes a list of named, whose own
// elements are expressions or name lists in turn.
func compilePatterns(patterns []string, named map[string][]string) (*patternList, error) {
	if len(patterns) == 0 {
		return nil, nil
	}
	l := &patternList{}
	if err := l.add(patterns, named, 0); err != nil {
		return nil, err
	}
	return l, nil
}

// maxNesting stops pattern lists that name each other.
const maxNesting = 8

func (l *patternList) add(patterns []string, named map[string][]string, depth int) error {
	for _, p := range patterns {
		if name, ok := strings.CutPrefix(p, "@"); ok {
			list := named[name]
			if list == nil || depth == maxNesting {
				return fmt.Errorf("no pattern list %q, or one that contains itself", name)
			}
			if err := l.add(list, named, depth+1); err != nil {
				return err
			}
			continue
		}
		e, err := regexp.Compile(p)
		if err != nil {
			return err
		}
		if word, complete := e.LiteralPrefix(); complete {
			l.words = append(l.words, word)
		} else {
			l.exprs = append(l.exprs, expression{e, neededText(p)})
		}
	}
	return nil
}

// neededText finds the longest literal among the parts of a valid expression
// that must follow each other.
func neededText(pattern string) string {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || tree.Op != syntax.OpConcat {
		return ""
	}
	longest := ""
	for _, part := range tree.Sub {
		if part.Op == syntax.OpLiteral && part.Flags&syntax.FoldCase == 0 && len(string(part.Rune)) > len(longest) {
			longest = string(part.Rune)
		}
	}
	return longest
}
