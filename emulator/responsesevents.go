package emulator

// responsesStream collects the events of a response and numbers them.
type responsesStream struct {
	c      *call
	events []event
}

func (s *responsesStream) add(name string, members ...any) {
	s.events = append(s.events, event{name, append(object{"type", name, "sequence_number", len(s.events)}, members...)})
}

func responsesEvents(c *call, r *reply) []event {
	s := &responsesStream{c: c}
	s.add("response.created", "response", responsesObject(c, r, false))
	s.add("response.in_progress", "response", responsesObject(c, r, false))
	for i := range r.parts {
		p := &r.parts[i]
		s.add("response.output_item.added", "output_index", i, "item", c.responsesItem(p, false, c.encrypts()))
		switch p.kind {
		case thinking:
			s.summary(i, p)
		case toolCall:
			for _, d := range cut(p.text) {
				s.add("response.function_call_arguments.delta", "item_id", p.itemID, "output_index", i, "delta", d)
			}
			s.add("response.function_call_arguments.done", "item_id", p.itemID, "output_index", i, "arguments", p.text)
		case text:
			s.text(i, p)
		}
		s.add("response.output_item.done", "output_index", i, "item", c.responsesItem(p, true, c.encrypts()))
	}
	whole := responsesObject(c, r, true)
	end := "response.completed"
	if r.stop == "length" || r.stop == "refusal" {
		end = "response.incomplete"
	}
	s.add(end, "response", whole)
	return s.events
}

func (s *responsesStream) summary(i int, p *said) {
	at := []any{"item_id", p.itemID, "output_index", i, "summary_index", 0}
	s.add("response.reasoning_summary_part.added", append(at, "part", summaryText(""))...)
	for _, d := range cut(p.text) {
		s.add("response.reasoning_summary_text.delta", append(at, "delta", d)...)
	}
	s.add("response.reasoning_summary_text.done", append(at, "text", p.text)...)
	s.add("response.reasoning_summary_part.done", append(at, "part", summaryText(p.text))...)
}

func (s *responsesStream) text(i int, p *said) {
	at := []any{"item_id", p.itemID, "output_index", i, "content_index", 0}
	s.add("response.content_part.added", append(at, "part", outputText(""))...)
	for _, d := range cut(p.text) {
		s.add("response.output_text.delta", append(at, "delta", d, "logprobs", list{})...)
	}
	s.add("response.output_text.done", append(at, "text", p.text, "logprobs", list{})...)
	s.add("response.content_part.done", append(at, "part", outputText(p.text))...)
}
