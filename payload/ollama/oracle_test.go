package ollama_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"hygeia/payload"
	"hygeia/payload/internal/buildtest"
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

// oracle collects what it finds in one body.
type oracle struct {
	buildtest.Oracle
	in     *payload.Input
	before string // role of the message in front, but for a system message
	open   int    // calls that still wait for their results
}

// findings returns what a strict server would refuse.
func findings(text []byte, in *payload.Input) []string {
	o := &oracle{in: in}
	o.Read(text)
	o.Last(text)
	var b body
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	if err := d.Decode(&b); err != nil {
		return append(o.Found, fmt.Sprintf("LO-06, LO-07: %v", err))
	}
	if b.Options["num_predict"] < 1 || !b.Stream || b.Model == "" {
		o.Bad("shape", "head of the body: %+v", b)
	}
	for _, def := range b.Tools {
		o.Name("W-176", "tools", def.Function.Function.Name)
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
		o.Bad("W-541", "the list ends in %q with %d open calls", o.before, o.open)
	}
	return o.Found
}

func (o *oracle) said(where string, m *message) {
	if m.Content == nil {
		o.Bad("LO-07", "%s: no content", where)
		return
	}
	if strings.TrimSpace(*m.Content) == "" && len(m.Images) == 0 && len(m.ToolCalls) == 0 {
		o.Bad("W-951", "%s: nothing is said", where)
	}
	if len(m.Images) > 0 && m.Role != "user" {
		o.Bad("W-406", "%s: images", where)
	}
	for _, image := range m.Images {
		if image == "" || strings.Contains(image, ":") {
			o.Bad("W-551", "%s: image %.40q", where, image)
		}
	}
}

func (o *oracle) order(where string, i int, m *message) {
	joined := o.in.Policy.ValidateAnthropicTurns || o.in.Policy.Wire.StrictAlternation
	switch m.Role {
	case "system":
		if i > 0 {
			o.Bad("LO-10", "%s: behind the start", where)
		}
		return
	case "user", "assistant":
		if o.open > 0 {
			o.Bad("W-953", "%s: %d calls have no result", where, o.open)
		}
		if joined && m.Role == o.before {
			o.Bad("LO-03", "%s: twice", where)
		}
	case "tool":
		if o.open == 0 || !buildtest.LegalName.MatchString(m.ToolName) {
			o.Bad("W-953", "%s: result of %q answers no call", where, m.ToolName)
		}
	default:
		o.Bad("LO-07", "%s: role", where)
	}
	o.before = m.Role
}

func (o *oracle) calls(where string, m *message) {
	if len(m.ToolCalls) > 0 && m.Role != "assistant" || (m.ToolName != "") != (m.Role == "tool") {
		o.Bad("W-551", "%s: %+v", where, m)
	}
	o.open = max(o.open-1, 0)
	if m.Role != "tool" {
		o.open = len(m.ToolCalls)
	}
	for _, c := range m.ToolCalls {
		if c.Function.Function.Arguments == nil || !buildtest.LegalName.MatchString(c.Function.Function.Name) {
			o.Bad("LO-06", "%s: call %+v", where, c)
		}
	}
}
