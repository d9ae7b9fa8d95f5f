package pairing

import (
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/policy"
	"hygeia/transcript"
)

// mark is what tells a machine that nobody delivered a result (D-03).
var mark = jsonline.Value{Raw: []byte(`{"synthetic":true}`), Kind: jsonline.ObjectKind}

// standIn returns the result that stands for the missing one of a call (R-76,
// D-03). Its time is that of the turn (R-B12).
func standIn(p *policy.Policy, turn *transcript.Message, call *transcript.Block) *transcript.Message {
	text := texts.MissingResult
	if p.Responses {
		text = texts.AbortedResult
	}
	m := transcript.New(transcript.ToolResult, transcript.NewTextBlock(text)).
		With("toolCallId", jsonline.Text(call.ID())).
		With("toolName", jsonline.Text(toolName(call))).
		With("isError", jsonline.Bool(true)).
		With("details", mark)
	if at := turn.Get("timestamp"); at.Exists() {
		m = m.With("timestamp", at)
	}
	return m
}

// toolName returns the name of the tool that a call is for.
func toolName(call *transcript.Block) string {
	if name := call.Name(); name != "" {
		return name
	}
	return "unknown"
}
