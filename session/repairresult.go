package session

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/transcript"
)

const (
	ownProvider = "openclaw"                 // of rows that no model call produced (F-39)
	chatGPT     = "openai-chatgpt-responses" // D-11
	oldChatGPT  = "openai-codex-responses"
)

// isResponses reports whether calls of that API get a stand-in for a missing
// result (F-56).
func isResponses(api string) bool {
	switch api {
	case "openai-responses", "azure-openai-responses", chatGPT, oldChatGPT:
		return true
	}
	return false
}

// isArtefact reports whether an assistant turn records text that no model call
// produced (F-39).
func isArtefact(m *transcript.Message) bool {
	if !m.Is(transcript.Assistant) || m.Provider() != ownProvider {
		return false
	}
	model := m.Model()
	return model == "delivery-mirror" || model == "gateway-injected"
}

// openCall is a tool call that gets a stand-in unless its result is found.
type openCall struct {
	record, n int32 // the n-th call of the turn
	id        key
}

// pairs looks for calls without a result (F-56). Both lists grow with the file.
type pairs struct {
	results []key
	calls   []openCall
	waiting []openCall // counts if the next message is an artefact
}

// message takes the message of record i.
func (p *pairs) message(i int32, m *transcript.Message) {
	if isArtefact(m) {
		p.calls = append(p.calls, p.waiting...)
	}
	p.waiting = p.waiting[:0]
	switch {
	case m.Is(transcript.ToolResult):
		if id := m.ToolCallID(); id != "" {
			p.results = append(p.results, keyOf(id))
		}
	case !m.Is(transcript.Assistant) || m.Failed() || !isResponses(m.API()):
	default:
		all := (m.API() == chatGPT || m.API() == oldChatGPT) && m.Provider() == "openai"
		for n, b := range toolCalls(m) {
			c := openCall{i, int32(n), keyOf(b.ID())}
			switch {
			case b.ID() == "":
			case all:
				p.calls = append(p.calls, c)
			case strings.EqualFold(b.Name(), "message"):
				p.waiting = append(p.waiting, c)
			}
		}
	}
}

func toolCalls(m *transcript.Message) (list []*transcript.Block) {
	for _, b := range m.Blocks() {
		if b.IsToolCall() {
			list = append(list, b)
		}
	}
	return list
}

// missing returns the calls without a result in the order of the file.
func (p *pairs) missing() []openCall {
	if len(p.calls) == 0 {
		return nil
	}
	slices.Sort(p.results)
	return slices.DeleteFunc(p.calls, func(c openCall) bool {
		_, found := slices.BinarySearch(p.results, c.id)
		return found
	})
}

// standIn returns the entry that stands for the missing result of a call in e,
// which has the id entry, "" for none. It follows parent, and taken tells which
// ids are used.
func standIn(e *transcript.Entry, call *transcript.Block, entry, parent string, occurrence int, taken func(string) bool) (o jsonline.Object, id string) {
	o = o.With("type", jsonline.Text("message"))
	if entry != "" {
		for n := occurrence; ; n++ {
			sum := sha256.Sum256(fmt.Appendf(nil, "%s:%s:%d", entry, call.ID(), n))
			if id = "repair-" + uuidForm(hex.EncodeToString(sum[:])); !taken(id) {
				break
			}
		}
		o = o.With("id", jsonline.Text(id)).With("parentId", jsonline.Text(parent))
	}
	o = o.With("timestamp", e.Get("timestamp"))
	m := placeholder(call.ID(), call.Name(), texts.AbortedResult).With("timestamp", e.Message.Get("timestamp"))
	return o.With("message", jsonline.Value{Raw: m.AppendJSON(nil), Kind: jsonline.ObjectKind}), id
}

// placeholder returns the message that stands for the result of a call (F-37).
func placeholder(call, tool, text string) *transcript.Message {
	return transcript.New(transcript.ToolResult, transcript.NewTextBlock(text)).
		With("toolCallId", jsonline.Text(call)).
		With("toolName", jsonline.Text(nameOr(tool))).
		With("details", jsonline.Object{}.With("openclawSyntheticMissingToolResult", jsonline.Bool(true)).Value()).
		With("isError", jsonline.Bool(true))
}
