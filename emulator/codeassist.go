package emulator

import "github.com/go-json-experiment/json/jsontext"

// codeAssistFormat is Gemini's in the envelope of Cloud Code Assist (W-631).
var codeAssistFormat = format{
	callPrefix: "call_",
	unwrap:     unwrapCodeAssist,
	read:       readGemini,
	verify:     (*call).verifyGemini,
	finish:     (*call).signGemini,
	plain:      func(c *call, r *reply) any { return codeAssistAnswer(r, geminiFormat.plain(c, r)) },
	events: func(c *call, r *reply) []event {
		events := geminiEvents(c, r)
		for i := range events {
			events[i].data = codeAssistAnswer(r, events[i].data)
		}
		return events
	},
	frame:   geminiFormat.frame,
	failed:  geminiFormat.failed,
	counted: geminiFormat.counted,
}

func codeAssistAnswer(r *reply, answer any) object {
	return object{"response", answer, "traceId", r.id}
}

// unwrapCodeAssist finds the request in its envelope. One whose tokens are to be
// counted names the model inside.
func unwrapCodeAssist(c *call) []byte {
	envelope := c.root
	c.root = envelope.Get("request").Object()
	if c.route.mode != count {
		return c.body
	}
	c.root = c.root.Without("model")
	return encode(object{"model", c.target.Model, "request", jsontext.Value(c.root.AppendTo(nil))})
}
