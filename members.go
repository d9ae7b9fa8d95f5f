package hygeia

import (
	"fmt"

	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/payload"
	"hygeia/transcript"
	"hygeia/wire"
)

// reportMembers records which members of a request did not go out, of those that
// no converter writes itself (G-4, W-124): an element that a rule changes is
// written anew, and not every place in it can keep what nobody knows. tools says
// that the tools are those of the request.
func (r *Replay) reportMembers(req *wire.Request, stage string, tools bool) {
	sent := strays{}
	sent.read(r.Body, tools, func(_ int, s stray) { sent[s]++ })
	left := make([]bool, len(req.Messages)) // left out whole
	for i := range r.Report.Changes {
		switch c := &r.Report.Changes[i]; before := c.Before.(type) {
		case *transcript.Message:
			if c.Op == hygiene.Drop && c.Message >= 0 && c.Message < len(left) {
				left[c.Message] = true
			}
		case *transcript.Block:
			if c.Op == hygiene.Drop {
				sent.note(before.AppendJSON(nil))
			}
		case string: // of a parameter, NAME:VALUE
			sent.note([]byte("{" + before + "}"))
		}
	}
	log := payload.Log{Stage: stage, Report: r.Report}
	at, whole := -1, false // the element that was looked at last, and whether it was left out
	strays{}.read(req.Body.AppendTo(nil), tools, func(element int, s stray) {
		if sent[s]--; sent[s] >= 0 {
			return
		}
		m := transcript.New(transcript.User)
		if element >= 0 && element < len(req.Turns) {
			turn := &req.Turns[element]
			if turn.From < turn.To {
				m = req.Messages[turn.From]
			}
			if at != element {
				at, whole = element, gone(left[turn.From:turn.To])
			}
			if whole {
				return
			}
		}
		before := string(jsonline.Quote(s.name)) + ":" + s.value
		log.Report.Record(stage, hygiene.Drop, m, -1, before, nil, hygiene.Edit{
			Rule: "W-124", Reason: fmt.Sprintf("member %q has no place in what goes out", s.name), Lossy: true,
		})
	})
}

// gone reports whether all that became of an element was left out.
func gone(left []bool) bool {
	for _, out := range left {
		if !out {
			return false
		}
	}
	return len(left) > 0
}

// stray is a member that no converter writes itself.
type stray struct{ name, value string }

// strays counts such members.
type strays map[stray]int

// elements are the members of a body that hold messages or tools; the values of
// those that are false hold others.
var elements = map[string]bool{"messages": true, "contents": true, "input": true, "tools": true, "request": false, "toolConfig": false}

// wireNames are members that converters write, in any format.
var wireNames = nameSet(
	"role", "content", "parts", "text", "type", "id", "name", "function", "functionCall", "functionResponse", "function_call", "function_response",
	"toolUse", "toolResult", "toolUseId", "tool_calls", "tool_call_id", "tool_use_id", "tool_name", "call_id", "is_error", "status", "output",
	"thinking", "signature", "thought", "thoughtSignature", "thought_signature", "reasoning", "reasoning_content", "reasoning_text",
	"reasoning_details", "reasoningContent", "reasoningText", "redactedContent", "summary", "encrypted_content", "annotations", "phase",
	"data", "source", "media_type", "mimeType", "mime_type", "bytes", "format", "image", "images", "image_url", "url", "inlineData", "inline_data",
	"cache_control", "cachePoint", "extra_content", "google", "functionDeclarations", "toolSpec", "custom",
)

// callers are members whose values are the caller's own.
var callers = nameSet("arguments", "input", "args", "response", "json", "parameters", "parametersJsonSchema", "input_schema", "inputSchema")

func nameSet(names ...string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// memberDepth is how deep messages and tools are looked into.
const memberDepth = 12

// read calls f for each stray member of the messages and tools of a body, with
// the index of the message, -1 for a tool.
func (s strays) read(body []byte, tools bool, f func(element int, s stray)) {
	var scan jsonline.Scanner
	if scan.ScanAll(body, jsonline.Options{Depth: memberDepth, InvalidUTF8: true}) == nil {
		w := walk{&scan, body, f}
		w.body(0, tools)
	}
}

// note counts the stray members of a value.
func (s strays) note(text []byte) {
	var scan jsonline.Scanner
	if scan.ScanAll(text, jsonline.Options{Depth: memberDepth, InvalidUTF8: true}) == nil {
		w := walk{&scan, text, func(_ int, one stray) { s[one]++ }}
		w.value(0, -1)
	}
}

// walk goes through a scanned text.
type walk struct {
	scan *jsonline.Scanner
	text []byte
	f    func(element int, s stray)
}

// members calls f for the members of an object, or the elements of a list.
func (w *walk) members(i uint32, f func(j uint32, name string)) {
	for j := i + 1; j < w.scan.Nodes[i].Next; j = w.scan.Nodes[j].Next {
		n := &w.scan.Nodes[j]
		f(j, string(w.text[n.NameStart:n.NameEnd]))
	}
}

func (w *walk) body(i uint32, tools bool) {
	w.members(i, func(j uint32, name string) {
		switch list, known := elements[name]; {
		case known && !list:
			w.body(j, tools)
		case known && (tools || name != "tools"):
			element := -1
			w.members(j, func(k uint32, _ string) {
				if name != "tools" {
					element++
				}
				w.value(k, element)
			})
		}
	})
}

func (w *walk) value(i uint32, element int) {
	n := &w.scan.Nodes[i]
	if n.Kind != jsonline.ObjectKind && n.Kind != jsonline.Array {
		return
	}
	w.members(i, func(j uint32, name string) {
		m := &w.scan.Nodes[j]
		switch {
		case n.Kind == jsonline.Array, wireNames[name]:
			w.value(j, element)
		case callers[name], m.Kind == jsonline.Null:
		default:
			w.f(element, stray{name, string(w.text[m.Start:m.End])})
		}
	})
}
