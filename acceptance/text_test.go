package acceptance_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

var textRules = []rule{
	{"survives", "TEXT…", "each text stands, whole, in what goes out", each(survives)},
	{"absent", "TEXT…", "none of the texts stands anywhere in what goes out", each(absent)},
	{"once", "TEXT…", "each text stands exactly once in what goes out", each(once)},
	{"order", "TEXT…", "the texts stand in what goes out, one behind the other", each(order)},
	{"no-member", "NAME…", "nothing that goes out has a member of that name", each(noMember)},
	{"no-invented-text", "", "every text of a user or assistant turn that goes out stands in the input", noInventedText},
	{"no-lone-surrogates", "", "the body has no half of a surrogate pair and no replacement for one", noLoneSurrogates},
}

func survives(v *view, args []string) error {
	texts := v.texts()
	for _, want := range args {
		if count(texts, want) == 0 {
			return fmt.Errorf("%q is gone", want)
		}
	}
	return nil
}

func absent(v *view, args []string) error {
	all := values(v.json)
	for _, bad := range args {
		if count(all, bad) > 0 {
			return fmt.Errorf("%q is there", bad)
		}
	}
	return nil
}

func once(v *view, args []string) error {
	texts := v.texts()
	for _, want := range args {
		if n := count(texts, want); n != 1 {
			return fmt.Errorf("%q stands there %d times", want, n)
		}
	}
	return nil
}

func count(texts []string, s string) int {
	n := 0
	for _, t := range texts {
		n += strings.Count(t, s)
	}
	return n
}

func order(v *view, args []string) error {
	rest := strings.Join(v.texts(), "\x00")
	for _, want := range args {
		_, after, ok := strings.Cut(rest, want)
		if !ok {
			return fmt.Errorf("%q does not stand behind the others", want)
		}
		rest = after
	}
	return nil
}

func noMember(v *view, args []string) error {
	var err error
	for _, bad := range args {
		tokens(v.json, func(s string, name bool) {
			if name && s == bad {
				err = fmt.Errorf("there is a member %q", bad)
			}
		})
	}
	return err
}

func noInventedText(o *outcome, _ []string) error {
	known := o.in.texts()
	for _, v := range o.views() {
		for t, p := range v.all {
			if p.kind == textPart && t.role != "toolResult" && t.role != "tool" && count(known, p.text) == 0 {
				return fmt.Errorf("%s: nobody said %q", v.name, p.text)
			}
		}
	}
	return nil
}

// noLoneSurrogates looks for replacements: a lone escape itself does not pass
// the strict reading of the body and of the arguments in it.
func noLoneSurrogates(o *outcome, _ []string) error {
	in := o.in.json
	if o.body == nil || bytes.ContainsRune(in, utf8.RuneError) || bytes.Contains(in, []byte(`\ufffd`)) || !utf8.Valid(in) {
		return nil
	}
	if count(append(values(o.body.json), o.body.texts()...), string(utf8.RuneError)) > 0 {
		return errors.New("body: a replacement character stands in it")
	}
	return nil
}
