package acp

import "github.com/go-json-experiment/json/jsontext"

// protocolVersion is that of the protocol that is spoken here.
const protocolVersion = 1

// block is a piece of content.
type block struct {
	Type     string    `json:"type"`
	Text     string    `json:"text,omitzero"`
	Data     string    `json:"data,omitzero"`
	MimeType string    `json:"mimeType,omitzero"`
	URI      string    `json:"uri,omitzero"`
	Name     string    `json:"name,omitzero"`
	Resource *resource `json:"resource,omitzero"`
}

type resource struct {
	URI      string  `json:"uri"`
	MimeType string  `json:"mimeType"`
	Text     *string `json:"text"`
	Blob     *string `json:"blob"`
}

func textBlock(text string) *block { return &block{Type: "text", Text: text} }

// The kinds of updates.
const (
	userChunk     = "user_message_chunk"
	messageChunk  = "agent_message_chunk"
	thoughtChunk  = "agent_thought_chunk"
	toolCall      = "tool_call"
	toolUpdate    = "tool_call_update"
	infoUpdate    = "session_info_update"
	commandUpdate = "available_commands_update"
)

// The states of a tool call.
const (
	pending    = "pending"
	inProgress = "in_progress"
	completed  = "completed"
	failed     = "failed"
)

// update is something that a client is told of a session.
type update struct {
	Kind    string `json:"sessionUpdate"`
	Content any    `json:"content,omitzero"` // *block of a chunk, []toolContent of a call

	CallID   string         `json:"toolCallId,omitzero"`
	Title    string         `json:"title,omitzero"`
	ToolKind string         `json:"kind,omitzero"`
	Status   string         `json:"status,omitzero"`
	Input    jsontext.Value `json:"rawInput,omitzero"`

	UpdatedAt string    `json:"updatedAt,omitzero"`
	Commands  *[]string `json:"availableCommands,omitzero"`

	Meta *meta `json:"_meta,omitzero"`
}

// meta is what goes along in the member _meta, for clients that know this agent.
type meta struct {
	Entry  string `json:"hygeia.entry,omitzero"`  // id of the stored entry
	Kind   string `json:"hygeia.kind,omitzero"`   // of a row that is no turn: compaction, branch, note
	Sender string `json:"hygeia.sender,omitzero"` // who says it, where that is another than the role says
	Error  string `json:"hygeia.error,omitzero"`  // why a run failed
}

type toolContent struct {
	Type    string `json:"type"`
	Content *block `json:"content"`
}

func shownContent(b *block) toolContent { return toolContent{"content", b} }

// toolKinds are the kinds of the tools that are known here; those of others are other.
var toolKinds = map[string]string{
	"read_file": "read", "read": "read", "list_files": "search", "ls": "search", "grep": "search", "find": "search", "shell": "execute",
	"bash": "execute", "exec": "execute", "write": "edit", "edit": "edit", "apply_patch": "edit", "web_fetch": "fetch", "web_search": "fetch",
}

// The requests and their answers.
type (
	initialized struct {
		Version      int          `json:"protocolVersion"`
		Capabilities capabilities `json:"agentCapabilities"`
		Info         info         `json:"agentInfo"`
		AuthMethods  []string     `json:"authMethods"`
	}
	info struct {
		Name    string `json:"name"`
		Title   string `json:"title"`
		Version string `json:"version"`
	}
	capabilities struct {
		LoadSession bool `json:"loadSession"`
		Prompt      struct {
			Image           bool `json:"image"`
			Audio           bool `json:"audio"`
			EmbeddedContext bool `json:"embeddedContext"`
		} `json:"promptCapabilities"`
		MCP struct {
			HTTP bool `json:"http"`
			SSE  bool `json:"sse"`
		} `json:"mcpCapabilities"`
		Session struct {
			List   struct{} `json:"list"`
			Resume struct{} `json:"resume"`
			Close  struct{} `json:"close"`
		} `json:"sessionCapabilities"`
	}
	// opening are the parameters of session/new, load and resume.
	opening struct {
		SessionID  string           `json:"sessionId"`
		CWD        string           `json:"cwd"`
		MCPServers []jsontext.Value `json:"mcpServers"`
		Meta       struct {
			Key   string `json:"sessionKey"`
			Label string `json:"sessionLabel"`
			Reset bool   `json:"resetSession"`
		} `json:"_meta"`
	}
	opened struct {
		SessionID string `json:"sessionId,omitzero"`
	}
	naming struct {
		SessionID string `json:"sessionId"`
	}
	listing struct {
		CWD    string `json:"cwd"`
		Cursor string `json:"cursor"`
	}
	listed struct {
		Sessions []sessionInfo `json:"sessions"`
		Next     string        `json:"nextCursor,omitzero"`
	}
	sessionInfo struct {
		SessionID string `json:"sessionId"`
		CWD       string `json:"cwd"`
		Title     string `json:"title,omitzero"`
		UpdatedAt string `json:"updatedAt,omitzero"`
	}
	prompting struct {
		SessionID string  `json:"sessionId"`
		Prompt    []block `json:"prompt"`
	}
	prompted struct {
		StopReason string `json:"stopReason"`
		Meta       *meta  `json:"_meta,omitzero"`
	}
	told struct {
		SessionID string `json:"sessionId"`
		Update    update `json:"update"`
	}
)
