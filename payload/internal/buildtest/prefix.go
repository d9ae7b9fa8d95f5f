package buildtest

import (
	"strings"

	"pgregory.net/rapid"

	"hygeia/hygiene"
	"hygeia/transcript"
)

// prefixStable proves G-5 as D-21 reads it: the messages of a shorter history
// stand in the body of the longer one as they were, unless a rule that declares
// so was at work.
func (f *Format) prefixStable(t *rapid.T, e Endpoint) {
	in := f.sane(t, e)
	cut := rapid.IntRange(min(1, len(in.Messages)), len(in.Messages)).Draw(t, "cut")
	for cut < len(in.Messages) && in.Messages[cut].Is(transcript.ToolResult) {
		cut++ // a round is not cut in the middle
	}
	shorter := fresh(in)
	shorter.Messages = in.Messages[:cut]
	early, late := f.spelling(f.buildSane(t, shorter)), f.spelling(f.buildSane(t, in))
	if f.unstable(shorter.Report) || f.unstable(in.Report) {
		return
	}
	if shorter.Report.Counts()[f.Closing] > 0 {
		early = early[:len(early)-1]
	}
	for i := range early {
		last := i == len(early)-1
		if i >= len(late) || early[i] != late[i] && !(f.Grows && last && strings.HasPrefix(late[i], strings.TrimSuffix(early[i], "]}"))) {
			t.Fatalf("message %d changed when turns were appended:\n%s\n\n%s", i, strings.Join(early, "\n"), strings.Join(late, "\n"))
		}
	}
}

// messages returns the messages of a body without cache markers.
func (f *Format) messages(body []byte) []string {
	list := BodyMessages(body)
	for i := range list {
		list[i] = strings.ReplaceAll(list[i], f.Marker, "")
	}
	return list
}

// spelling returns the messages of a body, each in the spelling that D-21
// compares.
func (f *Format) spelling(body []byte) []string {
	list := f.messages(body)
	for i := range list {
		if f.Spelling != nil {
			list[i] = f.Spelling(list[i])
		}
	}
	return list
}

// unstable reports whether a rule was at work that changes earlier messages.
func (f *Format) unstable(r *hygiene.Report) bool {
	counts := r.Counts()
	for _, rule := range f.Rules {
		if rule.Unstable != "" && rule.ID != f.Closing && counts[rule.ID] > 0 {
			return true
		}
	}
	return false
}
