package hygeia

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	responses "hygeia/payload/openairesponses"
	"hygeia/policy"
	"hygeia/transcript"
	"hygeia/wire"
	"hygeia/wire/anthropicmessages"
	"hygeia/wire/bedrock"
	"hygeia/wire/google"
	"hygeia/wire/mistral"
	"hygeia/wire/ollama"
	"hygeia/wire/openaichat"
	"hygeia/wire/openairesponses"
)

// formatRequest opens the format of a request body; the API stands behind it.
const formatRequest = "request:"

// FormatRequest returns the format of the body of a request to an API.
func FormatRequest(api string) Format { return Format(formatRequest + policy.FoldAPI(api)) }

// API returns the API of a request body, and whether the format is one.
func (f Format) API() (string, bool) {
	api, ok := strings.CutPrefix(string(f), formatRequest)
	return policy.FoldAPI(api), ok
}

// decoder reads the requests of an API. Its format is the API that the decoder
// names: some APIs share one.
type decoder struct {
	format string
	decode func([]byte) (*wire.Request, error)
}

// decoders are the wire formats that a request can be read in. Each of their
// converters writes back all that a request in the same format says (D-38).
var decoders = map[string]decoder{
	anthropicmessages.API:      {anthropicmessages.API, anthropicmessages.Decode},
	openaichat.API:             {openaichat.API, openaichat.Decode},
	openairesponses.API:        {openairesponses.API, openairesponses.Decode},
	"openai-chatgpt-responses": {openairesponses.API, openairesponses.Decode},
	"azure-openai-responses":   {openairesponses.API, openairesponses.Decode},
	google.API:                 {google.API, google.Decode},
	"google-vertex":            {google.API, google.Decode},
	google.APIEnvelope:         {google.APIEnvelope, google.DecodeEnvelope},
	bedrock.API:                {bedrock.API, bedrock.Decode},
	mistral.API:                {mistral.API, mistral.Decode},
	ollama.API:                 {ollama.API, ollama.Decode},
}

// ErrNoDecoder says that no decoder reads the requests of an API.
var ErrNoDecoder = errors.New("requests of this API cannot be read")

// readRequest reads the body of a request; its shape tells the API where none is
// named.
func readRequest(r io.Reader, name, api string, o OpenOptions) (*Transcript, error) {
	if o.Leaf != "" {
		return nil, fmt.Errorf("%s: a request has no entry %q", name, o.Leaf)
	}
	body, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	if api == "" {
		if api, err = wire.Detect(body); err != nil {
			return nil, fmt.Errorf("%s: %w", name, inLine(body, err))
		}
	}
	return decodeRequest(body, name, api)
}

// decodeRequest reads the body of a request, or the list of messages of one.
func decodeRequest(text []byte, name, api string) (*Transcript, error) {
	known, ok := decoders[api]
	if !ok {
		return nil, fmt.Errorf("%s: %w: %s", name, ErrNoDecoder, api)
	}
	body, listed := wire.Body(text, known.format)
	req, err := known.decode(body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, inLine(body, err))
	}
	c := transcript.NewContext(req.Messages)
	c.Request = true
	t := &Transcript{Name: name, Format: FormatRequest(api), Context: c, Request: req}
	if listed {
		t.Format = FormatMessages
	}
	return t, nil
}

// own reports whether the transcript was a request in the format of the target. A
// list of its messages alone is none.
func (t *Transcript) own(target Target) bool {
	return t.Request != nil && t.Format != FormatMessages && t.Request.API == decoders[target.API].format
}

// tools returns the tool definitions of a request.
func tools(req *wire.Request) jsonline.Value {
	body := req.Body
	if r := body.Get("request"); req.API == google.APIEnvelope && r.Exists() {
		body = r.Object()
	}
	if config := body.Get("toolConfig").Object(); config.Has("tools") {
		return config.Get("tools")
	}
	return body.Get("tools")
}

// policy returns the policy of a resolution with what the request itself says:
// whether the service stores its items (W-310).
func (t *Transcript) policy(res *policy.Resolution) *policy.Policy {
	if !t.own(res.Target) || t.Request.API != openairesponses.API {
		return res.Policy
	}
	p := *res.Policy
	p.Wire.StoreItems = responses.Stored(t.Request, res.Target, res.Policy)
	return &p
}

// carry takes over from a request in another format what every format has a
// member for, where the caller says nothing, and notes what stays behind.
func (t *Transcript) carry(o payload.Options, target Target, report *hygiene.Report) payload.Options {
	req := t.Request
	if req == nil || t.own(target) {
		return o
	}
	o.System = cmp.Or(o.System, req.System)
	o.MaxTokens = cmp.Or(o.MaxTokens, req.MaxTokens)
	o.Thinking = cmp.Or(o.Thinking, payload.LevelOf(req.Thinking))
	if !o.Tools.Exists() {
		log := payload.Log{Stage: wireOf(target.API).name, Report: report}
		o.Tools = log.Distinct(target.API, payload.Tools(target.API, req.Tools))
	}
	if len(req.Left) > 0 {
		report.Note("only the format of the request has: " + strings.Join(req.Left, ", "))
	}
	return o
}
