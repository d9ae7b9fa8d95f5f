package acp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

const (
	longestLine = 64 << 20 // of a message, in bytes
	longestID   = 1 << 10  // of the id of a request, in bytes
	mostAtWork  = 64       // requests that are answered at the same time
)

// later is the part of an answer that takes time: it works while other messages are
// read.
type later func() (any, error)

// conn is one client. What it asks is begun in order.
type conn struct {
	ctx    context.Context
	stop   context.CancelCauseFunc
	call   func(ctx context.Context, method string, params jsontext.Value) (any, error)
	notify func(method string, params jsontext.Value)

	writing sync.Mutex
	out     io.Writer

	mu     sync.Mutex
	atWork map[string]context.CancelFunc // by id, as it was written
	work   sync.WaitGroup
}

// serve answers until the client says no more, and lets its requests end then.
func (c *conn) serve(in io.Reader) error {
	lines, ended := make(chan line), make(chan error, 1)
	go func() { ended <- readLines(c.ctx, in, lines) }()
	defer c.work.Wait()
	for {
		select {
		case l := <-lines:
			c.take(l)
		case err := <-ended:
			c.work.Wait()
			return errors.Join(err, c.broken())
		case <-c.ctx.Done():
			return c.broken()
		}
	}
}

// broken says why nothing can be written any more, nil where the caller ended it.
func (c *conn) broken() error {
	if cause := context.Cause(c.ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return nil
}

// take begins what a line asks for.
func (c *conn) take(l line) {
	if l.text == nil {
		c.answer(nil, nil, fail(codeParse, "a message is longer than %d bytes", longestLine))
		return
	}
	text := jsontext.Value(l.text)
	if len(text) < 64 && blank(text) {
		return
	}
	if !text.IsValid() {
		c.answer(nil, nil, fail(codeParse, "the message is no JSON in UTF-8"))
		return
	}
	var m message
	if err := json.Unmarshal(text, &m); err != nil {
		c.answer(nil, nil, fail(codeRequest, "the message is no object of JSON-RPC"))
		return
	}
	id, err := idOf(m.ID)
	if err != nil {
		c.answer(nil, nil, err)
		return
	}
	var method string
	switch {
	case m.Method == nil && id != nil && (m.Result != nil || m.Error != nil):
		return // the answer to a question, and nobody asked
	case string(m.Version) != `"2.0"`:
		err = fail(codeRequest, "jsonrpc must be \"2.0\"")
	case m.Method == nil || json.Unmarshal(m.Method, &method) != nil || method == "":
		err = fail(codeRequest, "method must be a text")
	}
	switch {
	case err != nil:
		c.answer(id, nil, err)
	case id == nil:
		c.notified(method, m.Params)
	default:
		c.asked(id, method, m.Params)
	}
}

// asked begins a request. Its first part runs here, so that a message behind it finds
// what it began.
func (c *conn) asked(id jsontext.Value, method string, params jsontext.Value) {
	ctx, cancel := context.WithCancel(c.ctx)
	if err := c.enter(string(id), cancel); err != nil {
		cancel()
		c.answer(id, nil, err)
		return
	}
	leave := func(result any, err error) {
		c.leave(string(id))
		c.answer(id, result, err)
		cancel()
	}
	result, err := c.call(ctx, method, params)
	rest, ok := result.(later)
	if err != nil || !ok {
		leave(result, err)
		return
	}
	c.work.Go(func() {
		result, err := rest()
		if err != nil && ctx.Err() != nil {
			err = fail(codeCancelled, "the request was cancelled")
		}
		leave(result, err)
	})
}

func (c *conn) enter(id string, cancel context.CancelFunc) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch _, taken := c.atWork[id]; {
	case taken:
		return fail(codeRequest, "a request with this id is at work")
	case len(c.atWork) >= mostAtWork:
		return fail(codeLimit, "more than %d requests are at work", mostAtWork)
	}
	c.atWork[id] = cancel
	return nil
}

func (c *conn) leave(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.atWork, id)
}

// notified takes a message that wants no answer.
func (c *conn) notified(method string, params jsontext.Value) {
	if method != "$/cancel_request" {
		c.notify(method, params)
		return
	}
	var p struct {
		ID jsontext.Value `json:"requestId"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if cancel := c.atWork[string(p.ID)]; cancel != nil {
		cancel()
	}
}

func (c *conn) answer(id jsontext.Value, result any, err error) {
	a := answer{Version: "2.0", ID: id, Result: result}
	if id == nil {
		a.ID = jsontext.Value("null")
	}
	if err != nil {
		a.Result, a.Error = nil, &failure{}
		if !errors.As(err, a.Error) {
			*a.Error = failure{codeInternal, err.Error()}
		}
	} else if result == nil {
		a.Result = struct{}{}
	}
	c.write(a)
}

func (c *conn) tell(method string, params any) { c.write(notice{"2.0", method, params}) }

// write sends a message. A client that takes no more ends everything.
func (c *conn) write(v any) {
	text, err := json.Marshal(v, jsontext.AllowInvalidUTF8(true))
	if err != nil {
		text, err = json.Marshal(answer{Version: "2.0", ID: jsontext.Value("null"), Error: &failure{codeInternal, err.Error()}})
	}
	if err == nil {
		c.writing.Lock()
		_, err = c.out.Write(append(text, '\n'))
		c.writing.Unlock()
	}
	if err != nil {
		c.stop(fmt.Errorf("writing to the client: %w", err))
	}
}
