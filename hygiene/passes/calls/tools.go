package calls

import (
	"strings"

	"hygeia/transcript"
)

// toolSet knows the tools of the request. A nil set offers everything: nothing
// is known about them.
type toolSet struct {
	names map[string]bool   // in lower form
	keys  map[string]string // by toolKey, "" where two tools share one
}

func newToolSet(names []string) *toolSet {
	if len(names) == 0 {
		return nil
	}
	s := &toolSet{map[string]bool{}, map[string]string{}}
	for _, name := range names {
		key := toolKey(name)
		if other, ok := s.keys[key]; ok && other != name {
			s.keys[key] = ""
		} else {
			s.keys[key] = name
		}
		s.names[strings.ToLower(name)] = true
	}
	return s
}

// toolKey is a name without case and with one kind of delimiter.
func toolKey(name string) string { return strings.ReplaceAll(strings.ToLower(name), "/", ".") }

// offers reports whether a name is that of a tool, ignoring case.
func (s *toolSet) offers(name string) bool { return s == nil || s.names[strings.ToLower(name)] }

// resolve returns the one tool that a call can mean by its name or by its id,
// as in functions.read:3, "" when there is none.
func (s *toolSet) resolve(b *transcript.Block) string {
	if s == nil || len(b.Name()) > 64 || strings.ContainsAny(b.Name(), " \t\r\n") {
		return ""
	}
	if name, ok := s.suffix(b.Name()); ok {
		return name
	}
	id, _, _ := strings.Cut(b.ID(), ":")
	name, _ := s.suffix(id)
	return name
}

// suffix looks for the longest part of a dotted name, up to its end, that is
// the key of a tool.
func (s *toolSet) suffix(name string) (tool string, ok bool) {
	if len(name) > 64 {
		return "", false
	}
	for key := toolKey(name); key != ""; _, key, _ = strings.Cut(key, ".") {
		if tool, ok = s.keys[key]; ok {
			return tool, true
		}
	}
	return "", false
}
