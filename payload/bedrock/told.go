package bedrock

import (
	"hygeia/hygiene"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/payload"
	"hygeia/transcript"
)

// offersTools reports whether the request offers a tool.
func offersTools(in *payload.Input) bool {
	for range in.Options.Tools.Elements() {
		return true
	}
	return false
}

// tellTools returns the messages with tool calls and results told as text, each
// in its turn (W-707, BR-04). The list itself is returned if there are none.
func tellTools(list []*transcript.Message, log payload.Log) []*transcript.Message {
	var out []*transcript.Message
	names := map[string]string{} // of calls, by their id
	for i, m := range list {
		if !m.Is(transcript.ToolResult) && !(m.Is(transcript.Assistant) && m.Any(tellable)) {
			continue
		}
		if out == nil {
			out = append([]*transcript.Message(nil), list...)
		}
		if m.Is(transcript.Assistant) {
			out[i] = tellCalls(m, names, log)
			continue
		}
		out[i] = tellResult(m, names, log)
	}
	if out == nil {
		return list
	}
	log.Report.Note("no tools are offered: the tool history goes out as text, --tools keeps it as tool blocks (W-707)")
	return out
}

// tellable reports whether a block is a call that can go out (W-109).
func tellable(k *transcript.Block) bool { return k.IsToolCall() && k.ID() != "" && k.Name() != "" }

func tellCalls(m *transcript.Message, names map[string]string, log payload.Log) *transcript.Message {
	blocks := append([]*transcript.Block(nil), m.Blocks()...)
	for i, k := range blocks {
		if !tellable(k) {
			continue
		}
		names[k.ID()] = k.Name()
		text := jsonline.Text(texts.CallAsText + k.Name() + "] " + string(log.Arguments(m, k).Raw))
		blocks[i] = transcript.NewTextBlockValue(payload.Legal(text))
		log.Add(hygiene.Replace, m, k, blocks[i], hygiene.Edit{Rule: "W-707", Reason: "no tool is offered to the model"})
	}
	return m.WithBlocks(blocks)
}

// tellResult returns a tool result as what a user says. A stand-in says neither
// that the tool failed nor that it did not (D-03).
func tellResult(m *transcript.Message, names map[string]string, log payload.Log) *transcript.Message {
	opening, none := texts.ResultAsText, texts.NoOutput
	if m.IsError() {
		none = texts.ToolErrorNoOutput
	}
	text := log.ResultText(m, none)
	if m.IsError() && (len(text.Raw) > 256 || !texts.IsSyntheticResultText(text.String())) {
		opening = texts.FailureAsText
	}
	name := m.ToolName()
	if name == "" {
		name = names[m.ToolCallID()]
	}
	head := payload.Legal(jsonline.Text(opening + name + "]"))
	blocks := []*transcript.Block{transcript.NewTextBlockValue(payload.Join([]jsonline.Value{head, text}))}
	for _, k := range m.Blocks() {
		switch {
		case isImage(k):
			blocks = append(blocks, k)
		case k.Is(transcript.TypeImage):
			log.Unknown(m, k)
		}
	}
	user := transcript.New(transcript.User, blocks...).WithOrigin(m.Origin)
	log.Add(hygiene.Replace, m, nil, user, hygiene.Edit{Rule: "W-707", Reason: "no tool is offered to the model"})
	return user
}
