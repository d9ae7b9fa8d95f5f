package projection

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/transcript"
)

// mirror is a message that an agent sent into its own conversation with the
// tool "message".
type mirror struct {
	text, call string
	delivered  bool
}

// mostMirrors is how many of them wait for their result.
const mostMirrors = 16

// destinations name another place to send to; snake case is folded.
var destinations = map[string]bool{
	"target": true, "targets": true, "to": true, "recipient": true, "recipients": true, "chatid": true, "channelid": true,
	"conversationid": true, "threadid": true, "roomid": true, "groupid": true,
}

// mirror follows what was sent with the tool "message". done says that the
// message at hand is dealt with: what was sent is shown in its place.
func (p *Projector) mirror(m *transcript.Message, s stripped) (events []Event, done bool) {
	switch {
	case s.kind == userTurn:
		p.mirrors = nil
	case m.Is(transcript.ToolResult):
		p.deliver(m)
	case s.kind == model && isSilentTurn(selectAnswer(s.Message)):
		return p.reveal(s.Message, func(mirror) bool { return true })
	case s.kind == model && m.Model() == mirrorModel:
		text := strings.TrimSpace(words(s.Message))
		if events, done := p.reveal(s.Message, func(w mirror) bool { return strings.TrimSpace(w.text) == text }); done {
			return events, true
		}
		p.mirrors = nil
	case s.kind == model:
		if !blank(words(s.Message)) {
			p.mirrors = nil
		}
		for _, b := range m.Blocks() {
			if w, ok := sent(b); ok && len(p.mirrors) < mostMirrors {
				p.mirrors = append(p.mirrors, w)
			}
		}
	}
	return nil, false
}

// The models of rows that programs wrote (F-39).
const (
	mirrorModel   = "delivery-mirror"
	injectedModel = "gateway-injected"
	acpModel      = "acp-runtime"
)

// sent returns what a call of the tool "message" says into its own
// conversation.
func sent(b *transcript.Block) (w mirror, ok bool) {
	if !b.IsToolCall() || b.Name() != "message" {
		return w, false
	}
	arguments := b.Get("arguments").Object()
	if arguments.Get("action").String() != "send" || arguments.Get("dryRun").Bool() || arguments.Get("dry_run").Bool() {
		return w, false
	}
	for name, v := range arguments.Members() {
		if destinations[strings.ToLower(strings.ReplaceAll(name, "_", ""))] && v.Kind != jsonline.Null {
			return w, false
		}
	}
	for _, name := range []string{"message", "text", "content", "body", "caption"} {
		if v := arguments.Get(name); v.IsString() && !v.Blank() {
			return mirror{text: v.String(), call: b.ID()}, true
		}
	}
	return w, false
}

// deliver marks the mirror that a result of the tool belongs to.
func (p *Projector) deliver(m *transcript.Message) {
	if name := m.ToolName(); name != "" && name != "message" || !succeeded(m) {
		return
	}
	for i := range p.mirrors {
		w := &p.mirrors[i]
		if id := m.ToolCallID(); !w.delivered && (id == w.call || id == "" || w.call == "") {
			w.delivered = true
			return
		}
	}
}

// succeeded reports whether a result says nothing of a failure.
func succeeded(m *transcript.Message) bool {
	if m.IsError() || m.Get("error").Exists() {
		return false
	}
	for _, o := range []jsonline.Object{m.Get("details").Object(), jsonline.ParseObject([]byte(words(m)))} {
		if o.Get("ok").Kind == jsonline.False || o.Get("dryRun").Bool() || o.Get("error").IsString() {
			return false
		}
	}
	return true
}

// reveal shows what was delivered as the agent's words, in the place of anchor.
func (p *Projector) reveal(anchor *transcript.Message, want func(mirror) bool) (events []Event, done bool) {
	var rest, told []mirror
	for _, w := range p.mirrors {
		if w.delivered && want(w) {
			told = append(told, w)
		} else {
			rest = append(rest, w)
		}
	}
	for i, w := range told {
		m := transcript.New(transcript.Assistant, transcript.NewTextBlock(w.text))
		for _, name := range []string{"timestamp", metaName} {
			if v := anchor.Get(name); v.Exists() {
				m = m.With(name, v)
			}
		}
		if id := MetaOf(anchor).ID; id != "" && i < len(told)-1 { // ids tell messages apart
			m = note(m, func(o jsonline.Object) jsonline.Object {
				return o.With("id", jsonline.Text(id+"#"+strconv.Itoa(i+1)))
			})
		}
		origin := jsonline.Object{}.With("toolName", jsonline.Text("message"))
		if w.call != "" {
			origin = origin.With("toolCallId", jsonline.Text(w.call))
		}
		m = m.With("openclawMessageToolMirror", origin.Value())
		events = append(events, p.add(p.show(p.strip(m)))...)
	}
	p.mirrors = rest
	return events, len(events) > 0
}

// doubles reports whether a message repeats the one shown before it.
func (p *Projector) doubles(m *transcript.Message) bool {
	before := p.last()
	if before == nil || !m.Is(transcript.Assistant) || !before.Is(transcript.Assistant) {
		return false
	}
	injected := m.Model() == injectedModel && before.Model() == acpModel
	mirrored := m.Get("openclawDeliveryMirror").Object().Get("kind").String() == "channel-final" &&
		before.Get(metaName).Object().Get("mirrorIdentity").Exists()
	return (injected || mirrored) && onlyText(m) && onlyTextOrThinking(before) && words(m) == words(before)
}

// audioReply is the text of a spoken supplement that says nothing else.
const audioReply = "Audio reply"

// supplement finds the answer that a spoken supplement belongs to and returns
// it with the supplement's blocks.
func (p *Projector) supplement(m *transcript.Message) (at int, merged *transcript.Message) {
	o := m.Get("openclawTtsSupplement").Object()
	if !o.Exists() || !m.Is(transcript.Assistant) {
		return 0, nil
	}
	var spoken []*transcript.Block
	for _, b := range m.Blocks() {
		if _, ok := textOf(b); !ok {
			spoken = append(spoken, b)
		}
	}
	if text := strings.TrimSpace(words(m)); len(spoken) == 0 || text != "" && text != audioReply {
		return 0, nil
	}
	sum, text := o.Get("textSha256").String(), strings.TrimSpace(o.Get("spokenText").String())
	for at := len(p.recent) - 1; at >= 0; at-- {
		answer := p.recent[at]
		said := strings.TrimSpace(words(answer))
		if !answer.Is(transcript.Assistant) || said == "" {
			continue
		}
		hash := sha256.Sum256([]byte(said))
		if said == text || strings.EqualFold(hex.EncodeToString(hash[:]), sum) {
			return at, withBlocks(answer, spoken)
		}
	}
	return 0, nil
}

func withBlocks(m *transcript.Message, more []*transcript.Block) *transcript.Message {
	blocks := m.Blocks()
	if m.ContentKind() == transcript.TextContent {
		blocks = []*transcript.Block{transcript.NewTextBlockValue(m.Text())}
	}
	return m.WithBlocks(append(blocks[:len(blocks):len(blocks)], more...))
}
