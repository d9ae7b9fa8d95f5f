package runner

import (
	"cmp"

	"hygeia/internal/jsonline"
	"hygeia/session"
	"hygeia/transcript"
)

// Origin is the provenance of a prompt (S-01).
type Origin struct {
	Kind      string // transcript.ExternalUser, InterSession or InternalSystem
	SessionID string // originSessionId
	Session   string // key of the source session
	Channel   string // sourceChannel, as telegram
	Tool      string // sourceTool, as sessions_send
	Run       string // run in which the chain of prompts began (S-B07)
	Hops      int    // sessions that the chain went through (S-B07)
}

func (o *Origin) value() jsonline.Value {
	v := jsonline.Object{}.With("kind", jsonline.Text(o.Kind))
	for _, m := range []struct{ name, text string }{
		{"originSessionId", o.SessionID},
		{"sourceSessionKey", o.Session},
		{"sourceChannel", o.Channel},
		{"sourceTool", o.Tool},
		{"originRunId", o.Run},
	} {
		if m.text != "" {
			v = v.With(m.name, jsonline.Text(m.text))
		}
	}
	if o.Hops > 0 {
		v = v.With("hops", jsonline.Int(o.Hops))
	}
	return v.Value()
}

// originOf reads the provenance of a user turn, nil for none.
func originOf(m *transcript.Message) *Origin {
	p, ok := m.Provenance()
	if !ok {
		return nil
	}
	o := m.Get("provenance").Object()
	hops, _ := o.Get("hops").Number()
	return &Origin{
		Kind: p.Kind, SessionID: p.OriginSessionID, Session: p.SourceSessionKey, Channel: p.SourceChannel, Tool: p.SourceTool,
		Run: o.Get("originRunId").String(), Hops: int(max(0, min(hops, 1000))),
	}
}

// sealed returns a user turn with its origin signed (S-B09), and without the secrets
// that the guard would take out of what was signed (F-48).
func (r *Runner) sealed(m *transcript.Message) (*transcript.Message, []string) {
	seal := r.o.Replay.Past.Seal
	if seal == nil || !m.Get("provenance").Exists() {
		return m, nil
	}
	m, taken := cmp.Or(r.o.Guard.Redactor, redactor()).Message(m)
	var notes []string
	for _, p := range taken {
		notes = append(notes, noteOf(p))
	}
	return seal.Sign(m), notes
}

func noteOf(p session.Problem) string { return p.Rule + ": " + p.Reason }
