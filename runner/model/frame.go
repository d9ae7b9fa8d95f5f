package model

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"

	"hygeia/internal/jsonline"
)

// framing cuts a stream into events until it ends or on returns an error, which
// it then returns. An event has at most limit bytes. Its data is not used again:
// decoded texts point into it.
type framing func(r io.Reader, limit int, on func(name string, data []byte) error) error

// errDone ends a stream whose last event was seen.
var errDone = errors.New("the answer is complete")

// malformed is an error about the form of an answer.
type malformed struct{ why string }

func (m *malformed) Error() string { return m.why }

func bad(format string, args ...any) error { return &malformed{fmt.Sprintf(format, args...)} }

// lines reads lines of at most a limit.
type lines struct {
	in    *bufio.Reader
	limit int
	buf   []byte
}

func newLines(r io.Reader, limit int) *lines {
	return &lines{in: bufio.NewReaderSize(r, 32<<10), limit: limit}
}

// next returns a line without its end, valid until the next call. The last line
// of a stream may have no end.
func (l *lines) next() ([]byte, error) {
	l.buf = l.buf[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		if len(l.buf)+len(part) > l.limit {
			return nil, bad("a line of the answer is longer than %d bytes", l.limit)
		}
		l.buf = append(l.buf, part...)
		switch {
		case err == nil || errors.Is(err, io.EOF) && len(l.buf) > 0:
			return bytes.TrimRight(l.buf, "\r\n"), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// serverSentEvents is the framing of text/event-stream.
func serverSentEvents(r io.Reader, limit int, on func(name string, data []byte) error) error {
	in := newLines(r, limit)
	var data []byte // nil while there is none
	first := true
	dispatch := func() error {
		d := data
		if data = nil; d == nil {
			return nil
		}
		return on("", d) // the data say what they are
	}
	for {
		line, err := in.next()
		if errors.Is(err, io.EOF) {
			return dispatch() // some servers end without the empty line
		}
		if err != nil {
			return err
		}
		if first {
			line, first = bytes.TrimPrefix(line, []byte("\ufeff")), false
		}
		if len(line) == 0 {
			if err := dispatch(); err != nil {
				return err
			}
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		if string(field) != "data" {
			continue
		}
		value = bytes.TrimPrefix(value, []byte(" "))
		if len(data)+len(value) > limit {
			return bad("an event of the answer is longer than %d bytes", limit)
		}
		if data == nil {
			data = make([]byte, 0, len(value))
		} else {
			data = append(data, '\n')
		}
		data = append(data, value...)
	}
}

// jsonLines is the framing of one JSON text per line.
func jsonLines(r io.Reader, limit int, on func(name string, data []byte) error) error {
	in := newLines(r, limit)
	for {
		line, err := in.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case len(line) == 0:
			continue
		}
		if err := on("", bytes.Clone(line)); err != nil {
			return err
		}
	}
}

// exception is the name that an event of the event stream gets when the service
// reports a fault in it.
const exception = "exception"

// amazonEvents is the framing of application/vnd.amazon.eventstream. The name of
// a fault goes along as the member "type" of its data. The library knows limits
// of its own: 16 MiB a message.
func amazonEvents(r io.Reader, limit int, on func(name string, data []byte) error) error {
	in := bufio.NewReaderSize(r, 32<<10)
	decoder := eventstream.NewDecoder()
	for {
		if _, err := in.Peek(1); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		failing := &failing{r: in}
		m, err := decoder.Decode(failing, nil)
		switch {
		case failing.err != nil && !errors.Is(failing.err, io.EOF):
			return failing.err
		case err != nil:
			return bad("an event of the answer is torn or damaged: %s", err)
		case len(m.Payload) > limit:
			return bad("an event of the answer is longer than %d bytes", limit)
		}
		if err := onAmazonEvent(&m, on); err != nil {
			return err
		}
	}
}

func onAmazonEvent(m *eventstream.Message, on func(name string, data []byte) error) error {
	header := func(name string) string {
		if v, ok := m.Headers.Get(name).(eventstream.StringValue); ok {
			return string(v)
		}
		return ""
	}
	switch header(":message-type") {
	case "event":
		return on(header(":event-type"), m.Payload)
	case "exception":
		o := jsonline.ParseObject(m.Payload).With("type", jsonline.Text(header(":exception-type")))
		return on(exception, o.AppendTo(nil))
	case "error":
		o := jsonline.Object{}.With("type", jsonline.Text(header(":error-code"))).With("message", jsonline.Text(header(":error-message")))
		return on(exception, o.AppendTo(nil))
	}
	return bad("the answer has an event of no known type")
}

// failing remembers the error of a reader, which the library wraps.
type failing struct {
	r   io.Reader
	err error
}

func (f *failing) Read(p []byte) (int, error) {
	n, err := f.r.Read(p)
	if err != nil {
		f.err = err
	}
	return n, err
}
