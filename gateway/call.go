package gateway

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"hygeia/projection"
	"hygeia/runner"
)

// call is one request that a route serves.
type call struct {
	route
	w     http.ResponseWriter
	r     *http.Request
	who   caller
	query url.Values
}

// serve checks what holds for all requests of a route and answers.
func (g *Gateway) serve(r route, w http.ResponseWriter, req *http.Request) {
	c := &call{route: r, w: w, r: req}
	err := g.admit(c)
	if err == nil {
		err = r.handle(g, c)
	}
	g.counts.add(r, err)
	if err == nil || errors.Is(err, errStreamed) {
		return
	}
	if known := (failure{}); !errors.As(err, &known) && g.Failed != nil {
		g.Failed(r.method+" "+r.path, err)
	}
	writeError(w, err)
}

// errStreamed says that the answer has begun and cannot become an error.
var errStreamed = errors.New("answer has begun")

func (g *Gateway) admit(c *call) (err error) {
	c.r.Body = http.MaxBytesReader(c.w, c.r.Body, g.MaxBody)
	if c.scope != open {
		if c.who, err = g.identify(c.r); err != nil {
			if f := (failure{}); errors.As(err, &f) && f.status == http.StatusTooManyRequests {
				c.w.Header().Set("Retry-After", "60")
			}
			return err
		}
		if c.who.scope < c.scope {
			return failure{http.StatusForbidden, "forbidden", "missing scope: " + scopeNames[c.scope]}
		}
		if strings.Contains(c.path, "{key}") && c.who.session != "" && c.r.PathValue("key") != c.who.session {
			return failure{http.StatusForbidden, "forbidden", "this token shows one session alone"}
		}
	}
	if c.query, err = url.ParseQuery(c.r.URL.RawQuery); err != nil {
		return badRequest("the query cannot be read")
	}
	for name, values := range c.query {
		if !c.takes(name) {
			return badRequest("there is no parameter %s", strconv.Quote(name))
		}
		if len(values) > 1 {
			return badRequest("%s stands more than once", name)
		}
	}
	return nil
}

func (c *call) takes(name string) bool {
	for _, p := range c.route.query {
		if p.name == name {
			return true
		}
	}
	return false
}

// decode reads the JSON body; members that nobody knows are refused, unless the
// options say otherwise.
func (c *call) decode(v any, options ...json.Options) error {
	if t, _, err := mime.ParseMediaType(c.r.Header.Get("Content-Type")); err != nil || t != "application/json" {
		return failure{http.StatusUnsupportedMediaType, "unsupported_media_type", "the body must be application/json"}
	}
	text, err := io.ReadAll(c.r.Body)
	if err != nil {
		return err
	}
	if len(strings.TrimSpace(string(text))) == 0 {
		text = []byte("{}")
	}
	options = append([]json.Options{json.RejectUnknownMembers(true)}, options...)
	if err := json.Unmarshal(text, v, options...); err != nil {
		var syntax *jsontext.SyntacticError
		var semantic *json.SemanticError
		switch {
		case errors.Is(err, json.ErrUnknownName) && errors.As(err, &semantic):
			return badRequest("the body has a member that is not known: %s", strconv.Quote(string(semantic.JSONPointer)))
		case errors.As(err, &syntax):
			return badRequest("the body is no JSON: byte %d", syntax.ByteOffset)
		case errors.As(err, &semantic):
			if semantic.JSONPointer == "" {
				return badRequest("the body must be an object")
			}
			return badRequest("the member %s of the body has another type than it should", strconv.Quote(string(semantic.JSONPointer)))
		}
		return badRequest("the body cannot be read")
	}
	return nil
}

func (c *call) answer(status int, v any) error {
	return writeJSON(c.w, status, v)
}

// number returns a parameter between two bounds.
func (c *call) number(name string, or, least, most int) (int, error) {
	if !c.query.Has(name) {
		return or, nil
	}
	n, err := strconv.Atoi(c.query.Get(name))
	if err != nil || n < least || n > most {
		return 0, badRequest("%s must be a whole number from %d to %d", name, least, most)
	}
	return n, nil
}

func (c *call) flag(name string) (bool, error) {
	switch c.query.Get(name) {
	case "":
		if c.query.Has(name) {
			return false, badRequest("%s must be true or false", name)
		}
		return false, nil
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, badRequest("%s must be true or false", name)
}

// show reads how messages are shown (H-B06).
func (g *Gateway) show(c *call, maxText, most int) (o projection.Options, err error) {
	if o.MaxText, err = c.number("maxChars", maxText, 1, most); err != nil {
		return o, err
	}
	for name, to := range map[string]*bool{"includeThinking": &o.Thinking, "includeTools": &o.Tools, "raw": &o.Raw} {
		if *to, err = c.flag(name); err != nil {
			return o, err
		}
	}
	if o.Raw && c.who.scope < admin {
		return o, failure{http.StatusForbidden, "forbidden", "missing scope: admin"}
	}
	return o, nil
}

// longestKey is how long the key of a session may be, in bytes.
const longestKey = 512

// keyOf returns the key in the path. It is a name and looked up, never a path.
func keyOf(key string) (string, error) {
	switch {
	case key == "" || len(key) > longestKey:
		return "", badRequest("a session key has from 1 to %d bytes", longestKey)
	case !utf8.ValidString(key) || strings.ContainsFunc(key, unicode.IsControl):
		return "", badRequest("a session key holds no control characters")
	}
	return key, nil
}

// peer returns the session of the path.
func (g *Gateway) peer(c *call) (runner.Peer, error) {
	key, err := keyOf(c.r.PathValue("key"))
	if err != nil {
		return runner.Peer{}, err
	}
	p, ok, err := g.sessions.Find(key)
	if err != nil {
		return p, err
	}
	if !ok {
		return p, notFound("there is no session %s", strconv.Quote(key))
	}
	if c.who.session != "" && p.Key != c.who.session {
		return p, failure{http.StatusForbidden, "forbidden", "this token shows one session alone"}
	}
	return p, nil
}
