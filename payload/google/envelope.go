package google

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

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
	if e, ok := envelopes[t.Provider]; ok {
		return &e
	}
	return &envelope{userAgent: "hygeia"}
}

// requestID is the place of a request id, in the form of a UUID.
const requestID = "00000000-0000-0000-0000-000000000000"

// appendEnvelope writes the request in its envelope.
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
	digits := digest(dst[from:])
	for i := range requestID {
		if requestID[i] == '0' {
			dst[id+i], digits = digits[0], digits[1:]
		}
	}
	return append(dst, '}')
}

// digest returns the digits of the id of a request: they follow from its length
// and its ends, where session, prompt and the newest turn stand. So a request
// that is sent again keeps its id, the next one has another, and no clock or
// chance is in it (W-003).
func digest(request []byte) string {
	const end = 4096
	head, tail := request, request
	if n := len(request); n > end {
		head, tail = request[:end], request[n-end:]
	}
	h := sha256.New()
	fmt.Fprintf(h, "%d:%s%s", len(request), head, tail)
	return hex.EncodeToString(h.Sum(nil))
}
