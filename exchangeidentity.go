package hygeia

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/payload"
)

// identified reports whether requests to an API go out under an identity (W-231).
func (o *ReplayOptions) identified(api string) bool {
	return o.Payload.Identity != nil && api == "anthropic-messages"
}

// identify gives a request the headers of access by token (W-231). The answer must
// not come packed, since names in it are mapped back.
func identify(h http.Header) {
	betas := strings.Split(payload.AccessBetas, ",")
	for _, list := range h.Values("Anthropic-Beta") {
		for beta := range strings.SplitSeq(list, ",") {
			if beta = strings.TrimSpace(beta); beta != "" && !slices.Contains(betas, beta) {
				betas = append(betas, beta)
			}
		}
	}
	h.Set("Anthropic-Beta", strings.Join(betas, ","))
	h.Set("X-App", "cli")
	h.Set("Accept-Encoding", "identity")
}

// named notes under which names tools go out in a request.
func (x *exchange) named(s *Sanitized) {
	if x.t.Replay.identified(s.Target.API) {
		x.toolName = s.ToolName
	}
}

// errPacked says that an answer came packed although that was not asked for.
var errPacked = errors.New("the answer came packed, so that the names of tools in it cannot be mapped back")

// rename maps the names of tools in an answer back, if they went out as others
// (W-231).
func (x *exchange) rename(answer *http.Response) error {
	if x.toolName == nil || answer.StatusCode != http.StatusOK {
		return nil
	}
	if packed := answer.Header.Get("Content-Encoding"); packed != "" && packed != "identity" {
		answer.Body.Close()
		return errPacked
	}
	switch kind, _, _ := mime.ParseMediaType(answer.Header.Get("Content-Type")); kind {
	case "text/event-stream":
		answer.Body = &renaming{Closer: answer.Body, in: bufio.NewReaderSize(answer.Body, longestEvent), name: x.toolName}
		answer.ContentLength = -1
		answer.Header.Del("Content-Length")
	case "application/json":
		defer answer.Body.Close()
		body, err := readAll(answer.Body, answer.ContentLength, defaultMaxBody)
		if err != nil {
			return err
		}
		body = renamedAnswer(body, x.toolName)
		answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		answer.Header.Set("Content-Length", strconv.Itoa(len(body)))
	}
	return nil
}

// longestEvent is how many bytes the start of a call in a stream may have. Its
// arguments come later.
const longestEvent = 64 << 10

// renaming is a stream of events in which calls get the names that the caller
// knows.
type renaming struct {
	io.Closer
	in   *bufio.Reader
	name func(wire string) string
	out  []byte
	tail bool // the next bytes belong to a line that has begun
	err  error
}

// Read reads at most one line.
func (r *renaming) Read(p []byte) (int, error) {
	if len(r.out) == 0 && r.err == nil {
		line, err := r.in.ReadSlice('\n')
		cut := errors.Is(err, bufio.ErrBufferFull)
		if !r.tail && !cut {
			line = renamedEvent(line, r.name)
		}
		if r.out, r.tail = line, cut; !cut {
			r.err = err
		}
	}
	n := copy(p, r.out)
	if r.out = r.out[n:]; len(r.out) == 0 {
		return n, r.err
	}
	return n, nil
}

// renamedEvent maps the name back in a line that begins a call.
func renamedEvent(line []byte, name func(string) string) []byte {
	data, is := bytes.CutPrefix(line, []byte("data:"))
	if !is || !bytes.Contains(data, []byte(`"tool_use"`)) {
		return line
	}
	event := jsonline.ParseObject(bytes.TrimSpace(data))
	block, changed := renamedCall(event.Get("content_block"), name)
	if !changed {
		return line
	}
	end := line[len(bytes.TrimRight(line, "\r\n")):]
	return append(event.With("content_block", block).AppendTo([]byte("data: ")), end...)
}

// renamedAnswer maps the names back in an answer that comes in one piece.
func renamedAnswer(body []byte, name func(string) string) []byte {
	answer, list, any := jsonline.ParseObject(body), []byte{'['}, false
	for v := range answer.Get("content").Elements() {
		block, changed := renamedCall(v, name)
		any = any || changed
		if len(list) > 1 {
			list = append(list, ',')
		}
		list = append(list, block.Raw...)
	}
	if !any {
		return body
	}
	return answer.With("content", jsonline.Value{Raw: append(list, ']'), Kind: jsonline.Array}).AppendTo(nil)
}

func renamedCall(v jsonline.Value, name func(string) string) (jsonline.Value, bool) {
	o := v.Object()
	wire := o.Get("name").String()
	if own := name(wire); o.Get("type").String() == "tool_use" && own != wire {
		return o.With("name", jsonline.Text(own)).Value(), true
	}
	return v, false
}
