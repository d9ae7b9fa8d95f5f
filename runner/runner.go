package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"hygeia"
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/policy"
	"hygeia/runner/model"
	"hygeia/runner/tools"
	"hygeia/session"
)

// Model answers requests. A [model.Client] is one.
type Model interface {
	// Stream sends a request and tells on of the answer as it comes. A broken answer is
	// returned beside the error, which is a [*model.Error].
	Stream(ctx context.Context, call model.Call, on func(model.Event)) (*model.Answer, error)
}

// Options says how runs go. Target and Model must be there.
type Options struct {
	// Target is the model that answers, Model what asks it.
	Target hygeia.Target
	Model  Model
	// Replay says how requests are built. Tools, Prompt, Revise, MessagesOnly and
	// Context are the runner's own. Without Past heartbeats that were answered with
	// nothing stay behind, and user turns get their local time (D-26).
	Replay hygeia.ReplayOptions
	// Tools are what the model may call, nil for nothing.
	Tools *tools.Set
	// Write says how session files are written.
	Write session.WriteOptions
	// Guard says what is kept out of them. Synthesize is set.
	Guard session.GuardOptions
	// MaxCalls is how many requests a run may take, 0 means 100.
	MaxCalls int
	// Parallel is how many tools of one turn work at the same time, 0 means 4.
	Parallel int
	// Limits say when a session is compacted, Keep how much of it stays then.
	Limits session.CompactionLimits
	Keep   session.CompactOptions
	// NoCompaction leaves sessions as long as they are.
	NoCompaction bool
	// Unknown keeps the answers of providers that the rulebook does not know, nil
	// for nothing.
	Unknown *Unknown
	// Wait is how long a run waits for one of another process in the same session, 0
	// means 10 minutes, less than 0 as long as the context lets it.
	Wait time.Duration
	Now  func() time.Time // nil means time.Now
}

// Runner runs prompts through sessions. It is safe for concurrent use; of several
// runs of one session, of other runners and other processes too, one waits for the
// other.
type Runner struct {
	o          Options
	resolution *policy.Resolution
	tools      jsonline.Value
}

// ErrModel says that there is no model to ask.
var ErrModel = errors.New("no model to ask")

// New returns a runner. The errors are those of policy.Resolve and ErrModel.
func New(o Options) (*Runner, error) {
	if o.Model == nil {
		return nil, ErrModel
	}
	res, err := policy.Resolve(o.Target, o.Replay.Policy)
	if err != nil {
		return nil, err
	}
	o.MaxCalls, o.Parallel = cmp.Or(o.MaxCalls, 100), cmp.Or(o.Parallel, 4)
	o.Limits.Window = cmp.Or(o.Limits.Window, res.Policy.Model.ContextWindow)
	if k := &o.Keep; k.KeepTokens == 0 && k.KeepFrom == "" && !k.Hard && o.Limits.Window > 0 {
		k.KeepTokens = min(session.DefaultKeepTokens, o.Limits.Window/2) // a small window has to have room for it
	}
	o.Guard.Synthesize = true // D-03
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Replay.Past == nil {
		o.Replay.Past = &hygeia.Past{Zone: time.Local}
	}
	r := &Runner{o: o, resolution: res}
	r.tools = payload.Tools(res.Target.API, o.Tools.Definitions())
	return r, nil
}

// Target returns the target as it was resolved.
func (r *Runner) Target() hygeia.Target { return r.resolution.Target }

// EventKind says what an event of a run tells.
type EventKind int

// The kinds of events.
const (
	Said      EventKind = iota // Event.Model happened at the model
	Called                     // a tool gave Event.Result for Event.Call
	Resent                     // a request was refused and goes out once more; Event.Text says why
	Compacted                  // the session was compacted; Event.Text says why
	Repaired                   // the file was repaired; Event.Text says what
	Waiting                    // another process runs in the session; Event.Text says which
	Received                   // a message became a part of the run; Event.Text is the key of its session, "" for a person
)

// Event is something that happens during a run. Events come one after the other. The
// fields besides Kind are set as its kind says.
type Event struct {
	Kind   EventKind
	Model  model.Event
	Call   tools.Call
	Result tools.Result
	Text   string
}

// Result is what became of a run.
type Result struct {
	// Text is what the model said in its last turn.
	Text string
	// StopReason is that of the last turn (F-33).
	StopReason string
	// Entry is the id of the last assistant turn, "" if none was stored.
	Entry string
	// Repeated says that the session had the answer to this prompt already.
	Repeated bool
	// Requests is how many requests were built, Usage what they took together.
	Requests int
	Usage    model.Usage
	// Report tells how the last request differs from what is stored, Resent what
	// providers have refused and what was done about it.
	Report *hygiene.Report
	Resent []string
	// Repair is what was done to the file before, nil for nothing. Its paths are for
	// people to see (F-B25).
	Repair *session.RepairReport
	// Notes tell what was stored otherwise than it came.
	Notes []string
	// Compactions is how often the session was compacted.
	Compactions int
}

// ErrTooManyCalls says that a model kept calling tools.
var ErrTooManyCalls = errors.New("the model called tools for too long")

// Run puts the prompt into the session file at path, which need not be there, and
// lets the model answer. What happens is told to on, which may be nil.
//
// The result is never nil: with an error it holds what there is. The errors are
// ErrNothing, ErrTooManyCalls, those of [session.Acquire], [session.OpenWriter] and
// [session.Writer.Append], the *[model.Error] of a model that failed, and that of
// the context. Whatever the error is, the file needs no repair; what was said
// before is stored. Where the prompt is not, the error wraps ErrNotStored as well.
func (r *Runner) Run(ctx context.Context, path string, p Prompt, on func(Event)) (*Result, error) {
	if on == nil {
		on = func(Event) {}
	}
	s := &run{Runner: r, prompt: p, path: path, on: on, result: &Result{}}
	if err := p.valid(); err != nil {
		return s.result, err
	}
	leave, err := Claim(ctx, path, r.o.Wait, func(what string) { on(Event{Kind: Waiting, Text: what}) })
	if err == nil {
		defer leave()
		err = s.run(ctx)
	}
	if err != nil && (s.active == "" || s.w.Unwritten()) {
		err = fmt.Errorf("%w; %w", err, ErrNotStored)
	}
	return s.result, err
}
