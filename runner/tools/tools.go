package tools

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"runtime/debug"
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
	"hygeia/wire"
)

// Tool is something that a model may call. Run may be called by several
// goroutines at once.
type Tool interface {
	// Name is 1 to 64 letters, digits, '_' and '-', not beginning with a digit or
	// '-': legal on every wire (W-176).
	Name() string
	// Description is for the model.
	Description() string
	// Schema is the JSON schema of the arguments, an object.
	Schema() string
	// Run carries a call out. It has to end soon after ctx does.
	Run(ctx context.Context, c Call) (Result, error)
}

// Call is a call that a model makes.
type Call struct {
	ID, Name  string // as the model gave them
	Arguments []byte // a JSON object
	// Session is the path of the session file from which the call comes, Turn the id
	// of the entry there; "" where there is none.
	Session, Turn string
}

// Result is what a tool returns.
type Result struct {
	Text   string  // for the model
	Images []Image // behind the text
	// Details are kept in the transcript and never go out, a JSON object or
	// nil.
	Details []byte
	// Failed says that the call did not do what it should, and Text why.
	Failed bool
}

// Image is a picture in a result.
type Image struct {
	MediaType string // image/png and so on
	Data      []byte // the file
}

// Message returns the tool result of the transcript for a call (F-37).
func (r *Result) Message(c Call) *transcript.Message {
	var blocks []*transcript.Block
	if r.Text != "" || len(r.Images) == 0 {
		blocks = append(blocks, transcript.NewTextBlock(r.Text))
	}
	for _, i := range r.Images {
		blocks = append(blocks, transcript.NewBlock("image").
			With("data", jsonline.Text(base64.StdEncoding.EncodeToString(i.Data))).
			With("mimeType", jsonline.Text(i.MediaType)))
	}
	m := transcript.New(transcript.ToolResult, blocks...).
		With("toolCallId", jsonline.Text(c.ID)).
		With("toolName", jsonline.Text(c.Name)).
		With("isError", jsonline.Bool(r.Failed))
	if v := jsonline.Parse(r.Details); v.Kind == jsonline.ObjectKind {
		m = m.With("details", v)
	}
	return m
}

// Set is the tools of a run, in their order. It does not change and is safe for
// concurrent use.
type Set struct {
	list   []Tool
	byName map[string]Tool // in lower form
}

// ErrTool says that a tool cannot be in a set.
var ErrTool = errors.New("no usable tool")

var legalName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)

// New makes a set. The error wraps [ErrTool]: a name that is not legal on every
// wire or stands there twice, in any case, or a schema that is no object.
func New(list ...Tool) (*Set, error) {
	s := &Set{list: list, byName: map[string]Tool{}}
	for _, t := range list {
		name := t.Name()
		switch _, twice := s.byName[strings.ToLower(name)]; {
		case !legalName.MatchString(name):
			return nil, fmt.Errorf("%w: its name is %q", ErrTool, name)
		case twice:
			return nil, fmt.Errorf("%w: there are two with the name %s", ErrTool, name)
		case jsonline.Parse([]byte(t.Schema())).Kind != jsonline.ObjectKind:
			return nil, fmt.Errorf("%w: the schema of %s is no JSON object", ErrTool, name)
		}
		s.byName[strings.ToLower(name)] = t
	}
	return s, nil
}

// With returns a set of the tools of both. Either may be nil. The errors are those
// of [New].
func (s *Set) With(other *Set) (*Set, error) {
	var list []Tool
	for _, set := range []*Set{s, other} {
		if set != nil {
			list = append(list, set.list...)
		}
	}
	return New(list...)
}

// Len returns the number of tools. A nil set has none.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return len(s.list)
}

// Definitions returns the tools for the request, nil for none.
func (s *Set) Definitions() []wire.Tool {
	if s == nil {
		return nil
	}
	var list []wire.Tool
	for _, t := range s.list {
		list = append(list, wire.Tool{
			Name: t.Name(), Description: jsonline.Text(t.Description()), Schema: jsonline.Parse([]byte(t.Schema())),
		})
	}
	return list
}

// Call carries a call out. What goes wrong, a tool that panics or does not exist
// included, is a result that says so.
func (s *Set) Call(ctx context.Context, c Call) (r Result) {
	defer func() {
		if p := recover(); p != nil {
			// The stack stays out of the transcript: a model has no use for it.
			r = Result{Text: fmt.Sprintf("the tool %s broke off: %v", c.Name, p), Failed: true, Details: stack()}
		}
	}()
	var t Tool
	if s != nil {
		t = s.byName[strings.ToLower(strings.TrimSpace(c.Name))]
	}
	if t == nil {
		return Result{Text: fmt.Sprintf("there is no tool %q; %s", c.Name, s.names()), Failed: true}
	}
	r, err := t.Run(ctx, c)
	if err != nil {
		return Result{Text: err.Error(), Failed: true, Details: r.Details}
	}
	return r
}

func stack() []byte {
	const limit = 2000 // bytes: details are kept small (F-47)
	text := debug.Stack()
	return jsonline.Object{}.With("stack", jsonline.Text(string(text[:min(len(text), limit)]))).Value().Raw
}

func (s *Set) names() string {
	if s.Len() == 0 {
		return "this session has no tools"
	}
	var names []string
	for _, t := range s.list {
		names = append(names, t.Name())
	}
	return "there are " + strings.Join(names, ", ")
}

// arguments reads the arguments of a call into a structure.
func arguments(c Call, to any) error {
	if err := unmarshal(c.Arguments, to); err != nil {
		return fmt.Errorf("the arguments of %s are wrong: %w", c.Name, err)
	}
	return nil
}
