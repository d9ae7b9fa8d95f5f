package acceptance_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

var shapeRules = []rule{
	{"roles", "ROLE…", "the messages have these roles in this order", func(o *outcome, args []string) error { return roles(o.out, args) }},
	{"body-roles", "ROLE…", "the messages of the body have these roles in this order, system ones left out", bodyRoles},
	{"starts", "ROLE", "the first message of the request has that role", func(o *outcome, args []string) error { return at(o.wire(), 0, args[0]) }},
	{"ends", "ROLE", "the last message of the request has that role", func(o *outcome, args []string) error { return at(o.wire(), -1, args[0]) }},
	{"alternate", "", "no two neighbouring messages of the request have the same role", alternate},
	{"blocks", "TEXT KIND…", "the message that holds the text has parts of exactly these kinds: text, image, thinking, toolCall", each(blocks)},
	{"apart", "TEXT TEXT…", "no message holds two of the texts, thinking included", each(apart)},
	{"no-blank-text", "", "no text part is blank, and no message of the body is empty", noBlankText},
}

// spoken returns the messages without system prompts.
func spoken(v *view) []turn {
	return slices.DeleteFunc(slices.Clone(v.turns), func(t turn) bool { return t.role == "system" || t.role == "developer" })
}

func roles(v *view, args []string) error {
	var got []string
	for _, t := range spoken(v) {
		got = append(got, t.role)
	}
	if !slices.Equal(got, args) {
		return fmt.Errorf("%s: the roles are %s", v.name, strings.Join(got, " "))
	}
	return nil
}

func bodyRoles(o *outcome, args []string) error {
	if o.body == nil {
		return errors.New("there is no body")
	}
	return roles(o.body, args)
}

func at(v *view, i int, role string) error {
	list := spoken(v)
	if len(list) == 0 {
		return errors.New("nothing goes out")
	}
	if got := list[(i+len(list))%len(list)].role; got != role {
		return fmt.Errorf("%s: it has role %s", v.name, got)
	}
	return nil
}

// alternate lets results follow each other where each is a message of its own.
func alternate(o *outcome, _ []string) error {
	list := spoken(o.wire())
	for i := 1; i < len(list); i++ {
		if role := list[i].role; role == list[i-1].role && role != "tool" && role != "toolResult" {
			return fmt.Errorf("%s: messages %d and %d are both %s", o.wire().name, i-1, i, role)
		}
	}
	return nil
}

func (t *turn) has(s string) bool {
	return slices.ContainsFunc(t.parts, func(p part) bool { return strings.Contains(p.text, s) })
}

func blocks(v *view, args []string) error {
	for i := range v.turns {
		if !v.turns[i].has(args[0]) {
			continue
		}
		var got []string
		for _, p := range v.turns[i].parts {
			got = append(got, string(p.kind))
		}
		if !slices.Equal(got, args[1:]) {
			return fmt.Errorf("the message with %q holds %s", args[0], strings.Join(got, " "))
		}
		return nil
	}
	return fmt.Errorf("%q is gone", args[0])
}

func apart(v *view, args []string) error {
	for i := range v.turns {
		n := 0
		for _, s := range args {
			if v.turns[i].has(s) {
				n++
			}
		}
		if n > 1 {
			return fmt.Errorf("message %d holds %d of the texts", i, n)
		}
	}
	return nil
}

func noBlankText(o *outcome, _ []string) error {
	for _, v := range o.views() {
		for t, p := range v.all {
			if p.kind == textPart && strings.TrimSpace(p.text) == "" {
				return fmt.Errorf("%s: a blank text in a message of role %s", v.name, t.role)
			}
		}
	}
	if o.body == nil {
		return nil
	}
	for i, t := range o.body.turns {
		if len(t.parts) == 0 {
			return fmt.Errorf("body: message %d of role %s is empty", i, t.role)
		}
	}
	return nil
}
