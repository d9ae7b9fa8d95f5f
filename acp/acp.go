package acp

import (
	"cmp"
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"hygeia/runner"
	"hygeia/session"
)

// Provenance says what the model and the session are told of where a prompt comes
// from (H-72).
type Provenance string

// The kinds of provenance.
const (
	NoProvenance Provenance = "off"
	Meta         Provenance = "meta"         // stored with the turn
	MetaReceipt  Provenance = "meta+receipt" // and told to the model, which is not stored
)

// Config says what an agent does. State and Run must be there.
type Config struct {
	// State is the root of the sessions: agents/AGENT/sessions lies below it (F-01).
	State string
	// Agent owns the sessions that begin here; "" means main.
	Agent string
	// Run returns what answers prompts of a session that works in a folder.
	Run        func(cwd string) (*runner.Runner, error)
	Provenance Provenance // "" means NoProvenance
	// Version is what the client is told about this program, "" means dev.
	Version string
	Now     func() time.Time // nil means time.Now
}

// ErrConfig says that there is no state folder, or nothing that answers.
var ErrConfig = errors.New("no state folder or no runner")

// server is what serves one client.
type server struct {
	Config
	conn     *conn
	sessions runner.Sessions
	redactor *session.Redactor
	limit    limit

	mu    sync.Mutex
	bound map[string]*bound
}

// Serve answers what comes in on out, until the input ends and its requests are
// answered, the context ends, or the client takes no more. The error is that of
// reading or writing.
func Serve(ctx context.Context, c Config, in io.Reader, out io.Writer) error {
	if c.State == "" || c.Run == nil {
		return ErrConfig
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	c.Agent, c.Version, c.Provenance = cmp.Or(c.Agent, "main"), cmp.Or(c.Version, "dev"), cmp.Or(c.Provenance, NoProvenance)
	redactor, err := session.NewRedactor()
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	s := &server{
		Config: c, redactor: redactor, bound: map[string]*bound{}, limit: limit{most: 120, within: 10 * time.Second},
		sessions: runner.Sessions{State: c.State, Agents: []string{c.Agent}},
	}
	s.conn = &conn{ctx: ctx, stop: stop, out: out, call: s.call, notify: s.notify, atWork: map[string]context.CancelFunc{}}
	return s.conn.serve(in)
}

// method answers a request.
type method func(s *server, ctx context.Context, params jsontext.Value) (any, error)

// methods are the requests that are answered. A client that needs another one is told
// that there is none.
var methods = map[string]method{
	"initialize":     with((*server).initialize),
	"session/new":    with((*server).create),
	"session/load":   with((*server).load),
	"session/resume": with((*server).resume),
	"session/list":   with((*server).list),
	"session/prompt": with((*server).prompt),
	"session/close":  with((*server).close),
}

// with reads the parameters. Members that nobody knows are those of newer clients.
func with[P any](f func(*server, context.Context, P) (any, error)) method {
	return func(s *server, ctx context.Context, params jsontext.Value) (any, error) {
		var p P
		if err := decode(params, &p); err != nil {
			return nil, err
		}
		return f(s, ctx, p)
	}
}

func decode(params jsontext.Value, p any) error {
	if params == nil || params.Kind() != '{' {
		return fail(codeParams, "params must be an object")
	}
	if err := json.Unmarshal(params, p); err != nil {
		var e *json.SemanticError
		if errors.As(err, &e) {
			return fail(codeParams, "params%s is not expected like that", e.JSONPointer)
		}
		return fail(codeParams, "params cannot be read")
	}
	return nil
}

func (s *server) call(ctx context.Context, name string, params jsontext.Value) (any, error) {
	m := methods[name]
	if m == nil {
		return nil, fail(codeMethod, "there is no method %q", name)
	}
	return m(s, ctx, params)
}

// notify takes session/cancel; other notices are of no concern here.
func (s *server) notify(name string, params jsontext.Value) {
	var p naming
	if name != "session/cancel" || decode(params, &p) != nil {
		return
	}
	if b := s.find(p.SessionID); b != nil {
		b.prompts.cancel()
	}
}

func (s *server) initialize(context.Context, struct{}) (any, error) {
	i := initialized{Version: protocolVersion, Info: info{"hygeia", "Hygeia", s.Version}, AuthMethods: []string{}}
	i.Capabilities.LoadSession = true
	i.Capabilities.Prompt.Image, i.Capabilities.Prompt.EmbeddedContext = true, true
	return i, nil
}

// tell sends an update about a session.
func (s *server) tell(id string, u update) { s.conn.tell("session/update", told{id, u}) }
