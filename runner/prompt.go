package runner

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/internal/wrappers"
	"hygeia/transcript"
)

// Prompt is what one user turn is made of. The parts are kept apart from where
// they are made and are joined only for the request (X-B19): Body is stored, the
// others go out with this run and are gone afterwards.
type Prompt struct {
	// Body is what the user wrote. Blank: a runtime event, for which no user turn
	// is stored.
	Body string
	// Before and After stand around the body in the request.
	Before, After string
	// Hidden is context from the runtime, which goes to the end of the request
	//
	Hidden string
	// Pictures are stored with the body: blocks as [hygeia.Picture] makes them.
	Pictures []*transcript.Block
	// System is added to the system prompt of this run.
	System string
	// Key is the idempotencyKey of the turn. A prompt whose key the session has
	// already is not stored again: its run goes on, or its answer is returned
	// (F-44, S-B08).
	Key string
	// Origin is where the prompt comes from if its user did not write it here.
	Origin *Origin
}

// ErrNothing says that a prompt has nothing in it.
var ErrNothing = errors.New("the prompt is empty")

// event reports whether the prompt is a runtime event.
func (p *Prompt) event() bool { return strings.TrimSpace(p.Body) == "" && len(p.Pictures) == 0 }

// hidden returns the context from the runtime. That of an event is all there is
// of it.
func (p *Prompt) hidden() string {
	if p.event() {
		return paragraphs(p.Before, p.After, p.Hidden)
	}
	return p.Hidden
}

func (p *Prompt) valid() error {
	if p.event() && p.hidden() == "" {
		return ErrNothing
	}
	return nil
}

// stored returns the user turn as it is stored, and what was changed of the body:
// what would make it look like the work of a program is made harmless (X-B07,
// S-B02), and metadata in front of it that some caller left in goes (X-B18).
func (p *Prompt) stored() (m *transcript.Message, notes []string) {
	body, notes := p.body()
	if len(p.Pictures) == 0 {
		m = transcript.NewText(transcript.User, body)
	} else {
		var blocks []*transcript.Block
		if strings.TrimSpace(body) != "" {
			blocks = append(blocks, transcript.NewTextBlock(body))
		}
		blocks = append(blocks, p.Pictures...)
		m = transcript.New(transcript.User, blocks...)
	}
	if p.Origin != nil {
		m = m.With("provenance", p.Origin.value())
	}
	if p.Key != "" {
		m = m.With("idempotencyKey", jsonline.Text(p.Key))
	}
	if len(notes) > 0 {
		m = m.With("__openclaw", jsonline.Object{}.With("guardedInput", jsonline.Bool(true)).Value())
	}
	return m, notes
}

func (p *Prompt) body() (body string, notes []string) {
	body = p.Body
	change := func(rule, what, to string) {
		if to != body {
			notes, body = append(notes, fmt.Sprintf("%s: %s", rule, what)), to
		}
	}
	if p.Before != "" || p.After != "" || p.Hidden != "" {
		if rest := wrappers.StripUser(body); strings.TrimSpace(rest) != "" { // else there is nothing but what looks like it
			change("X-B18", "the body of the prompt held metadata, which was not stored", rest)
		}
	}
	change("X-B07", "lines of the prompt that look like the limits of a runtime block were escaped", wrappers.EscapeInternal(body))
	change("S-B02", "text of the prompt that looks like an inter-session marker was made harmless", disarmed(body))
	return body, notes
}

// disarmed keeps text from looking like a routed turn, in any spelling of the marker
// (S-11, S-B02).
func disarmed(text string) string {
	text = wrappers.Disarm(text)
	if wrappers.HasMarker(text) {
		text = strings.Replace(text, "[", `[\`, 1)
	}
	return text
}

// outgoing returns the turn as it goes out, with what stands around it.
func (p *Prompt) outgoing(m *transcript.Message) *transcript.Message {
	if p.event() || p.Before == "" && p.After == "" {
		return m
	}
	if m.ContentKind() != transcript.ListContent {
		return m.WithText(paragraphs(p.Before, m.Text().String(), p.After))
	}
	blocks := append([]*transcript.Block{}, m.Blocks()...)
	if len(blocks) > 0 && blocks[0].IsText() {
		blocks[0] = blocks[0].WithText(paragraphs(p.Before, blocks[0].Text(), p.After))
	} else {
		blocks = append([]*transcript.Block{transcript.NewTextBlock(paragraphs(p.Before, p.After))}, blocks...)
	}
	return m.WithBlocks(blocks)
}

// carrier returns the message that brings hidden context to the model, nil
// if there is none.
func (p *Prompt) carrier() *transcript.Message {
	hidden := p.hidden()
	if strings.TrimSpace(hidden) == "" {
		return nil
	}
	m := transcript.NewText(transcript.Custom, wrappers.RuntimeContext(hidden)).
		With("customType", jsonline.Text("openclaw.runtime-context")).
		With("display", jsonline.Bool(false)).
		With("details", jsonline.Object{}.With("source", jsonline.Text("openclaw-runtime-context")).
			With("runtimeContextCarrier", jsonline.Bool(true)).Value())
	return m.WithOrigin(transcript.Origin{Index: -1, Position: -1})
}

// eventType is the customType of the entry that stands for a runtime event.
const eventType = "hygeia.runtime-event"

// eventEntry returns the entry that stands in the session in the place of a user turn
// where a program asks: a turn for the model, and nothing that people are
// shown.
func eventEntry(p *Prompt) *transcript.Entry {
	e := transcript.NewEntry(transcript.EntryCustomMessage).
		With("customType", jsonline.Text(eventType)).
		With("content", jsonline.Text(texts.RuntimeEvent)).
		With("display", jsonline.Bool(false))
	details := jsonline.Object{}
	if p.Origin != nil {
		details = details.With("provenance", p.Origin.value())
	}
	if p.Key != "" {
		details = details.With("idempotencyKey", jsonline.Text(p.Key))
	}
	if details.Exists() {
		e = e.With("details", details.Value())
	}
	return e
}

// keyOf returns the key under which a message was stored (F-44).
func keyOf(m *transcript.Message) string {
	if m.Is(transcript.Custom) {
		return m.Get("details").Object().Get("idempotencyKey").String()
	}
	return m.Get("idempotencyKey").String()
}

// paragraphs joins the texts that are not blank by a blank line.
func paragraphs(list ...string) string {
	var b strings.Builder
	for _, text := range list {
		if text = strings.Trim(text, "\n"); strings.TrimSpace(text) == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(text)
	}
	return b.String()
}

// written returns text as a person wrote it: in NFC and without control characters
// other than tabs and line breaks.
func written(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	return strings.TrimSpace(norm.NFC.String(strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f {
			return -1
		}
		return r
	}, text)))
}
