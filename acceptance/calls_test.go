package acceptance_test

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/go-json-experiment/json/jsontext"
)

var callRules = []rule{
	{"legal-calls", "", "each call has an id, a name, and an object as arguments", each(legalCalls)},
	{"ids", "REGEXP", "the ids of all calls match", each(ids)},
	{"ids-unique", "", "no two calls have the same id", each(idsUnique)},
	{"names", "REGEXP", "the names of all calls match", each(names)},
	{"wire-names", "REGEXP", "the names of all calls of the body match", wireNames},
	{"result-names", "", "each result that goes out names the tool of its call", resultNames},
}

func legalCalls(v *view, _ []string) error {
	for _, p := range v.all {
		switch o := strict; {
		case p.kind != callPart:
		case p.id == "" || p.name == "":
			return fmt.Errorf("a call has id %q and name %q", p.id, p.name)
		default:
			if v.name != "body" {
				o = loose
			}
			if value := jsontext.Value(p.arguments); value.Kind() != '{' || !value.IsValid(o) {
				return fmt.Errorf("the arguments of call %q are %s", p.id, p.arguments)
			}
		}
	}
	return nil
}

// calls calls f with every call and returns its first error.
func (v *view) calls(f func(p *part) error) error {
	for _, p := range v.all {
		if p.kind != callPart {
			continue
		}
		if err := f(p); err != nil {
			return err
		}
	}
	return nil
}

func ids(v *view, args []string) error {
	re, err := regexp.Compile(args[0])
	if err != nil {
		return err
	}
	return v.calls(func(p *part) error {
		if !re.MatchString(p.id) {
			return fmt.Errorf("a call has the id %q", p.id)
		}
		return nil
	})
}

func idsUnique(v *view, _ []string) error {
	seen := map[string]bool{}
	return v.calls(func(p *part) error {
		if seen[p.id] {
			return fmt.Errorf("two calls have the id %q", p.id)
		}
		seen[p.id] = true
		return nil
	})
}

func names(v *view, args []string) error {
	re, err := regexp.Compile(args[0])
	if err != nil {
		return err
	}
	return v.calls(func(p *part) error {
		if !re.MatchString(p.name) {
			return fmt.Errorf("a call has the name %q", p.name)
		}
		return nil
	})
}

func wireNames(o *outcome, args []string) error {
	if o.body == nil {
		return errors.New("there is no body")
	}
	return names(o.body, args)
}

// resultNames looks at the messages: results of a body name no tool.
func resultNames(o *outcome, _ []string) error {
	list, err := o.out.pairs()
	for _, p := range list {
		if p.result != nil && p.result.name != p.call.name {
			return fmt.Errorf("the result of %q names the tool %q, the call %q", p.call.id, p.result.name, p.call.name)
		}
	}
	return err
}
