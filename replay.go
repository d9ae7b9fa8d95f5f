package hygeia

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hygeia/hygiene"
	"hygeia/hygiene/passes"
	"hygeia/hygiene/passes/images"
	"hygeia/imaging"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/transcript"
)

// Target names the model of the next request.
type Target = policy.Target

// ParseTarget reads "provider/model"; the model may hold further slashes. The error
// wraps policy.ErrTarget and quotes the text.
func ParseTarget(s string) (Target, error) { return policy.ParseTarget(s) }

// ReplayOptions is what a session does not say about the next request.
type ReplayOptions struct {
	// Policy holds the user's profiles and what the caller says about the
	// model.
	Policy policy.Options
	// Payload holds the system prompt, tools, limits and thinking.
	Payload payload.Options
	// Images are the user's limits on pictures, on top of those of the target.
	// The zero value means 1200 px and 5 MiB (I-04, I-05).
	Images imaging.Limits
	// Prompt is appended as a user turn, unless it is empty (D-17).
	Prompt string
	// Attach are the pictures of the prompt's turn, see [Picture] (I-02). One
	// that cannot go out is left out, which the report notes.
	Attach []*transcript.Block
	// Context ends the work on pictures early, the only work that may take long;
	// Replay returns its error then. nil is a context that never ends.
	Context context.Context
	// MessagesOnly leaves the body out. It works for every target.
	MessagesOnly bool
	// Past says how much of the past goes out and how; nil takes all of it as it is.
	Past *Past
	// Revise changes the policy that was resolved, for this replay alone. It is
	// for what a provider has answered ([FindRemedy]).
	Revise func(*policy.Policy)
}

// Replay is a transcript made ready for a target.
type Replay struct {
	// Resolution is the policy with its trace.
	Resolution *policy.Resolution
	// Messages are the canonical messages that go out.
	Messages []*transcript.Message
	// Body is the request body, nil with MessagesOnly.
	Body   []byte
	Report *hygiene.Report

	names  payload.Names
	stored []*transcript.Message // what was read, and the prompt
}

// ToolName returns the name by which the caller knows a tool that an answer to
// the body calls: names that the wire format forbids go out as others (W-176).
func (r *Replay) ToolName(wire string) string { return r.names.Original(wire) }

// ErrNoConverter says that no converter writes the wire format of a target.
var ErrNoConverter = errors.New("no converter for this API")

// Replay makes the request that continues the transcript at the target. The
// transcript is not changed, and the same input gives the same bytes. The errors are
// those of policy.Resolve and of the context, ErrNoConverter, what is wrong with tools
// or identity, and payload.ErrNothingToSend where no turn is left.
func (t *Transcript) Replay(target Target, o ReplayOptions) (*Replay, error) {
	res, err := policy.Resolve(target, o.Policy)
	if err != nil {
		return nil, err
	}
	if err := payload.CheckTools(res.Target.API, o.Payload.Tools); err != nil {
		return nil, fmt.Errorf("tools: %w", err)
	}
	if err := o.Payload.Identity.Check(); err != nil {
		return nil, err
	}
	report := &hygiene.Report{}
	o.Payload = t.carry(t.options(o), res.Target, report)
	res.Policy = t.policy(res)
	if o.Revise != nil {
		revised := *res.Policy
		o.Revise(&revised)
		res.Policy = &revised
	}
	ctx := cmp.Or(o.Context, context.Background())
	if err := o.attach(ctx, res.Policy, report); err != nil {
		return nil, err
	}
	stored := t.context(o, res.Target)
	past := o.Past.distrust(o.Past.trim(stored, report), report)
	s := t.steps(ctx, past, res, &o)
	if s.build == nil && !o.MessagesOnly {
		return nil, fmt.Errorf("%w: %s (canonical messages work for every target)", ErrNoConverter, res.Target.API)
	}
	made, err := s.grow(t)
	if err != nil {
		return nil, err
	}
	report.Target, report.Hidden = res.Target, made.hidden
	report.Changes = inRow(report.Changes, made.changes, made.built.Changes)
	report.Notes = slices.Concat(made.notes, report.Notes)
	r := &Replay{Resolution: res, Messages: made.messages, Body: made.body, Report: report, names: made.names, stored: stored.Messages}
	t.note(r)
	if o.MessagesOnly {
		return r, nil
	}
	report.Notes = append(report.Notes, made.built.Notes...)
	if s.input.Request != nil && !report.Empty() {
		r.reportMembers(t.Request, decoders[res.Target.API].format, !o.Payload.Tools.Exists())
	}
	r.noteSize()
	return r, nil
}

// steps returns what a replay does to the messages of a context.
func (t *Transcript) steps(ctx context.Context, past *transcript.Context, res *policy.Resolution, o *ReplayOptions) *steps {
	s := &steps{
		ctx: ctx, context: past, passes: passes.With(images.New(ctx, o.Images)), past: o.Past, name: t.Name,
		input: payload.Input{Target: res.Target, Policy: res.Policy, Options: o.Payload},
	}
	if !o.MessagesOnly {
		s.build = converters[res.Target.API]
		if t.own(res.Target) {
			s.input.Request = t.Request
		}
	}
	s.key = key{
		Input: s.input, MessagesOnly: o.MessagesOnly, Images: o.Images,
		Compaction: past.Compaction, Rejected: past.RejectedThinking, Snapshots: slices.Clone(past.Snapshots), Tools: past.Tools,
	}
	if o.Past != nil {
		s.key.Past = *o.Past
	}
	return s
}

// inRow puts lists of changes behind one another. A list that stands alone is not
// copied: it may be long.
func inRow(lists ...[]hygiene.Change) []hygiene.Change {
	lists = slices.DeleteFunc(lists, func(l []hygiene.Change) bool { return len(l) == 0 })
	if len(lists) == 1 {
		return lists[0]
	}
	return slices.Concat(lists...)
}

// note says what was taken for granted about the target.
func (t *Transcript) note(r *Replay) {
	res := r.Resolution
	if res.DefaultedAPI != "" {
		r.Report.Note("API " + res.DefaultedAPI + " was taken because none was named")
	}
	if t.Request != nil && t.Format == FormatMessages {
		r.Report.Note("the list of messages was read as one of " + t.Request.API)
	}
	if res.UnknownProvider != "" {
		r.Report.Note("provider " + res.UnknownProvider + " is unknown: the fallback policy of its API applies")
	}
	if !knowsModel(res) {
		r.Report.Note("nothing is known about model " + res.Target.Model + ": what its provider and API need applies")
	}
	if r.Body == nil || !t.own(res.Target) {
		return
	}
	if name := t.Request.Model; name != "" && name != res.Target.Model {
		r.Report.Note("the request goes on naming its model " + name)
	}
}

// knowsModel reports whether any layer says something about the model itself.
func knowsModel(res *policy.Resolution) bool {
	return slices.ContainsFunc(res.Trace, func(e policy.TraceEntry) bool { return strings.HasPrefix(e.Field, "model.") })
}

// context adds the prompt and the names of the tools to what was read.
func (t *Transcript) context(o ReplayOptions, target Target) *transcript.Context {
	c := *t.Context
	if m := o.turn(); m != nil {
		m.Origin.Index = len(c.Messages)
		c.Messages = append(c.Messages[:len(c.Messages):len(c.Messages)], m)
	}
	c.Tools = toolNames(o.Payload.Tools)
	if t.own(target) && !o.Payload.Tools.Exists() {
		c.Tools = toolNames(tools(t.Request))
	}
	return &c
}

// options fills in what the session says about the request (D-38, F-70).
func (t *Transcript) options(o ReplayOptions) payload.Options {
	p := o.Payload
	if p.Thinking == payload.ThinkDefault {
		p.Thinking = payload.LevelOf(t.Context.ThinkingLevel)
	}
	if p.SessionID == "" {
		p.SessionID = t.Context.SessionID
	}
	return p
}

// toolNames returns the names in tool definitions of any form.
func toolNames(tools jsonline.Value) []string {
	var names []string
	for tool := range tools.Elements() {
		o := tool.Object()
		if f := o.Get("function"); f.Exists() {
			o = f.Object()
		}
		if n := o.Get("name").String(); n != "" {
			names = append(names, n)
		}
		for f := range o.Get("functionDeclarations").Elements() {
			names = append(names, f.Object().Get("name").String())
		}
		if spec := o.Get("toolSpec"); spec.Exists() {
			names = append(names, spec.Object().Get("name").String())
		}
	}
	return names
}

// noteSize says when a body holds more tokens than the context window of the
// target, estimated at four bytes each (C-03). The converter says when it has
// too many bytes.
func (r *Replay) noteSize() {
	if window := r.Resolution.Policy.Model.ContextWindow; window > 0 && len(r.Body)/4 > window {
		r.Report.Note(fmt.Sprintf("the body holds about %d tokens, the context window %d: compact the session first", len(r.Body)/4, window))
	}
}

// MessagesJSON returns the canonical messages as a JSON array.
func (r *Replay) MessagesJSON() []byte {
	size := 2
	for _, m := range r.Messages {
		size += m.Size() + 1
	}
	b := append(make([]byte, 0, size), '[')
	for i, m := range r.Messages {
		if i > 0 {
			b = append(b, ',')
		}
		b = m.AppendJSON(b)
	}
	return append(b, ']')
}
