package google

import (
	"crypto/sha256"
	"encoding/hex"

	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/policy"
)

// envelope is what Cloud Code Assist wants around a request (W-631).
type envelope struct {
	userAgent   string
	requestType string // "" for no such member
	preamble    string // first part of the system instruction, "" for none
	userSystem  bool   // the system instruction is in the user's role
}

// envelopes are the hosts that want another one than Gemini CLI's (W-632).
var envelopes = map[string]envelope{
	"google-antigravity": {userAgent: "antigravity", requestType: "agent", preamble: texts.AntigravityPreamble, userSystem: true},
}

// chooseEnvelope returns the envelope for a target, nil where the request goes
// out alone.
func chooseEnvelope(t policy.Target) *envelope {
	if t.API != "google-gemini-cli" {
		return nil
	}
	if e, ok := envelopes[policy.Fold(t.Provider)]; ok {
		return &e
	}
	return &envelope{userAgent: "hygeia"}
}

// requestID is the place of a request id, in the form of a UUID.
const requestID = "00000000-0000-0000-0000-000000000000"

// appendEnvelope writes the request in its envelope. The request id is a digest
// of the request: the same one has the same id, and no clock or chance is in it
// (W-003).
func (b *builder) appendEnvelope(dst []byte) []byte {
	e := b.envelope
	dst = append(dst, '{')
	if project := b.in.Options.Project; project != "" {
		dst = append(jsonline.AppendQuoted(append(dst, `"project":`...), project), ',')
	}
	dst = jsonline.AppendQuoted(append(dst, `"model":`...), b.in.Target.Model)
	if e.requestType != "" {
		dst = jsonline.AppendQuoted(append(dst, `,"requestType":`...), e.requestType)
	}
	dst = jsonline.AppendQuoted(append(dst, `,"userAgent":`...), e.userAgent)
	id := len(dst) + len(`,"requestId":"`)
	dst = append(dst, `,"requestId":"`+requestID+`","request":`...)
	from := len(dst)
	dst = b.appendRequest(dst)
	sum := sha256.Sum256(dst[from:])
	digits := hex.EncodeToString(sum[:16])
	for i := range requestID {
		if requestID[i] == '0' {
			dst[id+i], digits = digits[0], digits[1:]
		}
	}
	return append(dst, '}')
}
