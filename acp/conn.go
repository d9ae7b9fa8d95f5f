package acp

import (
	"bufio"
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

// The codes of errors: those of JSON-RPC, and of ACP.
const (
	codeParse     = -32700
	codeRequest   = -32600
	codeMethod    = -32601
	codeParams    = -32602
	codeInternal  = -32603
	codeLimit     = -32000
	codeNotFound  = -32002
	codeCancelled = -32800
)

// failure is an error that the client is told.
type failure struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (f failure) Error() string { return f.Message }

func fail(code int, format string, args ...any) error {
	return failure{code, fmt.Sprintf(format, args...)}
}

// message is what comes in.
type message struct {
	Version jsontext.Value `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Method  jsontext.Value `json:"method"`
	Params  jsontext.Value `json:"params"`
}

// answer is what goes out for a request.
type answer struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"`
	Result  any            `json:"result,omitzero"`
	Error   *failure       `json:"error,omitzero"`
}

type notice struct {
	Version string `json:"jsonrpc"`
	Method  string `json:"method"`
	Params  any    `json:"params"`
}

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

// line is one message; text is nil where it was too long.
type line struct{ text []byte }

// readLines reads to the end. Of a line that is too long nothing is kept.
func readLines(ctx context.Context, in io.Reader, to chan<- line) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		var l line
		long, some := false, false
		for {
			part, err := r.ReadSlice('\n')
			some = some || len(part) > 0
			if long = long || len(l.text)+len(part) > longestLine; long {
				l.text = nil
			} else {
				l.text = append(l.text, part...)
			}
			if err == bufio.ErrBufferFull {
				continue
			}
			if some {
				select {
				case to <- l:
				case <-ctx.Done():
					return nil
				}
			}
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			break
		}
	}
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
	case m.Method == nil && id != nil:
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

func blank(text []byte) bool {
	for _, b := range text {
		if b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return false
		}
	}
	return true
}

// idOf returns the id of a message, nil for none: a text, a number or null.
func idOf(id jsontext.Value) (jsontext.Value, error) {
	if id == nil {
		return nil, nil
	}
	switch kind := id.Kind(); {
	case kind != '"' && kind != '0' && kind != 'n':
		return nil, fail(codeRequest, "id must be a text, a number or null")
	case len(id) > longestID:
		return nil, fail(codeRequest, "id is longer than %d bytes", longestID)
	}
	return id, nil
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
