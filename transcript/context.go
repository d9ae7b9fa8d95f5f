package transcript

// Route is the route that a session used at some point of a branch, each member as
// it was stored.
type Route struct{ Provider, API, Model string }

// Snapshot is a stored route snapshot: from its position on the branch
// used that route.
type Snapshot struct {
	Position int // of its entry on the path, from 0 at the root
	Route    Route
}

// Context is what a replay starts from: the messages of one branch and what
// the passes need to know from its other entries.
type Context struct {
	Messages []*Message // in the order of the path

	// Compaction is the position on the path of the newest compaction entry,
	// -1 when there is none or nothing is known about positions (D-25).
	Compaction int
	// Snapshots are the route snapshots of the branch in path order.
	Snapshots []Snapshot
	// RejectedThinking is the position on the path up to which a provider
	// rejected the thinking (R-112, D-22), -1 when none was.
	RejectedThinking int
	// ThinkingLevel is the newest thinking level of the branch, "" when none
	// was set (F-70).
	ThinkingLevel string
	// Tools are the names of the tools that the request offers, empty when
	// nothing is known about them.
	Tools []string
	// Request says that the messages are those of a request that somebody built:
	// an assistant turn at the end may be a beginning that the model is to go on
	// with (W-223).
	Request bool
	// SessionID is the id in the header, "" for a bare message list.
	SessionID string
}

// NewContext returns the context of a bare message list.
func NewContext(messages []*Message) *Context {
	return &Context{Messages: messages, Compaction: -1, RejectedThinking: -1}
}
