package turns

import (
	_ "embed"

	"hygeia/hygiene"
	settle "hygeia/hygiene/passes/internal/turns"
	"hygeia/internal/jsonline"
	"hygeia/internal/texts"
	"hygeia/internal/wrappers"
	"hygeia/policy"
	"hygeia/transcript"
)

//go:embed doc.go
var doc string

// Pass carries out R-90….
var Pass = &hygiene.Pass{
	Name: "turns",
	Doc:  hygiene.DocText(doc),
	Rules: append([]hygiene.Rule{
		{ID: "R-90", Title: "a history that starts with an assistant turn gets a user turn in front", Synthetic: true},
		{ID: "R-92", Title: "neighbouring assistant turns are joined", Lossy: true, Unstable: "the last turn grows"},
		{ID: "R-93", Title: "neighbouring user turns are joined", Unstable: "the last turn grows"},
		{ID: "R-95", Title: "calls without a result are removed", Lossy: true, Synthetic: true},
		{
			ID: "R-104", Title: "trailing assistant turns are cut from the request", Lossy: true,
			Unstable: "the turn is no longer the last one",
		},
	}, settle.FailedRules...),
	After: []string{"boundary"},
	When: func(p *policy.Policy) bool {
		return p.ApplyGoogleTurnOrdering || p.ValidateGeminiTurns || p.ValidateAnthropicTurns
	},
	Run: run,
}

func run(r *hygiene.Run) {
	end := r.Len()
	if r.Policy.ValidateAnthropicTurns {
		end = cutTrailing(r)
		if !r.Policy.RepairToolUseResultPairing {
			dangling(r, end)
		}
	}
	bootstrap(r, end)
	for i := 0; i < end; {
		j := i + 1
		for j < end && r.At(j).Role() == r.At(i).Role() {
			j++
		}
		if j > i+1 {
			join(r, i, j)
		}
		i = j
	}
	settle.SettleFailed(r) // a failed turn may have been joined with empty ones
}

// cutTrailing drops assistant turns without calls from the end and returns the
// index behind the last turn that stays. Those of a request are for the
// converter to judge (W-223).
func cutTrailing(r *hygiene.Run) int {
	end := r.Len()
	if r.Context.Request {
		return end
	}
	for end > 0 && r.At(end-1).Is(transcript.Assistant) && !r.At(end-1).HasToolCall() {
		end--
		r.Drop(end, hygiene.Edit{Rule: "R-104", Reason: "the request must not end in an assistant turn", Lossy: true})
	}
	return end
}

// bootstrap puts a user turn in front of a history that starts with an
// assistant turn (R-90, R-B12). System messages in front of it are no turns.
func bootstrap(r *hygiene.Run, end int) {
	at := 0
	for at < end && r.At(at).IsSystem() {
		at++
	}
	if at == end || !r.At(at).Is(transcript.Assistant) {
		return
	}
	first := r.At(at)
	m := transcript.NewText(transcript.User, texts.SessionBootstrap)
	if at := first.Get("timestamp"); at.Exists() {
		m = m.With("timestamp", at)
	}
	r.InsertBehind(at-1, m, hygiene.Edit{Rule: "R-90", Reason: "the history starts with an assistant turn", Synthetic: true})
}

func join(r *hygiene.Run, i, j int) {
	switch {
	case r.At(i).Is(transcript.Assistant) && (r.Policy.ValidateGeminiTurns || r.Policy.ValidateAnthropicTurns):
		joinAssistants(r, i, j)
	case r.At(i).Is(transcript.User) && r.Policy.ValidateAnthropicTurns:
		joinUsers(r, i, j)
	}
}

// joinAssistants makes one turn of the turns i to j-1: the fields of the first,
// the outcome of the last, and the thinking of only one (R-92, D-20).
func joinAssistants(r *hygiene.Run, i, j int) {
	keeper := j - 1
	for keeper > i && !r.At(keeper).HasThinking() {
		keeper--
	}
	for k := i; k < keeper; k++ {
		dropThinking(r, k)
	}
	var blocks []*transcript.Block
	for k := i; k < j; k++ {
		blocks = append(blocks, r.At(k).Blocks()...)
	}
	m := withFields(r.At(i), r.At(speaker(r, i, j, keeper)), identity)
	m = withFields(m, r.At(outcome(r, i, j)), []string{"stopReason", "errorMessage"})
	for k := i; k < j; k++ {
		if v := r.At(k).Get("usage"); v.Kind == jsonline.ObjectKind {
			m = m.With("usage", v)
		}
	}
	m = m.Without("responseId") // it is no longer that response alone
	origin := r.At(i).Origin
	origin.Position = r.At(speaker(r, i, j, keeper)).Origin.Position
	m = m.WithOrigin(origin)
	merge(r, i, j, m.WithBlocks(blocks), "R-92", "two assistant turns stand side by side")
}

// identity are the members that say which model wrote a turn and when.
var identity = []string{"provider", "api", "model", "responseModel", "timestamp"}

// speaker returns which of the turns i to j-1 the joined turn comes from: the
// one whose thinking is kept, else the last with a signature on text or calls,
// for what is signed is judged by the route of its turn; else the first.
func speaker(r *hygiene.Run, i, j, keeper int) int {
	if r.At(keeper).HasThinking() {
		return keeper
	}
	for k := j - 1; k > i; k-- {
		if r.At(k).Any(signed) {
			return k
		}
	}
	return i
}

func signed(b *transcript.Block) bool {
	return b.Get("textSignature").Exists() || b.Get("thoughtSignature").Exists() || b.Get("thought_signature").Exists()
}

// outcome returns which of the turns i to j-1 says how the joined turn ended:
// the last that said something and did not fail, else the last. A joined turn
// failed only if all of it did.
func outcome(r *hygiene.Run, i, j int) int {
	for k := j - 1; k >= i; k-- {
		if m := r.At(k); !m.Failed() && len(m.Blocks()) > 0 {
			return k
		}
	}
	return j - 1
}

// withFields returns m with the named members as they are in from, absent ones
// included.
func withFields(m, from *transcript.Message, names []string) *transcript.Message {
	if m == from {
		return m
	}
	for _, name := range names {
		m = m.Without(name)
		if v := from.Get(name); v.Exists() {
			m = m.With(name, v)
		}
	}
	return m
}

// dropThinking takes the thinking out of turn k, which is about to be joined
// with a turn that has thinking of its own.
func dropThinking(r *hygiene.Run, k int) {
	blocks := r.Blocks(k)
	for b, block := range blocks.All() {
		if block.IsThinking() {
			blocks.Drop(b, hygiene.Edit{Rule: "R-92", Reason: "the turn is joined with one that has its own thinking", Lossy: true})
		}
	}
	blocks.Done()
}

// joinUsers makes one turn of the turns i to j-1: the fields of the last, all
// content.
func joinUsers(r *hygiene.Run, i, j int) {
	last := r.At(j - 1)
	var blocks []*transcript.Block
	for k := i; k < j; k++ {
		part := contentBlocks(r.At(k))
		if routed(r.At(k)) {
			part = closed(part)
		}
		blocks = append(blocks, part...)
	}
	m := last.WithBlocks(withoutPlaceholders(blocks)).WithOrigin(r.At(i).Origin)
	if !m.Get("timestamp").Exists() {
		m = m.With("timestamp", r.At(i).Get("timestamp"))
	}
	for k := i; k < j; k++ {
		if routed(r.At(k)) {
			// The parts carry their own markers, so nothing is marked again.
			joined := r.At(k).Get("provenance").Object().With("joined", jsonline.Bool(true))
			m = m.With("provenance", joined.Value())
		}
		if !r.At(k).CarriesContext() {
			m = m.Without("runtimeContextCarrier") // words of a user are in it now
		}
	}
	merge(r, i, j, m, "R-93", "two user turns stand side by side")
}

// routed reports whether a turn came from another session.
func routed(m *transcript.Message) bool {
	p, ok := m.Provenance()
	return ok && p.Kind == transcript.InterSession
}

// closed ends routed content with its closing line, since other content comes
// to stand behind it (S-B05).
func closed(blocks []*transcript.Block) []*transcript.Block {
	for j := len(blocks) - 1; j >= 0; j-- {
		if b := blocks[j]; b.IsText() {
			c := append([]*transcript.Block(nil), blocks...)
			c[j] = b.WithText(wrappers.CloseRouted(b.Text()))
			return c
		}
	}
	return blocks
}

func merge(r *hygiene.Run, i, j int, m *transcript.Message, rule, reason string) {
	for k := i + 1; k < j; k++ {
		r.MergeInto(i, k, m, hygiene.Edit{Rule: rule, Reason: reason})
	}
}

// contentBlocks returns the content of a user turn as blocks; other shapes
// than text and lists count as nothing.
func contentBlocks(m *transcript.Message) []*transcript.Block {
	if m.ContentKind() == transcript.TextContent {
		return []*transcript.Block{transcript.NewTextBlockValue(m.Text())}
	}
	return m.Blocks()
}

// withoutPlaceholders removes placeholders for blank content beside real
// content (D-07).
func withoutPlaceholders(blocks []*transcript.Block) []*transcript.Block {
	var kept []*transcript.Block
	for _, b := range blocks {
		if !isPlaceholder(b) {
			kept = append(kept, b)
		}
	}
	if len(kept) == 0 {
		return blocks[:min(1, len(blocks))]
	}
	return kept
}

func isPlaceholder(b *transcript.Block) bool {
	v := b.TextValue()
	return len(v.Raw) < 64 && b.IsText() && texts.IsOmittedContent(v.String())
}

// dangling removes calls that no result behind them answers. It keeps
// the visible text and loses the thinking that belonged to the calls (R-B03).
func dangling(r *hygiene.Run, end int) {
	for i := 0; i < end; i++ {
		if r.At(i).Is(transcript.Assistant) && r.At(i).HasToolCall() {
			open := unanswered(r, i, end)
			if len(open) > 0 {
				removeCalls(r, i, open)
			}
		}
	}
}

// unanswered returns the ids of the calls of turn i that have no result before
// the next assistant turn.
func unanswered(r *hygiene.Run, i, end int) map[string]bool {
	open := map[string]bool{}
	for _, b := range r.At(i).Blocks() {
		if b.IsToolCall() {
			open[b.ID()] = true
		}
	}
	for k := i + 1; k < end && !r.At(k).Is(transcript.Assistant); k++ {
		if r.At(k).Is(transcript.ToolResult) {
			delete(open, r.At(k).ToolCallID())
		}
	}
	return open
}

func removeCalls(r *hygiene.Run, i int, open map[string]bool) {
	blocks := r.Blocks(i)
	for j, b := range blocks.All() {
		switch {
		case b.IsToolCall() && open[b.ID()]:
			blocks.Drop(j, hygiene.Edit{Rule: "R-95", Reason: "call " + b.ID() + " has no result", Lossy: true})
		case b.IsThinking():
			blocks.Drop(j, hygiene.Edit{Rule: "R-95", Reason: "thinking of a turn that lost a call", Lossy: true})
		}
	}
	if blocks.Left() == 0 {
		e := hygiene.Edit{Rule: "R-95", Reason: "the turn held nothing but calls without results", Synthetic: true}
		blocks.Insert(len(blocks.All()), transcript.NewTextBlock(texts.OmittedCalls), e)
	}
	blocks.Done()
}
