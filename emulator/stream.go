package emulator

import (
	"bytes"
	"net/http"
	"strings"
)

// event is one event of a streamed answer.
type event struct {
	name string // "" where the format has no names
	data any    // JSON; a text goes out as it stands
}

// framing is how events are put on the wire.
type framing struct {
	contentType string
	// frame writes event i.
	frame func(i int, e event) []byte
	end   string
}

func (e event) json() []byte {
	if s, ok := e.data.(string); ok {
		return []byte(s)
	}
	return encode(e.data)
}

// The framings. Server-sent events have names in some APIs.
var (
	namedEvents = framing{contentType: "text/event-stream; charset=utf-8", frame: func(_ int, e event) []byte {
		return bytes.Join([][]byte{[]byte("event: "), []byte(e.name), []byte("\ndata: "), e.json(), []byte("\n\n")}, nil)
	}}
	dataEvents = framing{contentType: "text/event-stream; charset=utf-8", frame: func(_ int, e event) []byte {
		return bytes.Join([][]byte{[]byte("data: "), e.json(), []byte("\n\n")}, nil)
	}}
	jsonArray = framing{contentType: "application/json", end: "]", frame: func(i int, e event) []byte {
		if i == 0 {
			return append([]byte("["), e.json()...)
		}
		return append([]byte(",\n"), e.json()...)
	}}
	jsonLines = framing{contentType: "application/x-ndjson", frame: func(_ int, e event) []byte {
		return append(e.json(), '\n')
	}}
	eventStream = framing{contentType: "application/vnd.amazon.eventstream", frame: func(_ int, e event) []byte {
		kind := "event"
		if strings.HasSuffix(e.name, "Exception") {
			kind = "exception"
		}
		return eventStreamMessage([]header{
			{":" + kind + "-type", e.name}, {":content-type", "application/json"}, {":message-type", kind},
		}, e.json())
	}}
)

// stream sends events, each behind its pace, and ends early where the answer
// says so.
func (c *call) stream(a *Answer, events []event) {
	f := c.format.frame(c)
	c.w.Header().Set("Cache-Control", "no-cache")
	c.begin(http.StatusOK, f.contentType)
	flush := http.NewResponseController(c.w)
	send := func(i int, e event) bool {
		_, err := c.w.Write(f.frame(i, e))
		return err == nil && flush.Flush() == nil
	}
	for i, e := range events {
		if a.Abort != nil && i >= a.Abort.After {
			break
		}
		if i > 0 && !c.wait(a.Pace) || !send(i, e) {
			return // the client is gone
		}
	}
	switch {
	case a.Abort == nil:
	case a.Abort.Error == "":
		_ = flush.Flush()
		c.hangUp()
	default:
		send(min(a.Abort.After, len(events)), c.format.failed(c, a.Abort.Error))
	}
	_, _ = c.w.Write([]byte(f.end))
}

// hangUp cuts the connection.
func (c *call) hangUp() { panic(http.ErrAbortHandler) }
