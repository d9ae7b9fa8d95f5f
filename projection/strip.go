package projection

import (
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/internal/wrappers"
	"hygeia/transcript"
)

// speaker says whose words a message holds.
type speaker int

const (
	nobody    speaker = iota // results, rows, notes
	userTurn                 // a person
	forwarded                // another session
	model
)

// stripped is a stored message without what programs wrote around its words.
type stripped struct {
	*transcript.Message
	kind         speaker
	heartbeat    bool // a program's prompt
	acknowledges bool // the routine answer to one
}

// strip removes the wrappers of a message. Results of tools are data and
// stay as they are (X-B05).
func (p *Projector) strip(m *transcript.Message) stripped {
	switch {
	case isForwarded(m):
		return stripped{Message: forward(m), kind: forwarded}
	case m.Is(transcript.User):
		heartbeat := wrappers.IsHeartbeatPrompt(words(m), p.o.Heartbeat)
		m = p.stripUser(m)
		return stripped{Message: m, kind: userTurn, heartbeat: heartbeat || wrappers.IsHeartbeatPrompt(words(m), p.o.Heartbeat)}
	case m.Is(transcript.Assistant):
		m = p.stripAssistant(m, false)
		// Within an answer to a heartbeat the token decides; later it only goes.
		s := stripped{kind: model, acknowledges: p.acknowledges(m)}
		s.Message = p.stripAssistant(m, true)
		return s
	}
	return stripped{Message: m}
}

func (p *Projector) stripUser(m *transcript.Message) *transcript.Message {
	var said wrappers.Shown
	m = eachText(m, func(text string) string {
		s := wrappers.ShowUser(text)
		said = joinShown(said, s)
		return s.Text
	})
	if said.Sender != "" && !m.Get("senderLabel").IsString() {
		m = m.With("senderLabel", jsonline.Text(said.Sender))
	}
	if said.Receipt == "" && said.WorkingDirectory == "" && !said.Unterminated {
		return m
	}
	return note(m, func(o jsonline.Object) jsonline.Object { // X-B14, X-B06
		if said.Receipt != "" {
			o = o.With("sourceReceipt", jsonline.Text(said.Receipt))
		}
		if said.WorkingDirectory != "" {
			o = o.With("cwd", jsonline.Text(said.WorkingDirectory))
		}
		return unterminated(o, said.Unterminated)
	})
}

// stripAssistant removes wrappers, directive tags and what models write as
// prose though it is none; with tokens also the token of a
// heartbeat at the edge of other words (X-B09).
func (p *Projector) stripAssistant(m *transcript.Message, tokens bool) *transcript.Message {
	open := false
	m = eachText(m, func(text string) string {
		for {
			before := text
			s := wrappers.ShowAssistant(text)
			open = open || s.Unterminated
			text = removeDirectives(s.Text)
			if !p.o.Raw {
				text = RemoveScaffolding(text)
			}
			if tokens {
				text = removeHeartbeatToken(text)
			}
			if text == before { // what one removal joins another may know
				return text
			}
		}
	})
	if !open {
		return m
	}
	return note(m, func(o jsonline.Object) jsonline.Object { return unterminated(o, true) })
}

func unterminated(o jsonline.Object, yes bool) jsonline.Object {
	if !yes {
		return o
	}
	return o.With("projection", o.Get("projection").Object().With("unterminated", jsonline.Bool(true)).Value())
}

func joinShown(a, b wrappers.Shown) wrappers.Shown {
	if a.Sender == "" {
		a.Sender = b.Sender
	}
	if a.Receipt == "" {
		a.Receipt = b.Receipt
	}
	if a.WorkingDirectory == "" {
		a.WorkingDirectory = b.WorkingDirectory
	}
	a.Unterminated = a.Unterminated || b.Unterminated
	return a
}

// isForwarded reports whether a message came from another session. Its
// role has changed when it is projected again.
func isForwarded(m *transcript.Message) bool {
	if !m.Is(transcript.User) && !m.Is(transcript.Assistant) {
		return false
	}
	p := m.Get("provenance").Object()
	return p.Get("kind").String() == transcript.InterSession && p.Get("sourceTool").String() == sendTool
}

// sendTool is the tool that sends into another session (S-01).
const sendTool = "sessions_send"

// forward shows a message of another session as that agent's words.
func forward(m *transcript.Message) *transcript.Message {
	m = eachText(m, func(text string) string {
		text = wrappers.StripClose(wrappers.StripMarker(text))
		return wrappers.StripClose(wrappers.StripMarker(wrappers.ShowUser(text).Text))
	})
	label := texts.Forwarded
	key := m.Get("provenance").Object().Get("sourceSessionKey").String()
	if rest, ok := strings.CutPrefix(key, "agent:"); ok {
		if agent, _, _ := strings.Cut(rest, ":"); agent != "" {
			label = texts.ForwardedFrom + agent
		}
	}
	return set(set(m, "role", string(transcript.Assistant)), "senderLabel", label)
}

// set returns the message with a text member, and m itself where it says so.
func set(m *transcript.Message, name, text string) *transcript.Message {
	if m.Get(name).Is(text) {
		return m
	}
	return m.With(name, jsonline.Text(text))
}

// announced reports whether a user turn is the report of a child session
//
func announced(m *transcript.Message) bool {
	if !m.Is(transcript.User) {
		return false
	}
	if m.Get("provenance").Object().Get("sourceTool").String() == announceTool {
		return true
	}
	s, _, ok := wrappers.ParseMarker(words(m))
	return ok && s.SourceTool == announceTool
}

const announceTool = "subagent_announce"
