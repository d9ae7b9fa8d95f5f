package buildtest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Object is a JSON object as encoding/json reads it.
type Object = map[string]any

// Oracle collects what is wrong with a body. The oracles of the formats embed
// it. None shares code with a converter.
type Oracle struct{ Found []string }

// Bad adds a finding.
func (o *Oracle) Bad(rule, format string, args ...any) {
	o.Found = append(o.Found, rule+": "+fmt.Sprintf(format, args...))
}

// Read decodes a body and checks what no body may hold. It returns nil where the
// body is no JSON object.
func (o *Oracle) Read(text []byte) Object {
	var body Object
	if err := json.Unmarshal(text, &body); err != nil || body == nil {
		o.Bad("shape", "no JSON object: %v", err)
		return nil
	}
	said := fmt.Sprint(body)
	if !utf8.Valid(text) || lone(string(text)) || strings.ContainsRune(said, 0) {
		o.Bad("W-955", "not UTF-8, a lone surrogate escape, or U+0000")
	}
	if strings.Contains(said, "<!-- OPENCLAW_CACHE_BOUNDARY -->") {
		o.Bad("W-962", "cache boundary")
	}
	return body
}

// Last checks that the list of messages is the last member.
func (o *Oracle) Last(text []byte) {
	if !strings.HasSuffix(string(text), "]}") {
		o.Bad("W-003", "the message list is not last")
	}
}

// Keys checks that an object has no members but those allowed, which stand
// between spaces.
func (o *Oracle) Keys(rule, where string, m Object, allowed string) {
	for name := range m {
		if !slices.Contains(strings.Fields(allowed), name) {
			o.Bad(rule, "%s: %q is not permitted", where, name)
		}
	}
}

// LegalName is the form of tool names that most services take (W-176).
var LegalName = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// Name checks a tool name.
func (o *Oracle) Name(rule, where string, v any) {
	if name, _ := v.(string); !LegalName.MatchString(name) {
		o.Bad(rule, "%s: tool name %q", where, v)
	}
}

// Objects returns the objects of a list, nil where there is no list.
func Objects(list any) []Object {
	v, _ := list.([]any)
	var out []Object
	for _, e := range v {
		out = append(out, e.(Object))
	}
	return out
}

// Rounds checks chat messages: a call has its result directly behind, which
// breaks the rule open where it has not, and a result answers a call in front,
// or it breaks the rule orphan.
func (o *Oracle) Rounds(messages []Object, open, orphan string) {
	var calls []string
	for i, m := range messages {
		if m["role"] == "tool" {
			id, _ := m["tool_call_id"].(string)
			at := slices.Index(calls, id)
			if at < 0 {
				o.Bad(orphan, "message %d: result %q answers no call", i, id)
				continue
			}
			calls = slices.Delete(calls, at, at+1)
			continue
		}
		if len(calls) > 0 {
			o.Bad(open, "message %d: calls %q have no result", i, calls)
		}
		calls = nil
		for _, call := range Objects(m["tool_calls"]) {
			id, _ := call["id"].(string)
			calls = append(calls, id)
		}
	}
	if len(calls) > 0 {
		o.Bad(open, "calls %q have no result", calls)
	}
}

var surrogate = regexp.MustCompile(`\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}`)

// lone reports whether JSON text holds a surrogate escape without its partner.
func lone(text string) bool {
	for _, m := range surrogate.FindAllString(text, -1) {
		if len(m) == 6 {
			return true
		}
	}
	return false
}
