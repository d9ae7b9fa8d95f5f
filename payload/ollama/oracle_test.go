package ollama_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"hygeia/payload"
	"hygeia/policy"
)

// The oracle reads a finished body with the types that the server decodes it
// into, and nothing else, and checks LO-03, LO-06, LO-07, W-541 and the form of
// W-551. It shares no code with the converter.
type body struct {
	Model    string               `json:"model"`
	Stream   bool                 `json:"stream"`
	Options  map[string]int       `json:"options"`
	Think    *bool                `json:"think"`
	Tools    []struct{ Function } `json:"tools"`
	Messages []message            `json:"messages"`
}

type message struct {
	Role      string               `json:"role"`
	Content   *string              `json:"content"`
	Images    []string             `json:"images"`
	ToolCalls []struct{ Function } `json:"tool_calls"`
	ToolName  string               `json:"tool_name"`
}

// Function is a tool definition or a call.
type Function struct {
	Type     string `json:"type"`
	Function struct {
		Name        string         `json:"name"`
		Description string         `json:"description"`
		Arguments   map[string]any `json:"arguments"`
		Parameters  map[string]any `json:"parameters"`
	} `json:"function"`
}

var legal = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

// oracle collects what it finds in one body.
type oracle struct {
	in     *payload.Input
	before string // role of the message in front, but for a system message
	open   int    // calls that still wait for their results
	found  []string
}

func (o *oracle) bad(rule, format string, args ...any) {
	o.found = append(o.found, rule+": "+fmt.Sprintf(format, args...))
}

// findings returns what a strict server would refuse.
func findings(text []byte, in *payload.Input) []string {
	var b body
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&b); err != nil || !utf8.Valid(text) {
		return []string{fmt.Sprintf("LO-06, LO-07: %v", err)}
	}
	o := &oracle{in: in}
	if !strings.HasSuffix(string(text), "]}") || b.Options["num_predict"] < 1 || !b.Stream || b.Model == "" {
		o.bad("W-003", "head of the body: %+v", b)
	}
	for _, def := range b.Tools {
		if !legal.MatchString(def.Function.Function.Name) {
			o.bad("W-176", "tool name %q", def.Function.Function.Name)
		}
	}
	for i := range b.Messages {
		m := &b.Messages[i]
		where := fmt.Sprintf("messages.%d (%s)", i, m.Role)
		o.said(where, m)
		o.order(where, i, m)
		o.calls(where, m)
	}
	thinks := in.Policy.Model.Reasoning && in.Policy.Model.ThinkingDefault != policy.ThinksOff && in.Policy.Model.ThinkingDefault != ""
	if b.Think != nil {
		thinks = *b.Think
	}
	if o.open > 0 || o.before == "" || o.before == "assistant" && thinks && in.Policy.Wire.Prefill != policy.PrefillAllowed {
		o.bad("W-541", "the list ends in %q with %d open calls", o.before, o.open)
	}
	return o.found
}

func (o *oracle) said(where string, m *message) {
	if m.Content == nil {
		o.bad("LO-07", "%s: no content", where)
		return
	}
	if strings.ContainsRune(*m.Content, 0) || strings.Contains(*m.Content, "OPENCLAW_CACHE_BOUNDARY") {
		o.bad("W-955", "%s: %q", where, *m.Content)
	}
	if strings.TrimSpace(*m.Content) == "" && len(m.Images) == 0 && len(m.ToolCalls) == 0 {
		o.bad("W-951", "%s: nothing is said", where)
	}
	if len(m.Images) > 0 && m.Role != "user" {
		o.bad("W-406", "%s: images", where)
	}
	for _, image := range m.Images {
		if image == "" || strings.Contains(image, ":") {
			o.bad("W-551", "%s: image %.40q", where, image)
		}
	}
}

func (o *oracle) order(where string, i int, m *message) {
	joined := o.in.Policy.ValidateAnthropicTurns || o.in.Policy.Wire.StrictAlternation
	switch m.Role {
	case "system":
		if i > 0 {
			o.bad("LO-10", "%s: behind the start", where)
		}
		return
	case "user", "assistant":
		if o.open > 0 {
			o.bad("W-953", "%s: %d calls have no result", where, o.open)
		}
		if joined && m.Role == o.before {
			o.bad("LO-03", "%s: twice", where)
		}
	case "tool":
		if o.open == 0 || !legal.MatchString(m.ToolName) {
			o.bad("W-953", "%s: result of %q answers no call", where, m.ToolName)
		}
	default:
		o.bad("LO-07", "%s: role", where)
	}
	o.before = m.Role
}

func (o *oracle) calls(where string, m *message) {
	if len(m.ToolCalls) > 0 && m.Role != "assistant" || (m.ToolName != "") != (m.Role == "tool") {
		o.bad("W-551", "%s: %+v", where, m)
	}
	o.open = max(o.open-1, 0)
	if m.Role != "tool" {
		o.open = len(m.ToolCalls)
	}
	for _, c := range m.ToolCalls {
		if c.Function.Function.Arguments == nil || !legal.MatchString(c.Function.Function.Name) {
			o.bad("LO-06", "%s: call %+v", where, c)
		}
	}
}
