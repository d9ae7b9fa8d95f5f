package emulator

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"hygeia/internal/jsonfault"
)

// Answer is what a server says to a request that it accepts. The zero Answer
// has no content, which some models really send.
type Answer struct {
	// Content is what the model says, in order.
	Content []Part `json:"content,omitempty"`
	// Stop is why the answer ends: "stop", "length", "toolUse", "refusal", or a
	// word of the provider, which goes out as it stands. Empty means "toolUse"
	// if there is a call and "stop" if not.
	Stop string `json:"stop,omitempty"`
	// Usage counts tokens. Members that are nil are estimated.
	Usage Usage `json:"usage,omitzero"`

	// Delay passes before the first byte, Pace before each further event of a
	// stream.
	Delay time.Duration `json:"delay,omitzero"`
	Pace  time.Duration `json:"pace,omitzero"`

	// Status from 400 on makes the answer an error with the text Error in the
	// provider's shape, or with Body as it stands.
	Status int            `json:"status,omitempty"`
	Error  string         `json:"error,omitempty"`
	Body   jsontext.Value `json:"body,omitempty"`
	// Header is added to that of the answer, e.g. retry-after.
	Header map[string]string `json:"header,omitempty"`

	// Abort ends the answer early.
	Abort *Abort `json:"abort,omitempty"`
}

// Abort ends a streamed answer after so many events: with the provider's error
// event if there is an error text, otherwise by cutting the connection. An
// answer that is not streamed is cut in the middle.
type Abort struct {
	After int    `json:"after"`           // events that go out before, 0 for none
	Error string `json:"error,omitempty"` // text of the provider's error event, "" cuts the connection
}

// Part is one piece of an answer: one of Text, Thinking, Hidden and Call is set.
// Formats that have no place for thinking leave it out.
type Part struct {
	Text     string `json:"text,omitempty"`
	Thinking string `json:"thinking,omitempty"`
	// Hidden is thinking that nobody may read: a redacted block, or a reasoning
	// item with an empty summary.
	Hidden string `json:"hidden,omitempty"`
	// Call is the name of a tool, Arguments a JSON object, ID the id of the call
	// if it must be a certain one.
	Call      string         `json:"call,omitempty"`
	Arguments jsontext.Value `json:"arguments,omitempty"`
	ID        string         `json:"id,omitempty"`
}

// Usage is how many tokens a request took.
type Usage struct {
	Input      *int `json:"input,omitempty"`      // besides those of the caches
	Output     *int `json:"output,omitempty"`     // thinking included
	CacheRead  *int `json:"cacheRead,omitempty"`  // of the prompt, that a cache held
	CacheWrite *int `json:"cacheWrite,omitempty"` // of the prompt, that went into one
}

// Step is an answer of a script and when it is given.
type Step struct {
	Answer `json:",inline"`
	// To is a pattern for "provider/model" in the syntax of path.Match, where a
	// star in the last place matches slashes too. Empty matches every target.
	To string `json:"to,omitempty"`
	// Contains must stand in the prompt: what users said behind the newest
	// answer, or the results there.
	Contains string `json:"contains,omitempty"`
	// Times is how often the step is used: 0 means once, -1 always.
	Times int `json:"times,omitempty"`
}

// Script returns a responder that gives each request the first step that fits
// it and is not used up, and leaves other requests to the echo. It is safe for
// concurrent use.
func Script(steps ...Step) Responder {
	var mu sync.Mutex
	used := make([]int, len(steps))
	return func(r *Request) *Answer {
		mu.Lock()
		defer mu.Unlock()
		for i := range steps {
			s := &steps[i]
			if s.Times >= 0 && used[i] >= max(s.Times, 1) || !s.fits(r) {
				continue
			}
			used[i]++
			return &s.Answer
		}
		return nil
	}
}

func (s *Step) fits(r *Request) bool {
	return matches(s.To, r.Target.Provider+"/"+r.Target.Model) && strings.Contains(r.Prompt, s.Contains)
}

func matches(pattern, name string) bool {
	if pattern == "" {
		return true
	}
	if front, ok := strings.CutSuffix(pattern, "*"); ok && len(name) >= len(front) && !strings.ContainsAny(front, `*?[\`) {
		return strings.HasPrefix(name, front)
	}
	ok, _ := path.Match(pattern, name) // no name matches a pattern that is none
	return ok
}

// ErrScript says that a script is not one.
var ErrScript = errors.New("no valid script")

// maxScript is the size of the largest script, in bytes.
const maxScript = 64 << 20

// ReadScript reads steps as JSON: one behind the other, one per line for
// instance, or as an array. Durations are texts like "250ms". The error wraps
// [ErrScript] or is that of the reader.
func ReadScript(r io.Reader) ([]Step, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxScript+1))
	if err != nil {
		return nil, err
	}
	if len(text) > maxScript {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrScript, maxScript)
	}
	options := json.JoinOptions(json.RejectUnknownMembers(true), json.WithUnmarshalers(json.UnmarshalFunc(readDuration)))
	dec := jsontext.NewDecoder(bytes.NewReader(text))
	list := dec.PeekKind() == '['
	if list {
		dec.ReadToken() // it was looked at
	}
	var steps []Step
	for !list || dec.PeekKind() != ']' {
		var s Step
		line := jsonfault.Line(text, dec.InputOffset())
		err := json.UnmarshalDecode(dec, &s, options)
		if err == io.EOF && !list {
			return steps, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrScript, jsonfault.In(text, err))
		}
		if err := s.valid(); err != nil {
			return nil, fmt.Errorf("%w: line %d: %w", ErrScript, line, err)
		}
		steps = append(steps, s)
	}
	dec.ReadToken() // it was looked at
	if _, err := dec.ReadToken(); err != io.EOF {
		return nil, fmt.Errorf("%w: line %d: something stands behind the list", ErrScript, jsonfault.Line(text, dec.InputOffset()))
	}
	return steps, nil
}

func readDuration(raw []byte, d *time.Duration) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	v, err := time.ParseDuration(text)
	*d = v
	return err
}

func (s *Step) valid() error {
	if _, err := path.Match(s.To, ""); err != nil {
		return fmt.Errorf("pattern %q: %w", s.To, err)
	}
	return s.Answer.valid()
}

// maxParts is how many parts an answer may have: their places are one byte each
// in seals and ids.
const maxParts = 255

func (a *Answer) valid() error {
	switch {
	case a.Status != 0 && (a.Status < 400 || a.Status > 599):
		return fmt.Errorf("status %d is that of no error", a.Status)
	case a.Status == 0 && (a.Error != "" || a.Body != nil):
		return errors.New("an error needs a status")
	case a.Body != nil && !a.Body.IsValid():
		return errors.New("the body is no JSON")
	}
	if len(a.Content) > maxParts {
		return fmt.Errorf("more than %d parts", maxParts)
	}
	for i := range a.Content {
		if err := a.Content[i].valid(); err != nil {
			return fmt.Errorf("part %d: %w", i, err)
		}
	}
	return nil
}

func (p *Part) valid() error {
	n := 0
	for _, v := range []string{p.Text, p.Thinking, p.Hidden, p.Call} {
		if v != "" {
			n++
		}
	}
	switch {
	case n > 1:
		return errors.New("more than one of text, thinking, hidden and call")
	case n == 0:
		return errors.New("none of text, thinking, hidden and call")
	case p.Arguments != nil && (p.Call == "" || p.Arguments.Kind() != '{' || !p.Arguments.IsValid()):
		return errors.New("arguments are an object of a call")
	}
	return nil
}
