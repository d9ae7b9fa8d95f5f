package hygeia

import (
	"hygeia/internal/jsonline"
)

// sanitize runs the engine on the request in a body.
func (x *exchange) sanitize(body []byte, remedy *Remedy) (*Sanitized, error) {
	request := x.endpoint.Request(body)
	res, err := x.t.memo.resolve(x.target(request), x.t.Replay.Policy)
	if err != nil {
		return nil, err
	}
	x.Target, x.Count = res.Target, x.endpoint.Count
	fresh := remedy == nil && !x.Count && len(request) >= minPrefix && !x.t.Replay.identified(res.Target.API)
	var own owner
	if fresh {
		own = owner{callerOf(x.in), res.Target}
		if s := x.t.memo.recall(own, request, res, x.t.Replay); s != nil {
			return s, nil
		}
	}
	s, err := sanitizeBody(request, res, SanitizeOptions{Replay: x.t.Replay, Count: x.endpoint.Count, Remedy: remedy})
	if err != nil {
		return nil, err
	}
	if fresh && (s.Changed() || len(s.Findings) == 0) {
		made := *s
		x.learn = func() { x.t.memo.learn(own, request, &made) }
	}
	if s.Changed() {
		s.Body = x.endpoint.Wrap(body, s.Body)
	}
	return s, nil
}

// target returns where a request goes.
func (x *exchange) target(request []byte) Target {
	t := Target{Provider: x.endpoint.Provider, API: x.endpoint.API, Model: x.t.To.Model}
	if t.Model == "" {
		t.Model = x.endpoint.Model
	}
	if t.Model == "" {
		t.Model = modelOf(request)
	}
	return t
}

// headSize is how many bytes at the front of a body are searched for its model
// before all of it is.
const headSize = 2048

// modelOf returns the model that a request names.
func modelOf(request []byte) string {
	var s jsonline.Scanner
	head := request[:min(headSize, len(request))]
	_, _ = s.Scan(head, jsonline.Options{Depth: 1, InvalidUTF8: true}) // cut off in the middle
	for i := 1; i < len(s.Nodes); i++ {
		if n := s.Nodes[i]; n.Kind == jsonline.String && string(head[n.NameStart:n.NameEnd]) == "model" {
			return s.Value(i, head).String()
		}
	}
	return jsonline.ParseObject(request).Get("model").String()
}
