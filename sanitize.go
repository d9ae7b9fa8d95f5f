package hygeia

import (
	"bytes"

	"hygeia/check"
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/policy"
)

// Sanitized is the body of a request made ready for its provider.
type Sanitized struct {
	// Body is what goes out: the body that came in, the same slice, where nothing
	// had to change.
	Body []byte
	// Target is where it goes, as the policy knows it.
	Target Target
	// Findings are those of the rulebook in the body that came in.
	Findings []Finding
	// Report lists the changes. It is nil where the engine did not run, since the
	// rulebook finds nothing (D-39).
	Report *hygiene.Report

	names map[string]string // of tools by those under which they go out, nil for none
}

// ToolName is that of the [Replay] that the body is.
func (s *Sanitized) ToolName(wire string) string {
	if own, ok := s.names[wire]; ok {
		return own
	}
	return wire
}

// Changed reports whether the body that goes out is another one.
func (s *Sanitized) Changed() bool { return s.Report != nil && !s.Report.Empty() }

// SanitizeOptions is what [SanitizeBody] does not read from the body.
type SanitizeOptions struct {
	// Replay holds the user's profiles and limits on pictures.
	Replay ReplayOptions
	// Count says that the body asks for tokens to be counted: it has no output
	// limit and gets none.
	Count bool
	// Remedy is what the provider answered to this body before; the engine runs
	// whatever the rulebook finds. Nil: nothing was answered.
	Remedy *Remedy
}

// SanitizeBody makes the body of a request acceptable for the target, whose API
// is the format of the body. The engine runs only on a body in which the rulebook
// finds something; any other is returned as it is (D-39), unless it has to go out
// under an identity (W-231). The error says why a body cannot be read, or that
// nothing is left of it to send.
func SanitizeBody(body []byte, target Target, o SanitizeOptions) (*Sanitized, error) {
	res, err := policy.Resolve(target, o.Replay.Policy)
	if err != nil {
		return nil, err
	}
	return sanitizeBody(body, res, o)
}

// countRules are rules that hold only for an answer.
var countRules = map[string]bool{"AN-21": false, "AN-24": false}

func sanitizeBody(body []byte, res *policy.Resolution, o SanitizeOptions) (*Sanitized, error) {
	s := &Sanitized{Body: body, Target: res.Target}
	var rules map[string]bool
	if o.Count {
		rules = countRules
	}
	var err error
	if s.Findings, err = check.Payload(body, res.Target, check.Options{Rules: rules}); err != nil {
		return nil, err
	}
	if o.Remedy == nil && !o.Replay.identified(res.Target.API) && !asks(s.Findings, res.Policy) {
		return s, nil
	}
	limited := o.Count && res.Target.API == "anthropic-messages"
	in := body
	if limited {
		in = jsonline.ParseObject(body).With("max_tokens", countLimit).AppendTo(nil)
	}
	t, err := Read(bytes.NewReader(in), "request", OpenOptions{Format: FormatRequest(res.Target.API)})
	if err != nil {
		return nil, err
	}
	if o.Remedy != nil {
		o.Replay.Revise = o.Remedy.Revise
		if o.Remedy.Thinking {
			t.rejectThinking()
		}
	}
	r, err := t.Replay(res.Target, o.Replay)
	if err != nil {
		return nil, err
	}
	s.Report = r.Report
	if !s.Changed() {
		return s, nil
	}
	s.Body, s.names = r.Body, r.names.Originals()
	if limited {
		s.Body = jsonline.ParseObject(s.Body).Without("max_tokens").AppendTo(nil)
	}
	return s, nil
}

// rejectThinking says that the provider refused the thinking of all turns
// . The messages of a request have no positions of their own.
func (t *Transcript) rejectThinking() {
	for i, m := range t.Context.Messages {
		m.Origin.Position = i
	}
	t.Context.RejectedThinking = len(t.Context.Messages)
}

// countLimit stands in for the output limit while the engine works on a body
// that has none because only tokens are counted.
var countLimit = jsonline.Value{Raw: []byte("1024"), Kind: jsonline.Number}

// keyRules are rules on members that nobody knows. Lists of keys age, so these
// alone are no reason to change a body, unless a profile says that the target
// takes no others (D-39).
var keyRules = map[string]bool{"AN-35": true, "MI-08": true, "AZ-03": true, "CA-04": true}

// asks reports whether findings ask for the engine.
func asks(findings []Finding, p *policy.Policy) bool {
	for i := range findings {
		if !keyRules[findings[i].Rule] || p.Wire.StrictKeys {
			return true
		}
	}
	return false
}
