package google

import (
	"hygeia/transcript"
	"hygeia/wire"
	"hygeia/wire/internal/canon"
	"hygeia/wire/internal/tree"
)

// The formats by their names in P-01: the plain body, and the envelope.
const (
	API         = "google-generative-ai"
	APIEnvelope = "google-gemini-cli"
)

// Decode reads a plain body. The error wraps [wire.ErrNoTurns] or says where the
// body is no JSON.
func Decode(body []byte) (*wire.Request, error) { return decode(body, API) }

// DecodeEnvelope is [Decode] for the envelope of Cloud Code Assist, which holds the
// plain body under "request".
func DecodeEnvelope(body []byte) (*wire.Request, error) { return decode(body, APIEnvelope) }

func decode(body []byte, api string) (*wire.Request, error) {
	req, root, err := canon.Parse(body, api)
	if err != nil {
		return nil, err
	}
	req.Model = root.Get("model").Text()
	if api == APIEnvelope {
		root = root.Get("request")
	}
	contents := root.Get("contents")
	if !contents.IsArray() {
		return nil, canon.NoTurns("contents")
	}
	parameters(req, root)
	d := decoder{List: canon.New(req, len(contents.Value().Raw))}
	for c := range contents.Elements() {
		d.turn(c)
	}
	return req, d.Close()
}

// decoder writes the canonical messages.
type decoder struct {
	*canon.List
	calls canon.Calls
}

func (d *decoder) turn(c tree.Node) {
	d.Turn(c)
	switch role := c.Get("role"); {
	case !c.IsObject():
		d.Odd(c)
	case role.Is("model"):
		d.model(c)
	case role.Is("user"), role.Is("function"), !role.Given():
		d.user(c)
	default:
		d.Begin(transcript.Role(role.Text()), c.Value())
		d.Rest(c, "role")
		d.End()
	}
}
