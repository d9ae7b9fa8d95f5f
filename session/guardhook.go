package session

import (
	"sync"

	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

// builtInRedactor is NewRedactor without further forms.
var builtInRedactor = sync.OnceValue(func() *Redactor {
	r, _ := NewRedactor() // the built-in forms are tested
	return r
})

const (
	ownMember   = "__openclaw" // of a user turn (F-31)
	ownerMember = "senderIsOwner"
)

// hook lets Before see a message. A user turn that is not wanted is written all
// the same, as one that was blocked and without what it said: the answer to it
// would stand there without a question.
func (g *Guard) hook(m *transcript.Message) (*transcript.Message, []Problem) {
	if g.o.Before == nil {
		return m, nil
	}
	after := g.o.Before(m)
	switch {
	case after == m:
		return m, nil
	case after == nil && !m.Is(transcript.User):
		return nil, []Problem{{Rule: "F-49", Reason: "a message of role " + clip(string(m.Role())) + " was not wanted"}}
	case after == nil:
		mark := m.Get(ownMember).Object().With("beforeAgentRunBlocked", jsonline.Bool(true))
		after = m.WithText(texts.OmittedContent).Without("MediaPath", "MediaPaths", "MediaType", "MediaTypes").With(ownMember, mark.Value())
		return after, []Problem{{Rule: "F-49", Reason: "the user turn was not wanted; marked as blocked and stored without its content"}}
	}
	return sameOrigin(m, sameOwner(m, after)), []Problem{{Rule: "F-49", Reason: "the message was replaced"}}
}

// sameOwner gives after what m says about the owner.
func sameOwner(m, after *transcript.Message) *transcript.Message {
	is, was := after.Get(ownMember).Object(), m.Get(ownMember).Object()
	if is.Get(ownerMember).Bool() == was.Get(ownerMember).Bool() {
		return after
	}
	return after.With(ownMember, is.With(ownerMember, was.Get(ownerMember)).Value())
}

// sameOrigin gives after what a user turn says of where it comes from (S-02).
func sameOrigin(m, after *transcript.Message) *transcript.Message {
	if _, ok := m.Provenance(); !ok || !after.Is(transcript.User) {
		return after
	}
	return after.With("provenance", m.Get("provenance"))
}
