package anthropicmessages

import (
	"strings"

	"hygeia/transcript"
)

// Types of blocks for tools that the service runs.
const (
	serverToolUse = "server_tool_use"
	mcpToolUse    = "mcp_tool_use"
	resultSuffix  = "_tool_result"
)

// half is what becomes of a call without a result, or a result without a call, of
// a tool that the service runs.
type half uint8

const (
	goes  half = iota + 1 // the two stay or go together (W-124)
	waits                 // its result is still to come
)

// halves finds calls of tools that the service runs which have no result, and
// the other way round. A call of the round in progress, or of an assistant turn
// that ends the list, may wait for its result.
func halves(list []*transcript.Message) map[*transcript.Block]half {
	waiting := transcript.RoundStart(list)
	if n := len(list); n > 0 && list[n-1].Is(transcript.Assistant) {
		waiting = min(waiting, n-1)
	}
	alone := map[*transcript.Block]half{}
	open := map[string]*transcript.Block{}
	for i, m := range list {
		for _, k := range m.Blocks() {
			switch typ := k.Type(); {
			case typ == serverToolUse || typ == mcpToolUse:
				id := k.Get("id").String()
				if open[id], alone[k] = k, goes; i >= waiting {
					alone[k] = waits
				}
			case strings.HasSuffix(string(typ), resultSuffix):
				id := k.Get("tool_use_id").String()
				if call := open[id]; call != nil {
					delete(open, id)
					delete(alone, call)
					continue
				}
				alone[k] = goes
			}
		}
	}
	return alone
}

// waits reports whether a message ends in a call of a tool that the service runs
// and that has no result yet.
func (b *builder) waits(m *transcript.Message) bool {
	blocks := m.Blocks()
	return len(blocks) > 0 && b.own.halves[blocks[len(blocks)-1]] == waits
}
