package emulator

import (
	"encoding/hex"
	"slices"
	"strings"

	"hygeia/internal/jsonline"
)

var responsesFormat = format{
	callPrefix: "call_",
	unwrap:     unwrapResponses,
	read:       readResponses,
	verify:     (*call).verifyResponses,
	finish:     (*call).finishResponses,
	plain:      func(c *call, r *reply) any { return responsesObject(c, r, true) },
	events:     responsesEvents,
	frame:      func(*call) *framing { return &namedEvents },
	failed: func(c *call, message string) event {
		return event{"error", object{"type", "error", "code", "server_error", "message", message, "param", nil}}
	},
	counted: func(n int) any { return object{"object", "response.input_tokens", "input_tokens", n} },
}

// created is when every answer is made: time stands still, so that equal requests
// have equal answers.
const created = 1767225600 // 2026-01-01

// unwrapResponses puts what the request refers to into its place.
func unwrapResponses(c *call) []byte {
	if id := c.root.Get("previous_response_id").String(); id != "" {
		c.previous, _ = c.e.store.response(id)
	}
	return c.body
}

func readResponses(c *call) {
	effort := under(c.root, "reasoning", "effort").String()
	c.thinks = effort != "" && effort != "none"
	c.extra = len(c.root.Get("instructions").Raw) + len(c.root.Get("tools").Raw)
	items := slices.Clone(c.previous)
	if input := c.root.Get("input"); input.IsString() {
		c.add(piece{role: user, kind: text, text: input.String()})
	} else {
		items = append(items, elements(input)...)
	}
	for i, v := range items {
		item := v.Object()
		role := item.Get("role").String()
		p := piece{role: assistant, kind: other, message: i}
		switch typ := item.Get("type").String(); {
		case typ == "reasoning":
			p.kind, p.seal = thinking, item.Get("encrypted_content").String()
			p.text = textOf(item.Get("summary"))
		case typ == "function_call":
			p.kind, p.id, p.name = toolCall, item.Get("call_id").String(), item.Get("name").String()
			p.text = arguments(item.Get("arguments"))
		case typ == "function_call_output":
			p.role, p.kind, p.id, p.text = user, result, item.Get("call_id").String(), textOf(item.Get("output"))
		case role != "":
			p.role, p.kind, p.text = role, text, textOf(item.Get("content"))
			if role == "developer" {
				p.role = system
			}
		default:
			p.text = canonical(v)
		}
		c.add(p)
	}
}

// stores reports whether the response is kept for later requests.
func (c *call) stores() bool { return c.root.Get("store").Kind != jsonline.False }

// responsesIssuer makes the encrypted content and ids of the service. Azure has
// one for each deployment (AZ-02).
func (c *call) responsesIssuer() issuer {
	vendor := "responses/" + c.target.Provider
	if c.target.Provider == "azure-openai" {
		vendor += "/" + strings.ToLower(c.target.Model)
	}
	return c.e.key(vendor)
}

// finishResponses gives the items of an answer their ids and encrypted content,
// and keeps them.
func (c *call) finishResponses(r *reply) {
	is := c.responsesIssuer()
	reasoning := -1
	for i := range r.parts {
		p := &r.parts[i]
		id := itemID{index: byte(i), turn: r.turn}
		if reasoning >= 0 {
			id.reasoned, id.reasoning = true, byte(reasoning)
		}
		switch p.kind {
		case thinking, redacted:
			reasoning = i
			p.itemID = is.itemID("rs", itemID{index: byte(i), turn: r.turn})
			p.seal = is.encrypted(&seal{kind: encryptedSeal, index: byte(i), turn: r.turn, text: digest16(p.text)})
		case toolCall:
			p.itemID = is.itemID("fc", id)
		default:
			p.itemID = is.itemID("msg", id)
		}
	}
	if c.stores() {
		c.e.store.put(c.responseID(r), c.items(r), len(c.body))
	}
}

func (c *call) responseID(r *reply) string {
	id := digest16(hex.EncodeToString(r.turn[:]))
	return "resp_" + hex.EncodeToString(id[:])
}

// items are those of the request and of its answer.
func (c *call) items(r *reply) []stored {
	items := slices.Clone(c.previous)
	if input := c.root.Get("input"); input.IsString() {
		items = append(items, jsonline.Parse(encode(object{"role", "user", "content", input.String()})))
	} else {
		items = append(items, elements(input)...)
	}
	for i := range r.parts {
		items = append(items, jsonline.Parse(encode(c.responsesItem(&r.parts[i], true, true))))
	}
	return items
}

// responsesItem is a part of an answer as an item of the output, empty as it
// stands at the beginning of a stream.
func (c *call) responsesItem(p *said, whole, encrypted bool) object {
	status := "in_progress"
	if whole {
		status = "completed"
	}
	switch p.kind {
	case thinking, redacted:
		summary := list{}
		if p.kind == thinking && whole {
			summary = list{summaryText(p.text)}
		}
		item := object{"id", p.itemID, "type", "reasoning", "summary", summary}
		if encrypted {
			item = append(item, "encrypted_content", p.seal)
		}
		return item
	case toolCall:
		arguments := ""
		if whole {
			arguments = p.text
		}
		return object{"id", p.itemID, "type", "function_call", "status", status, "arguments", arguments, "call_id", p.id, "name", p.name}
	}
	content := list{}
	if whole {
		content = list{outputText(p.text)}
	}
	return object{"id", p.itemID, "type", "message", "status", status, "content", content, "role", "assistant"}
}

func summaryText(s string) object { return object{"type", "summary_text", "text", s} }

func outputText(s string) object {
	return object{"type", "output_text", "annotations", list{}, "logprobs", list{}, "text", s}
}

// encrypts reports whether the answer holds encrypted content.
func (c *call) encrypts() bool {
	return slices.Contains(words(c.root.Get("include")), "reasoning.encrypted_content")
}

func responsesObject(c *call, r *reply, whole bool) object {
	status, output := "in_progress", list{}
	var incomplete, usage any
	if whole {
		status = "completed"
		for i := range r.parts {
			output = append(output, c.responsesItem(&r.parts[i], true, c.encrypts()))
		}
		switch r.stop {
		case "length":
			status, incomplete = "incomplete", object{"reason", "max_output_tokens"}
		case "refusal":
			status, incomplete = "incomplete", object{"reason", "content_filter"}
		}
		input := r.usage.input + r.usage.cacheRead
		usage = object{
			"input_tokens", input, "input_tokens_details",
			object{"cached_tokens", r.usage.cacheRead},
			"output_tokens", r.usage.output, "output_tokens_details",
			object{"reasoning_tokens", r.usage.thinking},
			"total_tokens", input + r.usage.output,
		}
	}
	effort := any(nil)
	if e := under(c.root, "reasoning", "effort"); e.IsString() {
		effort = e.String()
	}
	return object{
		"id", c.responseID(r), "object", "response", "created_at", created, "status", status, "error", nil,
		"incomplete_details", incomplete, "instructions", null(c.root.Get("instructions").String()), "model", c.target.Model,
		"output", output, "parallel_tool_calls", true,
		"previous_response_id", null(c.root.Get("previous_response_id").String()),
		"prompt_cache_key", null(c.root.Get("prompt_cache_key").String()),
		"reasoning",
		object{"effort", effort, "summary", nil},
		"store", c.stores(), "usage", usage, "metadata",
		object{},
	}
}
