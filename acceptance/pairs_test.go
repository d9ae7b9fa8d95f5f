package acceptance_test

import (
	"fmt"
	"regexp"
	"strings"

	"hygeia/internal/texts"
)

var pairRules = []rule{
	{"paired", "", "each call has exactly one result, directly behind its message, in the order of the calls; no result is without a call", each(paired)},
	{"result", "CALL TEXT", "the call has a result, and the text stands in it; CALL is the id of the call or a piece of its arguments", each(resultOf)},
	{"not-error", "CALL", "the result of the call is not marked as an error", each(notError)},
	{"arguments", "CALL JSON", "the arguments of the call are this JSON, byte for byte", each(argumentsOf)},
	{"no-call", "CALL", "there is no such call, and no result with that id", each(noCall)},
	{"stand-in", "CALL", "the result of the call is a stand-in: recognisable, an error, and claiming neither success nor failure", each(standIn)},
	{"no-stand-in", "", "no result is a stand-in", each(noStandIn)},
}

// pair is a call and its result.
type pair struct{ call, result *part }

// pairs returns the calls with their results. The error says where the list
// breaks the rule that results stand directly behind their calls.
func (v *view) pairs() ([]pair, error) {
	var list []pair
	open := 0 // calls at the end of the list that wait for a result
	for i := range v.turns {
		for j := range v.turns[i].parts {
			p := &v.turns[i].parts[j]
			next := len(list) - open
			switch {
			case p.kind == resultPart && open == 0:
				return list, fmt.Errorf("message %d: the result of %q has no call", i, p.id)
			case p.kind == resultPart && list[next].call.id != p.id:
				return list, fmt.Errorf("message %d: the result of %q stands where that of %q must", i, p.id, list[next].call.id)
			case p.kind == resultPart:
				list[next].result = p
				open--
			case open > 0 && (j == 0 || v.turns[i].role != "assistant"):
				return list, fmt.Errorf("message %d: call %q has no result before it", i, list[next].call.id)
			case p.kind == callPart:
				list = append(list, pair{call: p})
				open++
			}
		}
	}
	if open > 0 {
		return list, fmt.Errorf("call %q has no result", list[len(list)-open].call.id)
	}
	return list, nil
}

func paired(v *view, _ []string) error {
	_, err := v.pairs()
	return err
}

// find returns the only pair whose call has that id or that in its arguments.
func (v *view) find(key string) (pair, error) {
	list, err := v.pairs()
	if err != nil {
		return pair{}, err
	}
	var found []pair
	for _, p := range list {
		if p.call.id == key || strings.Contains(p.call.arguments, key) {
			found = append(found, p)
		}
	}
	if len(found) != 1 {
		return pair{}, fmt.Errorf("%d calls fit %q", len(found), key)
	}
	return found[0], nil
}

func resultOf(v *view, args []string) error {
	p, err := v.find(args[0])
	if err == nil && !strings.Contains(p.result.text, args[1]) {
		err = fmt.Errorf("the result of %q is %q", args[0], p.result.text)
	}
	return err
}

func notError(v *view, args []string) error {
	p, err := v.find(args[0])
	if err == nil && p.result.isError {
		err = fmt.Errorf("the result of %q is marked as an error", args[0])
	}
	return err
}

func argumentsOf(v *view, args []string) error {
	p, err := v.find(args[0])
	if err == nil && p.call.arguments != args[1] {
		err = fmt.Errorf("the arguments are %s", p.call.arguments)
	}
	return err
}

func noCall(v *view, args []string) error {
	for _, p := range v.all {
		if (p.kind == callPart || p.kind == resultPart) && (p.id == args[0] || strings.Contains(p.arguments, args[0])) {
			return fmt.Errorf("there is a %s with id %q", p.kind, p.id)
		}
	}
	return nil
}

// claims are words that a stand-in must not use.
var claims = regexp.MustCompile(`(?i)succe|fail|error|done|completed|could not`)

func standIn(v *view, args []string) error {
	p, err := v.find(args[0])
	switch {
	case err != nil:
		return err
	case !texts.IsSyntheticResultText(p.result.text):
		return fmt.Errorf("no program knows %q for a stand-in", p.result.text)
	case claims.MatchString(p.result.text):
		return fmt.Errorf("the stand-in claims an outcome: %q", p.result.text)
	case v.hasErrors() && !p.result.isError:
		return fmt.Errorf("the stand-in for %q is not marked as an error", args[0])
	}
	return nil
}

// hasErrors reports whether the form marks results as errors at all: Chat
// Completions does not.
func (v *view) hasErrors() bool {
	for _, t := range v.turns {
		if t.role == "tool" {
			return false
		}
	}
	return true
}

func noStandIn(v *view, _ []string) error {
	for _, p := range v.all {
		if p.kind == resultPart && texts.IsSyntheticResultText(p.text) {
			return fmt.Errorf("the result of %q is a stand-in", p.id)
		}
	}
	return nil
}
