package emulator

import (
	"errors"
	"io"
	"maps"
	"net/http"
	"strings"

	"hygeia/check"
	"hygeia/internal/jsonline"
	"hygeia/policy"
)

// call is one request on its way to an answer.
type call struct {
	e      *Emulator
	w      http.ResponseWriter
	r      *http.Request
	id     string
	route  route
	shape  *shape
	format *format

	target policy.Target
	claude bool // the model is one of Anthropic's
	body   []byte
	// root is the object that holds the conversation: the body, or what it wraps.
	root jsonline.Object
	conversation
	previous []stored // items of the Responses API that the request refers to

	seen     Request
	recorded bool
}

// format is one wire format.
type format struct {
	// unwrap finds the request in its envelope and returns what is held against
	// the rulebook; nil where both are the body.
	unwrap func(*call) []byte
	// read fills in the conversation.
	read func(*call)
	// verify looks for what only a server can know, nil where there is nothing.
	verify func(*call) *refusal
	// callPrefix is how ids of calls begin.
	callPrefix string
	// finish gives an answer its signatures, nil where the format has none.
	finish func(*call, *reply)
	plain  func(*call, *reply) any
	events func(*call, *reply) []event
	frame  func(*call) *framing
	// failed is the event in a stream that says that the answer failed.
	failed func(c *call, message string) event
	// counted is the answer of the endpoint that counts tokens.
	counted func(n int) any
}

// formats are the wire formats by the name of their API.
var formats = map[string]*format{
	"anthropic-messages":       &anthropicFormat,
	"openai-responses":         &responsesFormat,
	"openai-chatgpt-responses": &responsesFormat,
	"azure-openai-responses":   &responsesFormat,
	"openai-completions":       &chatFormat,
	"mistral-conversations":    &mistralFormat,
	"google-generative-ai":     &geminiFormat,
	"google-vertex":            &geminiFormat,
	"google-gemini-cli":        &codeAssistFormat,
	"bedrock-converse-stream":  &bedrockFormat,
	"ollama":                   &ollamaFormat,
}

func (e *Emulator) serve(w http.ResponseWriter, r *http.Request, rt route, provider string) {
	rt.as(provider)
	c := &call{e: e, w: w, r: r, id: e.nextID(), route: rt, shape: shapes[rt.shape], format: formats[rt.api]}
	model, ok := c.route.locate(r)
	if !ok {
		http.NotFound(w, r)
		return
	}
	c.target = policy.Target{Provider: rt.provider, API: rt.api, Model: model}
	c.seen = Request{Method: r.Method, Path: r.URL.Path, Header: r.Header.Clone(), Status: http.StatusOK}
	defer c.record()
	if f := c.accept(); f != nil {
		c.refuse(f)
		return
	}
	if c.route.mode == count {
		c.write(http.StatusOK, c.format.counted(c.tokens()))
		return
	}
	c.respond()
}

// accept reads the request and holds it against the rulebook and what this
// server knows.
func (c *call) accept() *refusal {
	if f := c.headers(); f != nil {
		return f
	}
	if f := c.readBody(); f != nil {
		return f
	}
	text := c.body
	if c.format.unwrap != nil {
		text = c.format.unwrap(c)
	}
	c.claude = strings.Contains(strings.ToLower(c.target.Model), "claude")
	c.format.read(c)
	c.seen.Stream, c.seen.Prompt = c.route.mode == stream, c.prompt()
	findings, err := check.Payload(text, c.target, check.Options{Rules: c.rules()})
	if err != nil {
		return &refusal{status: http.StatusNotImplemented, message: err.Error()}
	}
	c.seen.Findings = findings
	if len(findings) > 0 {
		return found(findings[0])
	}
	if c.format.verify != nil {
		return c.format.verify(c)
	}
	return nil
}

// rules are the switches for check. Counting needs no limit of the output.
func (c *call) rules() map[string]bool {
	if c.route.mode != count {
		return c.e.o.Rules
	}
	rules := map[string]bool{"AN-21": false, "AN-24": false}
	maps.Copy(rules, c.e.o.Rules)
	return rules
}

func (c *call) headers() *refusal {
	if !c.e.o.RequireHeaders || c.shape.unauthorized == nil {
		return nil
	}
	authorized := c.route.shape == "gemini" && c.r.URL.Query().Get("key") != ""
	for _, name := range c.shape.credentials {
		authorized = authorized || strings.TrimSpace(c.r.Header.Get(name)) != ""
	}
	if !authorized {
		return c.shape.unauthorized
	}
	// On Vertex the version stands in the body (W-233).
	if c.route.shape == "anthropic" && c.r.PathValue("project") == "" && c.r.Header.Get("Anthropic-Version") == "" {
		return &refusal{status: http.StatusBadRequest, message: "anthropic-version: header is required"}
	}
	return nil
}

func (c *call) readBody() *refusal {
	if e := c.r.Header.Get("Content-Encoding"); e != "" && e != "identity" {
		return &refusal{status: http.StatusUnsupportedMediaType, message: "the content encoding is not supported"}
	}
	limit := c.e.o.MaxBody
	body, err := io.ReadAll(http.MaxBytesReader(c.w, c.r.Body, limit))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return c.tooLarge(limit)
	}
	if err != nil {
		return c.malformed(err)
	}
	c.body = body
	var s jsonline.Scanner
	if err := s.ScanAll(body, jsonline.Options{}); err != nil {
		return c.malformed(err)
	}
	if c.root = jsonline.ParseObject(body); !c.root.Exists() {
		return c.malformed(errors.New("not an object"))
	}
	return c.model()
}

// model completes the target and the mode by what the body says.
func (c *call) model() *refusal {
	if c.target.Model == "" {
		c.target.Model = c.root.Get("model").String()
		if c.target.Model == "" && c.route.mode == count {
			c.target.Model = strings.TrimPrefix(under(c.root, "request", "model").String(), "models/") // Code Assist
		}
		if c.target.Model == "" {
			return &refusal{status: http.StatusBadRequest, message: missingModel[c.route.shape], param: "model"}
		}
	}
	if c.target.Provider == "" {
		c.ownerOf()
	}
	streams := c.root.Get("stream")
	switch {
	case c.route.mode == asked && streams.Bool(), c.route.mode == unless && streams.Kind != jsonline.False:
		c.route.mode = stream
	}
	return nil
}

// ownerOf finds the provider where several share a path.
func (c *call) ownerOf() {
	provider := owner(c.target.Model)
	if c.route.api == "google-gemini-cli" {
		provider = "google-gemini-cli"
		if c.root.Get("userAgent").String() == "antigravity" || strings.HasPrefix(c.target.Model, "claude") {
			provider = "google-antigravity"
		}
	}
	c.route.as(provider)
	c.target.Provider, c.target.API = c.route.provider, c.route.api
	c.shape, c.format = shapes[c.route.shape], formats[c.route.api]
}

// missingModel is what is said of a request without a model, by shape.
var missingModel = map[string]string{
	"anthropic": "model: Field required", "openai": "you must provide a model parameter", "codex": `{"detail":"Model is required"}`,
	"gemini": "model is required", "bedrock": "model is required", "mistral": "model: Field required",
	"openrouter": "No models provided", "ollama": "model is required", "llama.cpp": "model is required",
}

// refuse sends a refusal in the provider's shape.
func (c *call) refuse(f *refusal) {
	c.seen.Rule = f.rule
	body := c.shape.body(c, f)
	c.write(f.status, body)
}

func (c *call) write(status int, body any) {
	c.begin(status, "application/json")
	_, _ = c.w.Write(encode(body)) // the client may be gone
}

// record remembers the request, once.
func (c *call) record() {
	if c.recorded {
		return
	}
	c.recorded = true
	c.seen.Target, c.seen.Body = c.target, c.body
	c.e.record(c.seen)
}

// begin sends the header of an answer. The request is remembered before: whoever has
// the answer may look for it.
func (c *call) begin(status int, contentType string) {
	c.seen.Status = status
	c.record()
	h := c.w.Header()
	if c.shape.id != "" {
		h.Set(c.shape.id, c.shape.idPrefix+c.id)
	}
	for name, value := range c.shape.header {
		h.Set(name, value)
	}
	h.Set("Content-Type", contentType)
	c.w.WriteHeader(status)
}
