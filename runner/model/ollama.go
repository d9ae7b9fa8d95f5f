package model

import (
	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

var ollamaStops = map[string]string{"stop": Stop, "length": Length, "tool_calls": ToolUse, "load": "", "unload": ""}

// ollama decodes the lines of Ollama's own API.
type ollama struct{ *turn }

func decodeOllama(t *turn) decoder {
	o := &ollama{t}
	return o.event
}

func (l *ollama) event(_ string, data []byte) error {
	o, err := object(data)
	if err != nil {
		return err
	}
	if o.Has("error") {
		return faultIn(data)
	}
	l.model = o.Get("model").String()
	m := o.Get("message").Object()
	if v := m.Get("thinking"); v.IsString() && len(v.Raw) > 2 {
		l.grow(l.at(transcript.TypeThinking), v)
	}
	if v := m.Get("content"); v.IsString() && len(v.Raw) > 2 {
		l.grow(l.at(transcript.TypeText), v)
	}
	for call := range m.Get("tool_calls").Elements() {
		c := call.Object()
		f := c.Get("function").Object()
		if _, err := l.wholeTool(c.Get("id").String(), f.Get("name").String(), f.Get("arguments")); err != nil {
			return err
		}
	}
	if !o.Get("done").Bool() {
		return nil
	}
	reason := "stop"
	if v := o.Get("done_reason"); v.IsString() && len(v.Raw) > 2 {
		reason = v.String() // older servers say nothing
	}
	l.ended(reason, ollamaStops)
	l.counts(o)
	return errDone
}

func (l *ollama) counts(o jsonline.Object) {
	count(&l.usage.Input, o.Get("prompt_eval_count"))
	count(&l.usage.Output, o.Get("eval_count"))
	l.used()
}
