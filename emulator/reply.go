package emulator

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// reply is an answer with all that the emulator adds to it.
type reply struct {
	id    string // letters for the id of the answer
	turn  [8]byte
	parts []said
	stop  string
	usage counts
}

// said is a part of an answer.
type said struct {
	kind   string // text, thinking, redacted or toolCall
	text   string // of a call its arguments
	name   string
	id     string // of a call
	seal   string // signature, encrypted content or thought signature
	itemID string // of the Responses API
}

// counts is how many tokens a request took.
type counts struct{ input, output, thinking, cacheRead, cacheWrite int }

// respond sends the answer to a request that was accepted.
func (c *call) respond() {
	a := c.answer()
	for name, value := range a.Header {
		c.w.Header().Set(name, value)
	}
	if !c.wait(a.Delay) {
		return
	}
	if err := a.valid(); err != nil {
		c.refuse(&refusal{status: http.StatusInternalServerError, message: "the answer of the emulator is not valid: " + err.Error()})
		return
	}
	if a.Status != 0 {
		c.scriptedError(a)
		return
	}
	r := c.reply(a)
	if c.format.finish != nil {
		c.format.finish(c, r)
	}
	if c.route.mode == stream {
		c.stream(a, c.format.events(c, r))
		return
	}
	body := encode(c.format.plain(c, r))
	c.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	c.begin(http.StatusOK, "application/json")
	if a.Abort != nil {
		_, _ = c.w.Write(body[:len(body)/2])
		_ = http.NewResponseController(c.w).Flush()
		c.hangUp()
	}
	_, _ = c.w.Write(body)
}

func (c *call) scriptedError(a *Answer) {
	if a.Body != nil {
		c.write(a.Status, a.Body)
		return
	}
	text := a.Error
	if text == "" {
		text = http.StatusText(a.Status)
	}
	c.refuse(&refusal{status: a.Status, message: text})
}

// answer asks the responder, and echoes without one.
func (c *call) answer() *Answer {
	if c.e.o.Respond != nil {
		c.seen.Target, c.seen.Body = c.target, c.body
		if a := c.e.o.Respond(&c.seen); a != nil {
			return a
		}
	}
	return c.echo()
}

// maxEcho is the longest text that is echoed, in bytes.
const maxEcho = 4 << 10

// echo repeats the prompt, behind thinking if the request asks for that.
func (c *call) echo() *Answer {
	said := strings.TrimSpace(c.prompt())
	if said == "" {
		said = "There is no text in the request."
	}
	if len(said) > maxEcho {
		said = strings.ToValidUTF8(said[:maxEcho], "")
	}
	a := &Answer{Content: []Part{{Text: said}}}
	if c.thinks {
		a.Content = []Part{{Thinking: "The user wants to hear what was said."}, a.Content[0]}
	}
	return a
}

// reply completes an answer.
func (c *call) reply(a *Answer) *reply {
	r := &reply{stop: a.Stop}
	n := c.calls()
	before := c.prefix().sum()
	parts := []string{c.target.Model, string(before[:])}
	for _, p := range a.Content {
		parts = append(parts, p.Text, p.Thinking, p.Hidden, p.Call, string(p.Arguments))
	}
	r.turn = digest8(parts...)
	turn := hex.EncodeToString(r.turn[:])
	r.id = letters(22, turn)
	stop := "stop"
	for i, p := range a.Content {
		s := said{kind: text, text: p.Text}
		switch {
		case p.Thinking != "":
			s.kind, s.text = thinking, p.Thinking
		case p.Hidden != "":
			s.kind, s.text = redacted, p.Hidden
		case p.Call != "":
			s = said{kind: toolCall, name: p.Call, text: argumentsText(p.Arguments), id: p.ID}
			if s.id == "" {
				s.id = c.callID(p.Call, n, letters(22, turn, "call", string(rune(i))))
			}
			stop = "toolUse"
			n++
		}
		r.parts = append(r.parts, s)
	}
	if r.stop == "" {
		r.stop = stop
	}
	r.usage = c.count(a, r)
	return r
}

// callID returns the id of the n-th call of a conversation in the provider's
// form.
func (c *call) callID(name string, n int, letters string) string {
	model := c.target.Model[strings.LastIndexByte(c.target.Model, '/')+1:]
	switch {
	case c.target.Provider == "moonshot":
		return fmt.Sprintf("functions.%s:%d", name, n)
	case owner(model) == "mistral":
		return letters[:9] // MI-01
	}
	return c.format.callPrefix + letters
}

func argumentsText(v jsontext.Value) string {
	if v == nil {
		return "{}"
	}
	text := v.Clone()
	if text.Compact() != nil {
		return string(v)
	}
	return string(text)
}

// count estimates the tokens that an answer does not state.
func (c *call) count(a *Answer, r *reply) counts {
	n := counts{input: c.tokens()}
	for _, p := range r.parts {
		n.output += 1 + tokens(len(p.text)+len(p.name))
		if p.kind == thinking || p.kind == redacted {
			n.thinking += 1 + tokens(len(p.text))
		}
	}
	for _, m := range []struct {
		from *int
		to   *int
	}{{a.Usage.Input, &n.input}, {a.Usage.Output, &n.output}, {a.Usage.CacheRead, &n.cacheRead}, {a.Usage.CacheWrite, &n.cacheWrite}} {
		if m.from != nil {
			*m.to = *m.from
		}
	}
	n.thinking = min(n.thinking, n.output)
	return n
}

// wait lets time pass and reports whether the client is still there.
func (c *call) wait(d time.Duration) bool {
	if d <= 0 {
		return c.r.Context().Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-c.r.Context().Done():
		return false
	}
}

// stopWord returns the provider's word for why an answer ended; a word that is
// none of ours is the provider's own.
func (r *reply) stopWord(words map[string]string) string {
	if w, ok := words[r.stop]; ok {
		return w
	}
	return r.stop
}

// has reports whether the answer has a part of that kind.
func (r *reply) has(kind string) bool {
	for i := range r.parts {
		if r.parts[i].kind == kind {
			return true
		}
	}
	return false
}

// join returns the texts of all parts of a kind.
func (r *reply) join(kind string) string {
	var b strings.Builder
	for i := range r.parts {
		if r.parts[i].kind == kind {
			b.WriteString(r.parts[i].text)
		}
	}
	return b.String()
}
