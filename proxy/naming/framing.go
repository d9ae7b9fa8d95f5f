package naming

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/binary"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"

	"hygeia/internal/jsonline"
)

// framing is how answers of a media type are cut into pieces, and how names are
// mapped back in one. The pieces together are the answer.
type framing func(*mapping) (split bufio.SplitFunc, rename func(piece []byte) []byte)

// framings are those by media type; all other answers are JSON texts.
var framings = map[string]framing{
	"text/event-stream": func(m *mapping) (bufio.SplitFunc, func([]byte) []byte) { return (&events{}).split, m.event },
	"application/vnd.amazon.eventstream": func(m *mapping) (bufio.SplitFunc, func([]byte) []byte) {
		return splitMessages, m.message
	},
}

// jsonTexts is the framing of an answer in one piece, of one object per line, and
// of a list to which objects are added.
func jsonTexts(m *mapping) (bufio.SplitFunc, func([]byte) []byte) {
	return (&objects{}).split, m.object
}

// objects cuts JSON texts into the outermost objects and what stands between them.
type objects struct {
	at      int // bytes of the piece that were looked at
	depth   int // of the object that is open
	text    bool
	escaped bool
}

func (o *objects) split(data []byte, atEOF bool) (int, []byte, error) {
	for o.at < len(data) {
		c := data[o.at]
		if o.depth == 0 && c == '{' && o.at > 0 {
			break // what stands in front of the object is a piece
		}
		o.at++
		if o.step(c) {
			return o.cut(data)
		}
	}
	if o.at > 0 && (o.depth == 0 || atEOF) {
		return o.cut(data)
	}
	return 0, nil, nil
}

// step takes a byte and reports whether it ends an object.
func (o *objects) step(c byte) bool {
	switch {
	case o.escaped:
		o.escaped = false
	case o.text:
		o.escaped, o.text = c == '\\', c != '"'
	case o.depth == 0:
		if c == '{' {
			o.depth = 1
		}
	case c == '"':
		o.text = true
	case c == '{', c == '[':
		o.depth++
	case c == '}', c == ']':
		o.depth--
		return o.depth == 0
	}
	return false
}

func (o *objects) cut(data []byte) (int, []byte, error) {
	n := o.at
	o.at = 0
	return n, data[:n], nil
}

var dataField = []byte("data:")

// events cuts a stream of events into lines; from the first data of an event on they
// stay together up to the empty line that ends it.
type events struct {
	at   int // bytes of the piece that were looked at
	line int // where its last line begins
	data bool
}

func (e *events) split(data []byte, atEOF bool) (int, []byte, error) {
	for {
		end := bytes.IndexByte(data[e.at:], '\n')
		if end < 0 {
			break
		}
		e.at += end + 1
		line := data[e.line:e.at]
		e.line, e.data = e.at, e.data || bytes.HasPrefix(line, dataField)
		if n := e.at; !e.data || len(bytes.TrimRight(line, "\r\n")) == 0 {
			*e = events{}
			return n, data[:n], nil
		}
	}
	e.at = len(data)
	if atEOF && len(data) > 0 {
		*e = events{}
		return len(data), data, nil
	}
	return 0, nil, nil
}

// leastMessage is the size of a message of the event stream without headers and
// payload.
const leastMessage = 16

// splitMessages cuts an event stream, whose messages begin with their size.
func splitMessages(data []byte, atEOF bool) (int, []byte, error) {
	size := len(data) // what is no message goes on as it is
	if len(data) >= 4 {
		if n := int(binary.BigEndian.Uint32(data)); n >= leastMessage {
			size = n
		}
	} else if !atEOF {
		return 0, nil, nil
	}
	if size > len(data) {
		if !atEOF {
			return 0, nil, nil
		}
		size = len(data)
	}
	if size == 0 {
		return 0, nil, nil
	}
	return size, data[:size], nil
}

// message maps the names in a message of an event stream back, which gets new check
// sums then.
func (m *mapping) message(piece []byte) []byte {
	msg, err := eventstream.NewDecoder().Decode(bytes.NewReader(piece), nil)
	if err != nil {
		return piece
	}
	payload := m.payload(msg.Payload)
	if bytes.Equal(payload, msg.Payload) {
		return piece
	}
	msg.Payload = payload
	var out bytes.Buffer
	if eventstream.NewEncoder().Encode(&out, msg) != nil {
		return piece
	}
	return out.Bytes()
}

// payload maps the names in the payload of a message back: an event of Converse, or
// one of the model's own API in base64.
func (m *mapping) payload(text []byte) []byte {
	o := jsonline.ParseObject(text)
	inner, err := base64.StdEncoding.DecodeString(o.Get("bytes").String())
	if err != nil || len(inner) == 0 {
		return m.object(text)
	}
	named := m.object(inner)
	if bytes.Equal(named, inner) {
		return text
	}
	return o.With("bytes", jsonline.Text(base64.StdEncoding.EncodeToString(named))).AppendTo(nil)
}
