package check

// message is one message of Anthropic or Converse; a string content counts as
// one text block without an object behind it.
type message struct {
	node
	index   int
	role    string
	content node
	blocks  []block
}

// block is one content block of a message and where it stands. Its members are
// looked up once, since most rules ask every block for some.
type block struct {
	node
	msg, at int
	typ     string // "" in Converse, whose blocks have none
	members [maxBlockMembers]uint32
	names   uint32  // a bit for each member, the highest for those that are not known
	inner   []block // of a tool result; the place of these is that of the block
}

// blockMember numbers a member that rules ask for.
type blockMember uint8

const maxBlockMembers = 16

// Members of Anthropic's blocks.
const (
	inType blockMember = iota
	inText
	inCache
	inCitations
	inSource
	inThinking
	inSignature
	inData
	inID
	inName
	inInput
	inCaller
	inUse
	inContent
	inError
	inOther // any other
)

// Members of Converse's blocks, which name them.
const (
	asText blockMember = iota
	asImage
	asDocument
	asCachePoint
	asToolUse
	asToolResult
	asReasoning
	asService // a call of a tool that the service carries out, or what that returned
	asOther   = inOther
)

func anthropicMember(name []byte) blockMember {
	switch string(name) {
	case "type":
		return inType
	case "text":
		return inText
	case "cache_control":
		return inCache
	case "citations":
		return inCitations
	case "source":
		return inSource
	case "thinking":
		return inThinking
	case "signature":
		return inSignature
	case "data":
		return inData
	case "id":
		return inID
	case "name":
		return inName
	case "input":
		return inInput
	case "caller":
		return inCaller
	case "tool_use_id":
		return inUse
	case "content":
		return inContent
	case "is_error":
		return inError
	}
	return inOther
}

func converseMember(name []byte) blockMember {
	switch string(name) {
	case "text":
		return asText
	case "image":
		return asImage
	case "document":
		return asDocument
	case "cachePoint":
		return asCachePoint
	case "toolUse":
		return asToolUse
	case "toolResult":
		return asToolResult
	case "reasoningContent":
		return asReasoning
	}
	return asOther
}

// member returns one of the members that have a number.
func (b *block) member(m blockMember) node {
	if i := b.members[m]; i != 0 {
		return node{b.b, i}
	}
	return node{}
}

func (b *block) has(m blockMember) bool { return b.names&(1<<m) != 0 }

func (b *block) path() string { return pointer("messages", b.msg, "content", b.at) }

func (b *block) isThinking() bool { return b.typ == "thinking" || b.typ == "redacted_thinking" }

func readAnthropic(r *request) {
	readMessages(r, anthropicBlockOf, func(b *block) node { return b.member(inContent) })
}

func readConverse(r *request) {
	r.memo.bedrock = bedrockOf(r.target.Model, r.claude)
	readMessages(r, converseBlockOf, func(b *block) node { return b.member(asToolResult).get("content") })
	for i := range r.memo.messages {
		if m := &r.memo.messages[i]; m.role == "assistant" {
			for j := range m.blocks {
				m.blocks[j].serve()
			}
		}
	}
}

// anthropicBlockOf reads a block of a message, of the system prompt, or a tool.
func anthropicBlockOf(n node) block {
	b := block{node: n}
	b.read(anthropicMember)
	b.typ = b.member(inType).word()
	return b
}

func converseBlockOf(n node) block {
	b := block{node: n}
	b.read(converseMember)
	return b
}

// serve takes a call that the service carried out itself, or the result of one, which
// stands behind it in the turn of the model, out of those that have to be paired
// (W-124).
func (b *block) serve() {
	for _, m := range []blockMember{asToolUse, asToolResult} {
		if typ := b.member(m).get("type"); typ.isString() && (m == asToolResult || typ.text() == "server_tool_use") {
			b.members[asService], b.members[m] = b.members[m], 0
			b.names ^= 1<<m | 1<<asService
		}
	}
}

// readMessages lists messages and blocks. inner is the list in a block.
func readMessages(r *request, read func(node) block, inner func(*block) node) {
	memo := &r.memo
	add := func(n node, msg, at int) {
		memo.blocks = append(memo.blocks, read(n))
		b := &memo.blocks[len(memo.blocks)-1]
		b.msg, b.at = msg, at
	}
	for i, n := range r.root.get("messages").elements() {
		m := message{node: n, index: i, content: n.get("content"), role: n.get("role").word()}
		from := len(memo.blocks)
		for j, e := range m.content.elements() {
			add(e, i, j)
		}
		to := len(memo.blocks)
		for j := from; j < to; j++ {
			start := len(memo.blocks)
			for k, e := range inner(&memo.blocks[j]).elements() {
				add(e, i, k)
			}
			if end := len(memo.blocks); end > start {
				memo.blocks[j].inner = memo.blocks[start:end:end]
			}
		}
		m.blocks = memo.blocks[from:to:to]
		memo.messages = append(memo.messages, m)
	}
}

// read finds the members of a block; the last one of a name counts.
func (b *block) read(number func([]byte) blockMember) {
	if !b.isObject() {
		return
	}
	nodes := b.b.nodes
	for j := b.i + 1; j < nodes[b.i].Next; j = nodes[j].Next {
		m := number(b.b.src[nodes[j].NameStart:nodes[j].NameEnd])
		b.members[m] = j
		b.names |= 1 << m
	}
}
